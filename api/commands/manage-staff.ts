import { reviewStaffAccess } from '../../domain/account/access-review.ts';
import { normalizeEmail } from '../../domain/account/credentials.ts';
import { issueStaffPassword, nameStaff, removeStaff } from '../../domain/account/decide-staff.ts';
import { staffFold } from '../../domain/account/staff.ts';
import { staffStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createAccountCredentials, type OneTimePassword } from './account-credentials.ts';
import { type CommandLog, changeStream, loadState } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import type { AccountCommands } from './manage-accounts.ts';

export const createStaffCommands = (
  log: CommandLog,
  accounts: Pick<AccountCommands, 'addStaff'>,
  ports: Pick<
    AppPorts,
    'identity' | 'passwords' | 'reads' | 'endSessions' | 'dropSecondFactors' | 'now'
  >,
  context: CommandContext,
) => {
  const {
    identity: { accountId },
    passwords: { createOneTimePassword },
    reads,
    now,
  } = ports;
  const { handOver, shut } = createAccountCredentials(ports, context);
  const loadStaff = (id: string) => loadState(log, staffStream(id), staffFold);

  return {
    /** @throws CommandRefused for an email that has an account, and for an invalid name */
    async invite(email: string, name?: string): Promise<OneTimePassword> {
      const id = await accounts.addStaff({ email, name, password: createOneTimePassword() });
      return handOver(id, () => Promise.resolve());
    },

    /**
     * All pages show the name when this returns.
     * @throws CommandRefused for an id of no staff member, and for an invalid name
     */
    async rename(staffId: string, name: string): Promise<void> {
      await changeStream(log, context, staffStream(staffId), staffFold, (staff) =>
        nameStaff(name, staff),
      );
      await context.announceAccessChange();
    },

    /**
     * Ends all sessions before this returns.
     * @throws CommandRefused for an email of no staff member
     */
    async remove(email: string): Promise<string> {
      const id = accountId(normalizeEmail(email));
      await changeStream(log, context, staffStream(id), staffFold, removeStaff);
      await shut(id, async () => (await loadStaff(id)).status === 'removed');
      return id;
    },

    /**
     * @param staffId the reviewer
     * @param seen ids of the people who were shown
     * @throws CommandRefused if the accounts have changed
     */
    async review(staffId: string, seen: readonly string[]): Promise<void> {
      const current = (await reads.listStaff()).flatMap((person) =>
        person.status === 'active' ? [person.staffId] : [],
      );
      await changeStream(log, context, staffStream(staffId), staffFold, () =>
        reviewStaffAccess(staffId, now(), seen, current),
      );
    },

    /** Ends all sessions. @throws CommandRefused for an email of no staff member */
    async givePassword(email: string): Promise<OneTimePassword> {
      const id = accountId(normalizeEmail(email));
      return handOver(id, () =>
        changeStream(log, context, staffStream(id), staffFold, issueStaffPassword),
      );
    },
  };
};
