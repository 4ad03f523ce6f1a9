import { normalisedEmail } from '../../domain/account/credentials.ts';
import { oneTimePasswordEnd } from '../../domain/account/member/invitations.ts';
import { giveStaffPassword, removeStaff } from '../../domain/account/staff/decide.ts';
import { staffFold } from '../../domain/account/staff/state.ts';
import { staffStream } from '../../domain/stream-names.ts';
import type { BoundRegistry } from '../registry/registry.ts';
import { type CommandLog, changeStream, stateOf } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import type { AccountCommands } from './manage-accounts.ts';

/** A password that is shown this once, to be handed over. */
export interface HandedOver {
  readonly oneTimePassword: string;
  /** From then on it opens nothing. */
  readonly expiresAt: Date;
}

/** Commands on the accounts of the service staff. */
export const staffCommandsOf = (
  log: CommandLog,
  accounts: Pick<AccountCommands, 'addStaff'>,
  {
    identity: { accountId },
    passwords: { hashPassword, holdAccount, newOneTimePassword },
    endSessions,
    dropSecondFactors,
    now,
  }: Pick<BoundRegistry, 'identity' | 'passwords' | 'endSessions' | 'dropSecondFactors' | 'now'>,
  context: CommandContext,
) => {
  const staffOf = (id: string) => stateOf(log, staffStream(id), staffFold);

  /** Sets a password that is only good for choosing another. */
  const handOver = async (id: string, append: () => Promise<unknown>): Promise<HandedOver> => {
    const oneTimePassword = newOneTimePassword();
    const hash = await hashPassword(oneTimePassword);
    const expiresAt = oneTimePasswordEnd(now());
    await holdAccount(id, async (account) => {
      await append();
      await dropSecondFactors(id);
      await account.setPassword(hash, expiresAt);
    });
    await endSessions(id);
    await context.announceAccessChange();
    return { oneTimePassword, expiresAt };
  };

  return {
    /** @throws CommandRefused for an email that has an account */
    async invite(email: string): Promise<HandedOver> {
      const id = await accounts.addStaff({ email, password: newOneTimePassword() });
      return handOver(id, () => Promise.resolve());
    },

    /**
     * The account opens nothing any more, everywhere, when it returns; its sessions have ended.
     * @returns the id of the account
     * @throws CommandRefused for an email that is not one of the staff
     */
    async remove(email: string): Promise<string> {
      const id = accountId(normalisedEmail(email));
      await changeStream(log, context, staffStream(id), staffFold, removeStaff);
      await context.announceAccessChange();
      await holdAccount(id, async (account) => {
        if ((await staffOf(id)).status !== 'removed') return;
        await account.dropPassword();
        await dropSecondFactors(id);
        await endSessions(id);
      });
      return id;
    },

    /**
     * The password that the person had opens nothing any more, and every session has ended.
     * @throws CommandRefused for an email that is not one of the staff
     */
    async givePassword(email: string): Promise<HandedOver> {
      const id = accountId(normalisedEmail(email));
      return handOver(id, () =>
        changeStream(log, context, staffStream(id), staffFold, giveStaffPassword),
      );
    },
  };
};
