import { type ReviewedSeat, reviewAccess } from '../../domain/account/access-review.ts';
import { useBreakGlass } from '../../domain/account/break-glass.ts';
import { normalizeEmail } from '../../domain/account/credentials.ts';
import {
  changeSeat,
  issueOneTimePassword,
  type LastAdmin,
  nameMember,
  removeMember,
  type SeatContext,
  setAuditorPermission,
} from '../../domain/account/decide-seat.ts';
import {
  acceptInvitation,
  computeOneTimePasswordEnd,
  findInvitedName,
  inviteMember,
  withdrawInvitation,
} from '../../domain/account/invitations.ts';
import { type Member, memberFold } from '../../domain/account/member.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import { staffFold } from '../../domain/account/staff.ts';
import type { Decision } from '../../domain/decision.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import type { Role } from '../../domain/roles.ts';
import { memberStream, practiceStream, staffStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createAccountCredentials, type OneTimePassword } from './account-credentials.ts';
import { type CommandLog, changeStream, loadState } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { commandRefused } from './command-refused.ts';
import type { PracticeCommands } from './manage-practices.ts';

export interface InvitedMember extends OneTimePassword {
  readonly memberId: string;
}

export interface InvitationOrder {
  readonly practiceId: string;
  readonly email: string;
  readonly role: Role;
  /** As typed; may be blank. */
  readonly name?: string | undefined;
}

