import { checkPassword, type PasswordOwner } from '../../domain/account/credentials.ts';
import { type Refusal, refuse } from '../../domain/decision.ts';
import type { AppPorts } from '../ports/app-ports.ts';

export interface ChangePassword {
  readonly accountId: string;
  readonly owner: PasswordOwner;
  readonly oldPassword: string;
  readonly newPassword: string;
}

export interface PasswordChanged {
  readonly kind: 'changed';
  readonly generation: string;
}

export const SAME_PASSWORD = refuse({ code: 'same-password' });

/** A one-time password becomes a permanent one. */
export const changePassword = async (
  { passwords, now }: Pick<AppPorts, 'passwords' | 'now'>,
  { accountId, owner, oldPassword, newPassword }: ChangePassword,
): Promise<Refusal | PasswordChanged> => {
  const { verifyPassword, hashPassword, holdAccount, isCommonPassword } = passwords;
  const current = await passwords.find(accountId);
  if (current === null || !(await verifyPassword(current.hash, oldPassword, accountId)))
    return refuse({ code: 'wrong-password' });
  if (current.endsAt !== null && current.endsAt <= now()) return refuse({ code: 'password-ended' });
  if (oldPassword === newPassword) return SAME_PASSWORD;
  const refusal = checkPassword(newPassword, owner, isCommonPassword);
  if (refusal !== null) return refusal;
  const passwordHash = await hashPassword(newPassword, accountId);
  return holdAccount(accountId, async (account) => {
    // Another change or a removal came first, so the old password was already invalid.
    if ((await passwords.find(accountId))?.generation !== current.generation)
      return refuse({ code: 'password-changed-since' });
    return { kind: 'changed', generation: await account.setPassword(passwordHash) };
  });
};
