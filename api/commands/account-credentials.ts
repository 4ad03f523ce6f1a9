import { computeOneTimePasswordEnd } from '../../domain/account/invitations.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { CommandContext } from './command-context.ts';

/** Shown only once. */
export interface OneTimePassword {
  readonly oneTimePassword: string;
  readonly expiresAt: Date;
}

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
   * The password only lets its owner choose another; all sessions end.
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
   * Run again, it finishes an interrupted removal.
   * @param isRemoved checked while the account is locked, since the person may have been added
   * again
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
