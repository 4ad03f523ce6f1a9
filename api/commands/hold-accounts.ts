import { oneTimePasswordEnd } from '../../domain/account/member/invitations.ts';
import type { BoundRegistry } from '../registry/registry.ts';
import type { CommandContext } from './command-context.ts';

/** A password that is shown this once, to be handed over. */
export interface HandedOver {
  readonly oneTimePassword: string;
  /** From then on it opens nothing. */
  readonly expiresAt: Date;
}

/** What giving a password and shutting an account have in common, for members and for the staff. */
export const heldAccountsOf = (
  {
    passwords: { hashPassword, holdAccount, newOneTimePassword },
    endSessions,
    dropSecondFactors,
    now,
  }: Pick<BoundRegistry, 'passwords' | 'endSessions' | 'dropSecondFactors' | 'now'>,
  context: CommandContext,
) => ({
  /**
   * Sets a password that is only good for choosing another; the one before and every session end.
   * @param append puts it on record, while the account is held
   */
  async handOver(id: string, append: () => Promise<unknown>): Promise<HandedOver> {
    const oneTimePassword = newOneTimePassword();
    const hash = await hashPassword(oneTimePassword);
    const expiresAt = oneTimePasswordEnd(now());
    await holdAccount(id, async (account) => {
      await append();
      // Who has lost their password has often lost the phone, too; who gives another has seen who asks.
      await dropSecondFactors(id);
      // Nor does it belong any more to whom an identity provider once gave its email.
      await account.unbind();
      await account.setPassword(hash, expiresAt);
    });
    await endSessions(id);
    await context.announceAccessChange();
    return { oneTimePassword, expiresAt };
  },

  /**
   * Lets an account that was removed open nothing any more, everywhere. Given again after it was cut
   * short, a removal does what is left.
   * @param isRemoved asked while the account is held: a person who was let in again meanwhile keeps the
   *   new password
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
