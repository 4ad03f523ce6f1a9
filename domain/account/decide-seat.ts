import { accept, type Decision, refuse } from '../decision.ts';
import { AUDITOR_ROLES, type Role } from '../roles.ts';
import { parseRequiredName } from './credentials.ts';
import type { Member } from './member.ts';
import type {
  AuditorPermissionSet,
  MemberNamed,
  MemberRemoved,
  OneTimePasswordGiven,
  SeatChanged,
} from './member-events.ts';

/** A seat of a practice, and what is known of the others. */
export interface SeatContext {
  readonly practiceId: string;
  readonly member: Member;
  /** Whether another member of the practice is an Admin: a practice keeps one. */
  readonly hasOtherAdmin: boolean;
}

/** Whether a practice may be left without an Admin: only who runs the registry decides that. */
export type LastAdmin = 'stays' | 'goes';

/** Gives a member another role. The role it has changes nothing. */
export const changeSeat = (
  role: Role,
  { practiceId, member, hasOtherAdmin }: SeatContext,
): Decision<SeatChanged> => {
  if (member.status !== 'seated' || member.practiceId !== practiceId) return NO_MEMBER;
  if (member.role === role) return accept();
  if (member.role === 'Admin' && !hasOtherAdmin) return LAST_ADMIN;
  return accept({ type: 'SeatChanged', data: { memberId: member.memberId, practiceId, role } });
};

/**
 * Gives a member the permission of an auditor, or takes it: the access log, the audit trail, history
 * and proofs, to read. What the member has already changes nothing.
 * Our choice: for a Provider or a Viewer. An Admin has it, and a Scribe sees no records.
 */
export const setAuditorPermission = (
  granted: boolean,
  { practiceId, member }: Pick<SeatContext, 'practiceId' | 'member'>,
): Decision<AuditorPermissionSet> => {
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

/**
 * Names a member within the practice of their seat. Setting the same name changes nothing; a name
 * cannot be removed.
 */
export const nameMember = (
  text: string,
  { practiceId, member }: Pick<SeatContext, 'practiceId' | 'member'>,
): Decision<MemberNamed> => {
  if (member.status !== 'seated' || member.practiceId !== practiceId) return NO_MEMBER;
  const typed = parseRequiredName(text);
  if (typed.kind === 'refused') return typed;
  const { name } = typed;
  return name === member.name
    ? accept()
    : accept({ type: 'MemberNamed', data: { memberId: member.memberId, practiceId, name } });
};

/** Takes a member's seat. A seat that is lost already stays as it is. */
export const removeMember = (
  { practiceId, member, hasOtherAdmin }: SeatContext,
  lastAdmin: LastAdmin = 'stays',
): Decision<MemberRemoved> => {
  if (member.status === 'unknown' || member.practiceId !== practiceId) return NO_MEMBER;
  if (member.status === 'removed') return accept();
  if (member.role === 'Admin' && !hasOtherAdmin && lastAdmin === 'stays') return LAST_ADMIN;
  return accept({ type: 'MemberRemoved', data: { memberId: member.memberId, practiceId } });
};

/** Gives a member a one-time password instead of a forgotten one; each time it is another. */
export const issueOneTimePassword = ({
  practiceId,
  member,
}: Pick<SeatContext, 'practiceId' | 'member'>): Decision<OneTimePasswordGiven> =>
  member.status !== 'seated' || member.practiceId !== practiceId
    ? NO_MEMBER
    : accept({ type: 'OneTimePasswordGiven', data: { memberId: member.memberId, practiceId } });

const NO_MEMBER = refuse({ code: 'no-member' });
const LAST_ADMIN = refuse({ code: 'last-admin' });
