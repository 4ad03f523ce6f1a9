import type { MemberEvent, Role } from '../../domain/account/member/events.ts';
import {
  changeSeat,
  givePassword,
  removeMember,
  type SeatContext,
} from '../../domain/account/member/seats.ts';
import { type Member, memberFold } from '../../domain/account/member/state.ts';
import type { Decision } from '../../domain/decision.ts';
import { memberStream } from '../../domain/stream-names.ts';
import type { BoundRegistry } from '../registry/registry.ts';
import { type CommandLog, changeStream, stateOf } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import type { AccountCommands } from './manage-accounts.ts';

/** A member who was invited. The password is shown this once, and is only good for choosing another. */
export interface InvitedMember {
  readonly memberId: string;
  readonly password: string;
}

/** Commands on the seats of a practice. */
export const memberCommandsOf = (
  log: CommandLog,
  accounts: Pick<AccountCommands, 'addMember'>,
  {
    passwords: { hashPassword, holdAccount, newOneTimePassword },
    holdSeats,
    endSessions,
  }: Pick<BoundRegistry, 'passwords' | 'holdSeats' | 'endSessions'>,
  context: CommandContext,
) => {
  const memberOf = (id: string): Promise<Member> => stateOf(log, memberStream(id), memberFold);

  const isAdmin = async (memberId: string, practiceId: string): Promise<boolean> => {
    const member = await memberOf(memberId);
    return (
      member.status === 'seated' && member.practiceId === practiceId && member.role === 'Admin'
    );
  };

  /** Changes one seat while no other change is under way: two Admins cannot remove each other. */
  const changeHeld = (
    practiceId: string,
    memberId: string,
    decide: (context: SeatContext) => Decision<MemberEvent>,
  ): Promise<void> =>
    holdSeats(practiceId, async (memberIds) => {
      const others = memberIds.filter((id) => id !== memberId);
      const admins = await Promise.all(others.map((id) => isAdmin(id, practiceId)));
      const hasOtherAdmin = admins.includes(true);
      await changeStream<Member, MemberEvent>(
        log,
        context,
        memberStream(memberId),
        memberFold,
        (member) => decide({ practiceId, member, hasOtherAdmin }),
      );
    });

  return {
    /** Invites a person, also a former member. @throws CommandRefused as `addMember` does */
    async invite(order: {
      readonly practiceId: string;
      readonly email: string;
      readonly role: Role;
    }): Promise<InvitedMember> {
      const password = newOneTimePassword();
      const memberId = await accounts.addMember({ ...order, password, isOneTime: true });
      return { memberId, password };
    },

    /**
     * The role is as set, everywhere, when it returns.
     * @throws CommandRefused for an id that is no member's of the practice, and for its last Admin
     */
    async changeSeat(practiceId: string, memberId: string, role: Role): Promise<void> {
      await changeHeld(practiceId, memberId, (seat) => changeSeat(role, seat));
      await context.announceAccessChange();
    },

    /**
     * The account opens nothing any more, everywhere, when it returns; its sessions have ended.
     * @throws CommandRefused for an id that is no member's of the practice, and for its last Admin
     */
    async remove(practiceId: string, memberId: string): Promise<void> {
      await changeHeld(practiceId, memberId, removeMember);
      await context.announceAccessChange();
      // Given again after it was cut short, the command does what is left. A person who was invited
      // again meanwhile keeps the new password.
      await holdAccount(memberId, async (account) => {
        if ((await memberOf(memberId)).status !== 'removed') return;
        await account.dropPassword();
        await endSessions(memberId);
      });
    },

    /**
     * The password that the member had opens nothing any more, and every session has ended.
     * @returns the one-time password to hand over
     * @throws CommandRefused for an id that is no member's of the practice
     */
    async givePassword(practiceId: string, memberId: string): Promise<string> {
      const password = newOneTimePassword();
      const hash = await hashPassword(password);
      await holdAccount(memberId, async (account) => {
        await changeStream<Member, MemberEvent>(
          log,
          context,
          memberStream(memberId),
          memberFold,
          (member) => givePassword({ practiceId, member }),
        );
        await account.setPassword(hash, true);
      });
      await endSessions(memberId);
      return password;
    },
  };
};
