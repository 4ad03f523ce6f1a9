import { accept, type Decision, refuse } from '../decision.ts';
import { AUDITOR_ROLES, type Role } from '../roles.ts';
import type { Member } from './member.ts';
import type { MemberEvent } from './member-events.ts';
import { parseRequiredName } from './person-name.ts';

export interface SeatContext {
  readonly practiceId: string;
  readonly member: Member;
  /** A practice must keep at least one. */
  readonly hasOtherAdmin: boolean;
}

/** Only the operator may remove the last Admin of a practice. */
export type LastAdmin = 'required' | 'removable';

export const changeSeat = (
  role: Role,
  { practiceId, member, hasOtherAdmin }: SeatContext,
): Decision<MemberEvent<'SeatChanged'>> => {
  if (member.status !== 'seated' || member.practiceId !== practiceId) return NO_MEMBER;
  if (member.role === role) return accept();
  if (member.role === 'Admin' && !hasOtherAdmin) return LAST_ADMIN;
  return accept({ type: 'SeatChanged', data: { memberId: member.memberId, practiceId, role } });
};

/**
 * Our choice: only a Provider or a Viewer can be granted it. An Admin already has that access, and a
 * Scribe cannot see records.
 */
export const setAuditorPermission = (
  granted: boolean,
  { practiceId, member }: Pick<SeatContext, 'practiceId' | 'member'>,
): Decision<MemberEvent<'AuditorPermissionSet'>> => {
  if (member.status !== 'seated' || member.practiceId !== practiceId) return NO_MEMBER;
  if (granted && !AUDITOR_ROLES.includes(member.role))
    return refuse({ code: 'no-role-of-auditors', role: member.role });
  return granted === member.isAuditor
    ? accept()
    : accept({
        type: 'AuditorPermissionSet',
        data: { memberId: member.memberId, practiceId, granted },
      });
};

/** A name can be changed, but not removed. */
export const nameMember = (
  text: string,
  { practiceId, member }: Pick<SeatContext, 'practiceId' | 'member'>,
): Decision<MemberEvent<'MemberNamed'>> => {
  if (member.status !== 'seated' || member.practiceId !== practiceId) return NO_MEMBER;
  const parsedName = parseRequiredName(text);
  if (parsedName.kind === 'refused') return parsedName;
  const { name } = parsedName;
  return name === member.name
    ? accept()
    : accept({ type: 'MemberNamed', data: { memberId: member.memberId, practiceId, name } });
};

export const removeMember = (
  { practiceId, member, hasOtherAdmin }: SeatContext,
  lastAdmin: LastAdmin = 'required',
): Decision<MemberEvent<'MemberRemoved'>> => {
  if (member.status === 'unknown' || member.practiceId !== practiceId) return NO_MEMBER;
  if (member.status === 'removed') return accept();
  if (member.role === 'Admin' && !hasOtherAdmin && lastAdmin === 'required') return LAST_ADMIN;
  return accept({ type: 'MemberRemoved', data: { memberId: member.memberId, practiceId } });
};

export const issueOneTimePassword = ({
  practiceId,
  member,
}: Pick<SeatContext, 'practiceId' | 'member'>): Decision<MemberEvent<'OneTimePasswordGiven'>> =>
  member.status !== 'seated' || member.practiceId !== practiceId
    ? NO_MEMBER
    : accept({ type: 'OneTimePasswordGiven', data: { memberId: member.memberId, practiceId } });

const NO_MEMBER = refuse({ code: 'no-member' });
const LAST_ADMIN = refuse({ code: 'last-admin' });
