import { normalisedEmail } from '../../../domain/account/credentials.ts';
import type { FindPasswordHash } from '../../../domain/account/ports.ts';
import type { FindSignedIn, SignedIn } from '../../access/signed-in.ts';

/** What sign-in works with. */
export interface CredentialParts {
  /** Id of the account of a normalised email. */
  readonly accountId: (email: string) => string;
  readonly findPasswordHash: FindPasswordHash;
  readonly isPassword: (passwordHash: string, password: string) => Promise<boolean>;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly newSecret: () => string;
  readonly findSignedIn: FindSignedIn;
}

/** The id of the account that an email names, whether there is one or not. */
export const accountNamed = (parts: CredentialParts, email: string): string =>
  parts.accountId(normalisedEmail(email));

/**
 * Checks the password of an account. An unknown account takes the same time as a wrong password:
 * the password is then compared with one that nobody has.
 */
export const checkCredentialsWith = (
  parts: CredentialParts,
): ((accountId: string, password: string) => Promise<SignedIn | null>) => {
  let made: Promise<string> | null = null;
  const nobodys = async (): Promise<string> => {
    made ??= parts.hashPassword(parts.newSecret());
    try {
      return await made;
    } catch (error) {
      // One that could not be made would keep everybody out until the next start.
      made = null;
      throw error;
    }
  };
  return async (accountId, password) => {
    // Waited for in either case: the first try after a start is as slow for an account as for none.
    const [held, standIn] = await Promise.all([parts.findPasswordHash(accountId), nobodys()]);
    const isRight = await parts.isPassword(held ?? standIn, password);
    return isRight && held !== null ? parts.findSignedIn(accountId) : null;
  };
};
