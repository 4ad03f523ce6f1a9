import { randomBytes } from 'node:crypto';
import { judgePassword } from '../../../domain/account/credentials.ts';
import type { FindSignedIn, SignedIn } from '../../access/signed-in.ts';
import type { App } from '../../ports/app-ports.ts';

const SECRET_BYTES = 24;

/** What an email and a password open. */
export type Checked =
  | {
      readonly kind: 'account';
      readonly who: SignedIn;
      /** Of the password, for the session. */
      readonly generation: string;
      /** It is a one-time password that only lets its owner choose another. */
      readonly isOneTime: boolean;
      readonly failures: number;
      readonly failedSince: Date | null;
    }
  | { readonly kind: 'invitation'; readonly practiceId: string }
  /** It is right, but was handed over too long ago. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'wrong' };

/** What is checked. */
export interface TypedCredentials {
  readonly accountId: string;
  readonly password: string;
  /** Whether the account has signed in from there lately. */
  readonly isKnownPlace: boolean;
}

/** What credentials are checked with. */
export interface CredentialSources {
  readonly passwords: Pick<
    App['passwords'],
    'find' | 'isPassword' | 'hashPassword' | 'digestOfOneTimePassword'
  >;
  readonly invitations: Pick<App['invitations'], 'find'>;
  readonly now: () => Date;
}

/**
 * Checks the password of an account. An unknown account takes the same time as a wrong password:
 * the password is then compared with one that no account has.
 */
export const checkCredentialsWith = (
  { passwords, invitations, now }: CredentialSources,
  findSignedIn: FindSignedIn,
): ((typed: TypedCredentials) => Promise<Checked>) => {
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
  return async ({ accountId, password, isKnownPlace }) => {
    const digest = passwords.digestOfOneTimePassword(password);
    // Waited for in either case: the first try after a start is as slow for an account as for none.
    const [held, standIn, invitation] = await Promise.all([
      passwords.find(accountId),
      unusedHash(),
      invitations.find(accountId, digest),
    ]);
    const isRight = await passwords.isPassword(held?.hash ?? standIn, password);
    if (invitation !== null)
      return invitation.endsAt > now()
        ? { kind: 'invitation', practiceId: invitation.practiceId }
        : { kind: 'ended' };
    if (held === null || !isRight) return { kind: 'wrong' };
    const outcome = judgePassword({ ...held, isKnownPlace }, now());
    if (outcome !== 'opens') return { kind: outcome };
    const who = await findSignedIn(accountId);
    if (who === null) return { kind: 'wrong' };
    const { generation, failures, failedSince } = held;
    const isOneTime = held.endsAt !== null;
    return { kind: 'account', who, generation, isOneTime, failures, failedSince };
  };
};
