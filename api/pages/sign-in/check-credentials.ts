import { randomBytes } from 'node:crypto';
import type { FindSignedIn, SignedIn } from '../../access/signed-in.ts';
import type { Registry } from '../../registry/registry.ts';

const SECRET_BYTES = 24;

/**
 * Checks the password of an account. An unknown account takes the same time as a wrong password:
 * the password is then compared with one that no account has.
 */
export const checkCredentialsWith = (
  {
    passwords,
  }: { readonly passwords: Pick<Registry['passwords'], 'find' | 'isPassword' | 'hashPassword'> },
  findSignedIn: FindSignedIn,
): ((accountId: string, password: string) => Promise<SignedIn | null>) => {
  let made: Promise<string> | null = null;
  const unusedHash = async (): Promise<string> => {
    made ??= passwords.hashPassword(randomBytes(SECRET_BYTES).toString('base64url'));
    try {
      return await made;
    } catch (error) {
      // One that could not be made would keep everyone out until the next start.
      made = null;
      throw error;
    }
  };
  return async (accountId, password) => {
    // Waited for in either case: the first try after a start is as slow for an account as for none.
    const [held, standIn] = await Promise.all([passwords.find(accountId), unusedHash()]);
    const isRight = await passwords.isPassword(held ?? standIn, password);
    return isRight && held !== null ? findSignedIn(accountId) : null;
  };
};
