import { randomBytes } from 'node:crypto';
import { judgePassword } from '../../../../domain/account/credentials.ts';
import type { FindSignedIn, SignedIn } from '../../../access/signed-in.ts';
import type { App } from '../../../ports/app-ports.ts';

const SECRET_BYTES = 24;

export type CheckedCredentials =
  | {
      readonly kind: 'account';
      readonly who: SignedIn;
      readonly generation: string;
      /** True for a one-time password, which only allows choosing a new one. */
      readonly isOneTime: boolean;
      readonly failures: number;
      readonly failedSince: Date | null;
    }
  | { readonly kind: 'invitation'; readonly practiceId: string }
  /** The password is right, but has expired. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'wrong' };

export interface TypedCredentials {
  readonly accountId: string;
  readonly password: string;
  /** Hash of the client’s IP address, or of its IPv6 network; its passwords are checked one at a time. */
  readonly address: string;
  /** True if the account recently signed in from this address. */
  readonly isKnownAddress: boolean;
}

export interface CredentialSources {
  readonly passwords: Pick<
    App['passwords'],
    'find' | 'verifyPassword' | 'hashPassword' | 'hashOneTimePassword'
  >;
  readonly invitations: Pick<App['invitations'], 'find'>;
  readonly now: () => Date;
}

/**
 * Compares with a dummy hash for an unknown account, so that both cases are equally slow.
 * @throws PasswordsBusy
 */
export const createCredentialCheck = (
  { passwords, invitations, now }: CredentialSources,
  findSignedIn: FindSignedIn,
): ((typed: TypedCredentials) => Promise<CheckedCredentials>) => {
  let dummyHash: Promise<string> | null = null;
  const getDummyHash = async (): Promise<string> => {
    dummyHash ??= passwords.hashPassword(
      randomBytes(SECRET_BYTES).toString('base64url'),
      'no account',
    );
    try {
      return await dummyHash;
    } catch (error) {
      // A cached failure would lock everyone out until the next start.
      dummyHash = null;
      throw error;
    }
  };
  return async ({ accountId, password, address, isKnownAddress }) => {
    const digest = passwords.hashOneTimePassword(password);
    // Awaited in both cases, so that the first attempt after a start is equally slow.
    const [current, dummy, invitation] = await Promise.all([
      passwords.find(accountId),
      getDummyHash(),
      invitations.find(accountId, digest),
    ]);
    const isRight = await passwords.verifyPassword(current?.hash ?? dummy, password, address);
    if (invitation !== null)
      return invitation.endsAt > now()
        ? { kind: 'invitation', practiceId: invitation.practiceId }
        : { kind: 'expired' };
    if (current === null || !isRight) return { kind: 'wrong' };
    const outcome = judgePassword({ ...current, isKnownAddress }, now());
    if (outcome !== 'valid') return { kind: outcome };
    const who = await findSignedIn(accountId);
    if (who === null) return { kind: 'wrong' };
    const { generation, failures, failedSince } = current;
    const isOneTime = current.endsAt !== null;
    return { kind: 'account', who, generation, isOneTime, failures, failedSince };
  };
};
