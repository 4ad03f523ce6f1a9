import { Notice } from './flash-messages.tsx';

/** Shown for a search from an earlier session. */
export const SEARCH_EXPIRED =
  'This search has ended with the session that it was made in. Type it again to repeat it.';

/** Notice for a search that only its own session can decrypt. */
export const SearchExpired = () => <Notice kind="info">{SEARCH_EXPIRED}</Notice>;
