import { Notice } from './flash-messages.tsx';

/** The address of a list holds a search that only its session could read. */
export const SearchOver = () => (
  <Notice kind="info">
    This search has ended with the session that it was made in. Type it again to repeat it.
  </Notice>
);
