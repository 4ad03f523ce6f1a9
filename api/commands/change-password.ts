import { passwordRefusal } from '../../domain/account/credentials.ts';
import { type Refusal, refuse } from '../../domain/decision.ts';
import type { BoundRegistry } from '../registry/registry.ts';

/** The password that an account's owner wants instead of the one they have. */
export interface ChangePassword {
  readonly accountId: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** The new password is the old one. */
export const SAME_PASSWORD = refuse({ code: 'same-password' });

/**
 * Changes the password of an account; one that was handed over is good for everything afterwards.
 * @returns the refusal for the person; null when it is changed
 */
export const changePassword = async (
  { passwords }: Pick<BoundRegistry, 'passwords'>,
  { accountId, oldPassword, newPassword }: ChangePassword,
): Promise<Refusal | null> => {
  const { isPassword, hashPassword, holdAccount } = passwords;
  const held = await passwords.find(accountId);
  if (held === null || !(await isPassword(held, oldPassword)))
    return refuse({ code: 'wrong-password' });
  if (oldPassword === newPassword) return SAME_PASSWORD;
  const refusal = passwordRefusal(newPassword);
  if (refusal !== null) return refusal;
  const passwordHash = await hashPassword(newPassword);
  return holdAccount(accountId, async (account) => {
    // Another change, or a removal, came first: then the old password was not the one that held.
    if ((await passwords.find(accountId)) !== held)
      return refuse({ code: 'password-changed-meanwhile' });
    await account.setPassword(passwordHash, false);
    return null;
  });
};
