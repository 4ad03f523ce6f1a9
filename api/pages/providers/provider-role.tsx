import type { ProviderDetails } from '../../../domain/provider/details.ts';
import { ROLE_TEXT } from './provider-text.ts';

/** Role of a provider, with the original credentials if they add to it. */
export const ProviderRole = ({
  role,
  credentials,
}: Pick<ProviderDetails, 'role' | 'credentials'>) => {
  const words = ROLE_TEXT[role];
  const saysMore = credentials !== null && credentials.toLowerCase() !== words.toLowerCase();
  return (
    <>
      {words}
      {saysMore && <span class="beneath">{credentials}</span>}
    </>
  );
};
