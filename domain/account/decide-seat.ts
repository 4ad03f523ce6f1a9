import { accept, type Decision, refuse } from '../decision.ts';
import { AUDITOR_ROLES, type Role } from '../roles.ts';
import type { Member } from './member.ts';
import type { MemberEvent } from './member-events.ts';
import { parseRequiredName } from './person-name.ts';

export interface SeatContext {
  readonly practiceId: string;
  readonly member: Member;
  /** True if another member of the practice is an Admin. A practice must keep at least one. */
  readonly hasOtherAdmin: boolean;
}

/** Only the operator may remove the last Admin of a practice. */
export type LastAdmin = 'required' | 'removable';

/** No change if the member already has the role. */
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
 * Grants or revokes the auditor permission: read access to the access log, the audit trail, history, and
 * proofs.
 * Our choice: only a Provider or a Viewer can be granted it. An Admin already has that access, and a Scribe
 * cannot see records.
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

/** Sets the display name of a member in this practice. A name can be changed, but not removed. */
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

/** No change if the seat was already removed. */
export const removeMember = (
  { practiceId, member, hasOtherAdmin }: SeatContext,
  lastAdmin: LastAdmin = 'required',
): Decision<MemberEvent<'MemberRemoved'>> => {
  if (member.status === 'unknown' || member.practiceId !== practiceId) return NO_MEMBER;
  if (member.status === 'removed') return accept();
  if (member.role === 'Admin' && !hasOtherAdmin && lastAdmin === 'required') return LAST_ADMIN;
  return accept({ type: 'MemberRemoved', data: { memberId: member.memberId, practiceId } });
};

/** Replaces a forgotten password with a one-time password; each call creates a new one. */
export const issueOneTimePassword = ({
  practiceId,
  member,
}: Pick<SeatContext, 'practiceId' | 'member'>): Decision<MemberEvent<'OneTimePasswordGiven'>> =>
  member.status !== 'seated' || member.practiceId !== practiceId
    ? NO_MEMBER
    : accept({ type: 'OneTimePasswordGiven', data: { memberId: member.memberId, practiceId } });

const NO_MEMBER = refuse({ code: 'no-member' });
const LAST_ADMIN = refuse({ code: 'last-admin' });
