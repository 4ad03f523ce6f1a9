import { computeOneTimePasswordEnd } from '../../domain/account/invitations.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { CommandContext } from './command-context.ts';

/** One-time password, shown only once, to be given to its owner. */
export interface OneTimePassword {
  readonly oneTimePassword: string;
  readonly expiresAt: Date;
}

/** Handing over a password and shutting an account, shared by members and staff. */
export const createAccountCredentials = (
  {
    passwords: { hashPassword, holdAccount, createOneTimePassword },
    endSessions,
    dropSecondFactors,
    now,
  }: Pick<AppPorts, 'passwords' | 'endSessions' | 'dropSecondFactors' | 'now'>,
  context: CommandContext,
) => ({
  /**
   * Sets a one-time password that only lets its owner choose another; invalidates the previous
   * password and all sessions.
   * @param append records it while the account is locked
   */
  async handOver(id: string, append: () => Promise<unknown>): Promise<OneTimePassword> {
    const oneTimePassword = createOneTimePassword();
    const hash = await hashPassword(oneTimePassword, id);
    const expiresAt = computeOneTimePasswordEnd(now());
    await holdAccount(id, async (account) => {
      await append();
      // People who lost their password have often lost the phone, too. The person who issues a new
      // one has verified the owner.
      await dropSecondFactors(id);
      // The identity may no longer belong to the same person at the identity provider.
      await account.unbind();
      await account.setPassword(hash, expiresAt);
    });
    await endSessions(id);
    await context.announceAccessChange();
    return { oneTimePassword, expiresAt };
  },

  /**
   * Closes a removed account everywhere. If a removal was interrupted, running it again finishes
   * it.
   *
   * @param isRemoved checked while the account is locked, so a person added again in the meantime
   * keeps the new password
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
