import { Notice } from './flash-messages.tsx';

/** The search of an address ended with its session. */
export const SEARCH_OVER =
  'This search has ended with the session that it was made in. Type it again to repeat it.';

/** The address of a list holds a search that only its session could read. */
export const SearchOver = () => <Notice kind="info">{SEARCH_OVER}</Notice>;
