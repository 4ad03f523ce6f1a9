import { accept, type Decision, refuse } from '../decision.ts';
import type { Practice } from '../practice/state.ts';
import { checkEmail } from './credentials.ts';
import { findEarlierName, type Member } from './member.ts';
import type { MemberEvent } from './member-events.ts';
import { parseOptionalName } from './person-name.ts';
import type { StaffMember } from './staff.ts';

export const ONE_TIME_PASSWORD_HOURS = 72;

const MS_IN_HOUR = 3_600_000;

export const computeOneTimePasswordEnd = (now: Date): Date =>
  new Date(now.getTime() + ONE_TIME_PASSWORD_HOURS * MS_IN_HOUR);

/** The email is normalized; a blank name means none was given. */
export type InviteMember = MemberEvent<'MemberInvited'>['data'];

export interface SeatsContext {
  readonly practice: Practice;
  readonly member: Member;
  readonly hasAdmin: boolean;
}

export interface InviteContext extends SeatsContext {
  readonly now: Date;
}

/**
 * A second open invitation would take the seat and the one-time password of the first away. Only the
 * staff, who cannot withdraw one, replace it.
 */
export const inviteMember = (
  { memberId, practiceId, email, role, endsAt, byStaff, name }: InviteMember,
  { practice, member, hasAdmin, now }: InviteContext,
): Decision<MemberEvent<'MemberInvited'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const refusal = checkEmail(email);
  if (refusal !== null) return refusal;
  const parsedName = parseOptionalName(name);
  if (parsedName.kind === 'refused') return parsedName;
  // The operator must not be able to read a practice's births through a seat of their own.
  if (byStaff && hasAdmin) return refuse({ code: 'practice-has-admin' });
  if (member.status === 'seated' && member.practiceId === practiceId)
    return refuse({ code: 'seated-already', role: member.role });
  const open = member.invitations[practiceId];
  const isOpen = open !== undefined && !open.byStaff && now.getTime() < Date.parse(open.endsAt);
  if (isOpen && !byStaff) return refuse({ code: 'invited-already', role: open.role });
  return accept({
    type: 'MemberInvited',
    data: { memberId, practiceId, email, role, endsAt, byStaff, ...parsedName.details },
  });
};

export interface AcceptContext extends SeatsContext {
  readonly staff: StaffMember;
}

export const findInvitedName = (practiceId: string, member: Member): string | undefined =>
  member.invitations[practiceId]?.name ?? findEarlierName(practiceId, member);

export interface AcceptInvitation {
  readonly practiceId: string;
  readonly at: Date;
  /** Blank for none; `undefined` if the form had no name field. */
  readonly name?: string | undefined;
}

export const acceptInvitation = (
  { practiceId, at, name }: AcceptInvitation,
  { practice, member, staff, hasAdmin }: AcceptContext,
): Decision<MemberEvent<'MemberAdded'>> => {
  const invitation = member.invitations[practiceId];
  if (practice.status === 'unknown' || invitation === undefined)
    return refuse({ code: 'no-invitation' });
  const { memberId, email, role, endsAt, byStaff } = invitation;
  if (at.getTime() >= Date.parse(endsAt) || (byStaff && hasAdmin))
    return refuse({ code: 'no-invitation' });
  if (staff.status === 'known') return refuse({ code: 'own-email-of-staff' });
  if (member.status === 'seated') return refuse({ code: 'own-seat-elsewhere' });
  // A stored name is not checked again.
  const parsedName =
    name === undefined
      ? parseOptionalName('', findInvitedName(practiceId, member))
      : parseOptionalName(name);
  if (parsedName.kind === 'refused') return parsedName;
  return accept({
    type: 'MemberAdded',
    data: { memberId, practiceId, email, role, ...parsedName.details },
  });
};

/** No change if it is no longer open. */
export const withdrawInvitation = (
  practiceId: string,
  member: Member,
): Decision<MemberEvent<'InvitationWithdrawn'>> => {
  const invitation = member.invitations[practiceId];
  if (invitation === undefined) return accept();
  const { memberId } = invitation;
  return accept({ type: 'InvitationWithdrawn', data: { memberId, practiceId } });
};
