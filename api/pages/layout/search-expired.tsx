import { Notice } from './flash-messages.tsx';

export const SEARCH_EXPIRED = 'This search has expired. Enter it again.';

/** Notice for a search that only its own session can decrypt. */
export const SearchExpired = () => <Notice kind="info">{SEARCH_EXPIRED}</Notice>;
