import { Notice } from './flash-messages.tsx';

/** Notice for a search that only its own session can decrypt. */
export const SearchExpired = () => (
  <Notice kind="info" id="search-expired">
    This search has expired. Enter it again.
  </Notice>
);
