import type { ProviderDetails } from '../../../domain/provider/details.ts';
import { ROLE_WORDS } from './provider-words.ts';

/** The role of a provider with the credentials that it was read from, if they say more. */
export const ProviderRole = ({
  role,
  credentials,
}: Pick<ProviderDetails, 'role' | 'credentials'>) => {
  const words = ROLE_WORDS[role];
  const saysMore = credentials !== null && credentials.toLowerCase() !== words.toLowerCase();
  return (
    <>
      {words}
      {saysMore && <span class="beneath">{credentials}</span>}
    </>
  );
};
