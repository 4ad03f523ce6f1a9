import { accept, type Decision, refuse } from '../decision.ts';
import type { Practice } from '../practice/state.ts';
import { checkEmail, parseOptionalName } from './credentials.ts';
import { findEarlierName, type Member } from './member.ts';
import type { InvitationWithdrawn, MemberAdded, MemberInvited } from './member-events.ts';
import type { StaffMember } from './staff.ts';

/** Hours that a one-time password works, including that of an invitation. */
export const ONE_TIME_PASSWORD_HOURS = 72;

const MS_IN_HOUR = 3_600_000;

/** When a one-time password that is given now expires. */
export const computeOneTimePasswordEnd = (now: Date): Date =>
  new Date(now.getTime() + ONE_TIME_PASSWORD_HOURS * MS_IN_HOUR);

/** Asks a person into a practice. The email is normalized; the name as it was typed, blank: not said. */
export type InviteMember = MemberInvited['data'];

/** What is known of the practice and of the email when a person is invited. */
export interface InviteContext {
  readonly practice: Practice;
  readonly member: Member;
  /** Whether anybody in the practice is an Admin now. */
  readonly hasAdmin: boolean;
}

/**
 * Invites a person; an earlier invitation to the practice ends. Whether the email has a seat elsewhere,
 * or belongs to the service staff, is not told: the owner of the email learns it when they accept.
 */
export const inviteMember = (
  { memberId, practiceId, email, role, endsAt, byStaff, name }: InviteMember,
  { practice, member, hasAdmin }: InviteContext,
): Decision<MemberInvited> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const refusal = checkEmail(email);
  if (refusal !== null) return refusal;
  const named = parseOptionalName(name);
  if (named.kind === 'refused') return named;
  // Who runs the registry must not be able to read a practice's births by a seat of their own.
  if (byStaff && hasAdmin) return refuse({ code: 'practice-has-admin' });
  if (member.status === 'seated' && member.practiceId === practiceId)
    return refuse({ code: 'seated-already', role: member.role });
  return accept({
    type: 'MemberInvited',
    data: { memberId, practiceId, email, role, endsAt, byStaff, ...named.told },
  });
};

/** What is known when an invitation is accepted. */
export interface AcceptContext extends InviteContext {
  readonly staff: StaffMember;
}

/** What a person is called who accepts an invitation and does not say it; undefined: nothing is known. */
export const findInvitedName = (practiceId: string, member: Member): string | undefined =>
  member.invitations[practiceId]?.name ?? findEarlierName(practiceId, member);

/** Takes the seat of an invitation. */
export interface AcceptInvitation {
  readonly practiceId: string;
  readonly at: Date;
  /** As the person typed it, blank: none; undefined: they were not asked. */
  readonly name?: string | undefined;
}

/** Gives the seat of an invitation to the person who was invited. */
export const acceptInvitation = (
  { practiceId, at, name }: AcceptInvitation,
  { practice, member, staff, hasAdmin }: AcceptContext,
): Decision<MemberAdded> => {
  const invitation = member.invitations[practiceId];
  if (practice.status === 'unknown' || invitation === undefined)
    return refuse({ code: 'no-invitation' });
  const { memberId, email, role, endsAt, byStaff } = invitation;
  if (at.getTime() >= Date.parse(endsAt) || (byStaff && hasAdmin))
    return refuse({ code: 'no-invitation' });
  if (staff.status === 'known') return refuse({ code: 'own-email-of-staff' });
  if (member.status === 'seated') return refuse({ code: 'own-seat-elsewhere' });
  const named = parseOptionalName(name ?? findInvitedName(practiceId, member));
  if (named.kind === 'refused') return named;
  return accept({
    type: 'MemberAdded',
    data: { memberId, practiceId, email, role, ...named.told },
  });
};

/** Takes an invitation back. One that is not open any more stays as it is. */
export const withdrawInvitation = (
  practiceId: string,
  member: Member,
): Decision<InvitationWithdrawn> => {
  const invitation = member.invitations[practiceId];
  if (invitation === undefined) return accept();
  const { memberId } = invitation;
  return accept({ type: 'InvitationWithdrawn', data: { memberId, practiceId } });
};
