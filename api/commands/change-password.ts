import { checkPassword, type PasswordOwner } from '../../domain/account/credentials.ts';
import { type Refusal, refuse } from '../../domain/decision.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** The password that an account's owner wants instead of the one they have. */
export interface ChangePassword {
  readonly accountId: string;
  readonly owner: PasswordOwner;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** The password is changed, and every session of before is over. */
export interface PasswordChanged {
  readonly kind: 'changed';
  /** For the session of the person who changed it. */
  readonly generation: string;
}

/** The new password is the old one. */
export const SAME_PASSWORD = refuse({ code: 'same-password' });

/**
 * Changes the password of an account; one that was handed over is good for everything afterwards.
 * @returns the refusal for the person, or what their new session begins with
 */
export const changePassword = async (
  { passwords, now }: Pick<AppPorts, 'passwords' | 'now'>,
  { accountId, owner, oldPassword, newPassword }: ChangePassword,
): Promise<Refusal | PasswordChanged> => {
  const { isPassword, hashPassword, holdAccount, isCommonPassword } = passwords;
  const held = await passwords.find(accountId);
  if (held === null || !(await isPassword(held.hash, oldPassword)))
    return refuse({ code: 'wrong-password' });
  if (held.endsAt !== null && held.endsAt <= now()) return refuse({ code: 'password-ended' });
  if (oldPassword === newPassword) return SAME_PASSWORD;
  const refusal = checkPassword(newPassword, owner, isCommonPassword);
  if (refusal !== null) return refusal;
  const passwordHash = await hashPassword(newPassword);
  return holdAccount(accountId, async (account) => {
    // Another change, or a removal, came first: then the old password was not the one that held.
    if ((await passwords.find(accountId))?.generation !== held.generation)
      return refuse({ code: 'password-changed-since' });
    return { kind: 'changed', generation: await account.setPassword(passwordHash) };
  });
};
