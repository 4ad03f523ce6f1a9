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
  let nobodys: Promise<string> | null = null;
  return async (accountId, password) => {
    nobodys ??= parts.hashPassword(parts.newSecret());
    const held = await parts.findPasswordHash(accountId);
    // Waited for in either case: the first try after a start is as slow for an account as for none.
    const standIn = await nobodys;
    const isRight = await parts.isPassword(held ?? standIn, password);
    return isRight && held !== null ? parts.findSignedIn(accountId) : null;
  };
};
