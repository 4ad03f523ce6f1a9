import { computeOneTimePasswordEnd } from '../../domain/account/invitations.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { CommandContext } from './command-context.ts';

/** A one-time password, shown only once, to be given to its owner. */
export interface OneTimePassword {
  readonly oneTimePassword: string;
  /** When it stops working. */
  readonly expiresAt: Date;
}

/** What giving a password and shutting an account have in common, for members and for the staff. */
export const createAccountCredentials = (
  {
    passwords: { hashPassword, holdAccount, newOneTimePassword },
    endSessions,
    dropSecondFactors,
    now,
  }: Pick<AppPorts, 'passwords' | 'endSessions' | 'dropSecondFactors' | 'now'>,
  context: CommandContext,
) => ({
  /**
   * Sets a one-time password that only lets its owner choose another; the previous password and every session end.
   * @param append puts it on record, while the account is held
   */
  async handOver(id: string, append: () => Promise<unknown>): Promise<OneTimePassword> {
    const oneTimePassword = newOneTimePassword();
    const hash = await hashPassword(oneTimePassword);
    const expiresAt = computeOneTimePasswordEnd(now());
    await holdAccount(id, async (account) => {
      await append();
      // People who lost their password have often lost the phone, too; the person who gives a new one has
      // checked who is asking.
      await dropSecondFactors(id);
      // It also no longer belongs to the person at the identity provider who used it before.
      await account.unbind();
      await account.setPassword(hash, expiresAt);
    });
    await endSessions(id);
    await context.announceAccessChange();
    return { oneTimePassword, expiresAt };
  },

  /**
   * Closes a removed account everywhere. If a removal was interrupted, running it again finishes it.
   *
   * @param isRemoved checked while the account is held: a person who was let in again in the meantime
   *   keeps the new password
   */
  async shut(id: string, isRemoved: () => Promise<boolean>): Promise<void> {
    await context.announceAccessChange();
    await holdAccount(id, async (account) => {
      if (!(await isRemoved())) return;
      await account.dropPassword();
      await account.unbind();
      await dropSecondFactors(id);
      await endSessions(id);
    });
  },
});