export const createMemberCommands = (
  log: CommandLog,
  practices: Pick<PracticeCommands, 'find'>,
  ports: Pick<
    AppPorts,
    | 'identity'
    | 'passwords'
    | 'reads'
    | 'invitations'
    | 'holdSeats'
    | 'endSessions'
    | 'dropSecondFactors'
    | 'now'
  >,
  context: CommandContext,
) => {
  const {
    identity: { accountId },
    passwords: { holdAccount, createOneTimePassword, hashOneTimePassword },
    reads,
    invitations,
    holdSeats,
    now,
  } = ports;
  const { handOver, shut } = createAccountCredentials(ports, context);
  const loadMember = (id: string): Promise<Member> => loadState(log, memberStream(id), memberFold);

  const change = (
    memberId: string,
    decide: (member: Member) => Decision<MemberEvent> | Promise<Decision<MemberEvent>>,
  ) => changeStream<Member, MemberEvent>(log, context, memberStream(memberId), memberFold, decide);

  const isAdmin = async (memberId: string, practiceId: string): Promise<boolean> => {
    const member = await loadMember(memberId);
    return (
      member.status === 'seated' && member.practiceId === practiceId && member.role === 'Admin'
    );
  };

  const isAnyAdmin = async (memberIds: readonly string[], practiceId: string): Promise<boolean> =>
    (await Promise.all(memberIds.map((id) => isAdmin(id, practiceId)))).includes(true);

  /** Changes one seat at a time per practice, so that two Admins cannot remove each other. */
  const changeUnderLock = (
    practiceId: string,
    memberId: string,
    decide: (context: SeatContext) => Decision<MemberEvent>,
  ): Promise<void> =>
    holdSeats(practiceId, async (memberIds) => {
      const others = memberIds.filter((id) => id !== memberId);
      const hasOtherAdmin = await isAnyAdmin(others, practiceId);
      await change(memberId, (member) => decide({ practiceId, member, hasOtherAdmin }));
    });

  /** @param before called while the practice's seats are locked, with true if it has an Admin */
  const invite = async (
    { practiceId, email: written, role, name = '' }: InvitationOrder,
    byStaff: boolean,
    before: (hasAdmin: boolean) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<InvitedMember> => {
    const email = normalizeEmail(written);
    const memberId = accountId(email);
    const oneTimePassword = createOneTimePassword();
    const expiresAt = computeOneTimePasswordEnd(now());
    const endsAt = expiresAt.toISOString();
    const appendFor = async (hasAdmin: boolean): Promise<void> => {
      const practice = await practices.find(practiceId);
      await before(hasAdmin);
      await change(memberId, (member) =>
        inviteMember(
          { memberId, practiceId, email, role, endsAt, byStaff, name },
          { practice, member, hasAdmin, now: now() },
        ),
      );
    };
    // Only invitations by staff depend on the other members.
    if (byStaff)
      await holdSeats(practiceId, async (memberIds) =>
        appendFor(await isAnyAdmin(memberIds, practiceId)),
      );
    else await appendFor(true);
    await invitations.put(memberId, practiceId, hashOneTimePassword(oneTimePassword), expiresAt);
    return { memberId, oneTimePassword, expiresAt };
  };

  return {
    /** @throws CommandRefused as `inviteMember` refuses */
    invite: (order: InvitationOrder): Promise<InvitedMember> => invite(order, false),

    /**
     * @param reason needed if the practice has lost all of its Admins; ignored if it never had a
     * member
     * @throws CommandRefused if the practice has an Admin, or the reason is missing
     */
    inviteByStaff: (
      { practiceId, email, name }: Omit<InvitationOrder, 'role'>,
      reason: string,
    ): Promise<InvitedMember> =>
      invite({ practiceId, email, name, role: 'Admin' }, true, async (hasAdmin) => {
        if ((await reads.findAdminStatus(practiceId)) === 'never-had-members') return;
        await changeStream(log, context, practiceStream(practiceId), practiceFold, (practice) =>
          useBreakGlass(
            { practiceId, email: normalizeEmail(email), reason, at: now() },
            practice,
            hasAdmin,
          ),
        );
      }),

    /**
     * @param name none if blank, that of the invitation if `undefined`
     * @returns generation of the password, for the session
     * @throws CommandRefused as `acceptInvitation` refuses
     */
    async accept(
      practiceId: string,
      memberId: string,
      passwordHash: string,
      name?: string,
    ): Promise<string> {
      const generation = await holdAccount(memberId, async (account) => {
        const acceptFor = async (hasAdmin: boolean): Promise<void> => {
          const practice = await practices.find(practiceId);
          const staff = await loadState(log, staffStream(memberId), staffFold);
          await change(memberId, (member) =>
            acceptInvitation(
              { practiceId, at: now(), name },
              { practice, member, staff, hasAdmin },
            ),
          );
        };
        const { invitations: open } = await loadMember(memberId);
        if (open[practiceId]?.byStaff === true)
          await account.holdSeats(practiceId, async (memberIds) =>
            acceptFor(await isAnyAdmin(memberIds, practiceId)),
          );
        else await acceptFor(true);
        return account.setPassword(passwordHash);
      });
      await invitations.drop(memberId, practiceId);
      await context.announceAccessChange();
      return generation;
    },

    nameWhenInvited: async (practiceId: string, memberId: string): Promise<string | null> =>
      findInvitedName(practiceId, await loadMember(memberId)) ?? null,

    /**
     * All pages show the name when this returns.
     * @throws CommandRefused for an id of no member of the practice, and for an invalid name
     */
    async rename(practiceId: string, memberId: string, name: string): Promise<void> {
      await change(memberId, (member) => nameMember(name, { practiceId, member }));
      await context.announceAccessChange();
    },

    /** @throws CommandRefused for an id that was not invited */
    async withdraw(practiceId: string, memberId: string): Promise<void> {
      await invitations.drop(memberId, practiceId);
      await change(memberId, (member) => withdrawInvitation(practiceId, member));
    },

    /**
     * In force everywhere when this returns.
     * @throws CommandRefused for an id of no member of the practice, and for its last Admin
     */
    async changeSeat(practiceId: string, memberId: string, role: Role): Promise<void> {
      await changeUnderLock(practiceId, memberId, (seat) => changeSeat(role, seat));
      await context.announceAccessChange();
    },

    /**
     * In force everywhere when this returns.
     * @throws CommandRefused for an id of no member, and for a role without this permission
     */
    async setAuditorPermission(
      practiceId: string,
      memberId: string,
      granted: boolean,
    ): Promise<void> {
      await change(memberId, (member) => setAuditorPermission(granted, { practiceId, member }));
      await context.announceAccessChange();
    },

    /**
     * Ends the member's sessions before this returns.
     * @throws CommandRefused for an id of no member of the practice, and for its last Admin
     */
    async remove(
      practiceId: string,
      memberId: string,
      lastAdmin: LastAdmin = 'required',
    ): Promise<void> {
      await changeUnderLock(practiceId, memberId, (seat) => removeMember(seat, lastAdmin));
      await shut(memberId, async () => (await loadMember(memberId)).status === 'removed');
    },

    /** Ends all sessions. @throws CommandRefused for an id of no member of the practice */
    givePassword: (practiceId: string, memberId: string): Promise<OneTimePassword> =>
      handOver(memberId, () =>
        change(memberId, (member) => issueOneTimePassword({ practiceId, member })),
      ),

    /** @param seen seats that were shown @throws CommandRefused if the seats have changed */
    async review(practiceId: string, seen: readonly ReviewedSeat[]): Promise<void> {
      await holdSeats(practiceId, async (memberIds) => {
        const members = await Promise.all(memberIds.map(loadMember));
        const current = members.flatMap((member) =>
          member.status === 'seated' && member.practiceId === practiceId
            ? [{ memberId: member.memberId, role: member.role }]
            : [],
        );
        await changeStream(log, context, practiceStream(practiceId), practiceFold, () =>
          reviewAccess(practiceId, now(), seen, current),
        );
      });
    },

    /** @throws CommandRefused if there is none */
    async findMemberId(practiceId: string, email: string): Promise<string> {
      const memberId = accountId(normalizeEmail(email));
      const member = await loadMember(memberId);
      const isMember = member.status === 'seated' && member.practiceId === practiceId;
      if (!isMember) throw commandRefused({ code: 'no-member' });
      return memberId;
    },
  };
};
