import {
  type Credentials,
  type IsCommonPassword,
  normalizeEmail,
} from '../../domain/account/credentials.ts';
import { addMember } from '../../domain/account/decide-member.ts';
import { addStaff } from '../../domain/account/decide-staff.ts';
import { type Member, memberFold } from '../../domain/account/member.ts';
import { type StaffMember, staffFold } from '../../domain/account/staff.ts';
import type { Role } from '../../domain/roles.ts';
import { memberStream, staffStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type CommandLog, changeStream, loadState, requireAccepted } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused, commandRefused } from './command-refused.ts';
import type { PracticeCommands } from './manage-practices.ts';

export interface MemberOrder extends Credentials {
  readonly practiceId: string;
  readonly role: Role;
  /** As typed; may be blank. */
  readonly name?: string | undefined;
}

export type StaffOrder = Credentials & Pick<MemberOrder, 'name'>;

export const createAccountCommands = (
  log: CommandLog,
  practices: PracticeCommands,
  {
    accountId,
    hashPassword,
    holdAccount,
    isCommonPassword,
    endSessions,
    noteSessionsEnded,
  }: Pick<AppPorts['passwords'], 'hashPassword' | 'holdAccount'> &
    Pick<AppPorts['identity'], 'accountId'> &
    Pick<AppPorts, 'endSessions'> & {
      readonly isCommonPassword: IsCommonPassword;
      readonly noteSessionsEnded: NoteSessionsEnded;
    },
  context: CommandContext,
) => {
  const memberOf = (id: string) => loadState(log, memberStream(id), memberFold);
  const staffOf = (id: string) => loadState(log, staffStream(id), staffFold);

  /** Run again, it sets the password if a crash prevented that. */
  const open = (id: string, passwordHash: string, append: () => Promise<readonly unknown[]>) =>
    holdAccount(id, async (account) => {
      const appended = await append();
      if (appended.length === 0 && (await account.hasPassword()))
        throw new CommandRefused(
          'account-there-already',
          'This email has the account already, and its password stays. There is nothing to add.',
        );
      await account.setPassword(passwordHash);
    });

  return {
    /**
     * @returns the member's id
     * @throws CommandRefused for an unknown practice, invalid credentials, or an email with an
     * account
     */
    async addMember({
      practiceId,
      role,
      password,
      name,
      email: written,
    }: MemberOrder): Promise<string> {
      const email = normalizeEmail(written);
      const id = accountId(email);
      const command = { memberId: id, practiceId, role, email, password, name };
      const decide = async (member: Member) =>
        addMember(command, {
          member,
          practice: await practices.find(practiceId),
          staff: await staffOf(id),
          isCommonPassword,
        });
      const before = await memberOf(id);
      requireAccepted(await decide(before)); // before the costly hash of the password
      await open(id, await hashPassword(password, id), () =>
        changeStream(log, context, memberStream(id), memberFold, decide),
      );
      // A former member may be cached as one without a seat.
      if (before.status === 'removed') await context.announceAccessChange();
      return id;
    },

    /** @throws CommandRefused for invalid credentials, or an email with an account */
    async addStaff({ email: written, password, name }: StaffOrder): Promise<string> {
      const email = normalizeEmail(written);
      const id = accountId(email);
      const decide = async (staff: StaffMember) =>
        addStaff(
          { staffId: id, email, password, name },
          { staff, member: await memberOf(id), isCommonPassword },
        );
      const before = await staffOf(id);
      requireAccepted(await decide(before));
      await open(id, await hashPassword(password, id), () =>
        changeStream(log, context, staffStream(id), staffFold, decide),
      );
      if (before.status === 'removed') await context.announceAccessChange();
      return id;
    },

    /**
     * In force within a second, even during a request. @returns number of ended sessions
     * @throws CommandRefused for an email without an account
     */
    async endSessions(email: string): Promise<number> {
      const id = accountId(normalizeEmail(email));
      const [member, staff] = await Promise.all([memberOf(id), staffOf(id)]);
      if (member.status !== 'seated' && staff.status !== 'known')
        throw commandRefused({ code: 'no-account' });
      // Recorded first, so that no one is signed out without an entry in the access log.
      await noteSessionsEnded(id, member.status === 'seated' ? member.practiceId : null);
      await holdAccount(id, (account) => account.renewGeneration());
      const ended = await endSessions(id);
      await context.announceAccessChange();
      return ended;
    },
  };
};

/** @param practiceId `null` for staff */
export type NoteSessionsEnded = (accountId: string, practiceId: string | null) => Promise<void>;

/** @see createAccountCommands */
export type AccountCommands = ReturnType<typeof createAccountCommands>;
