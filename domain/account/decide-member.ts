import { accept, type Decision, refuse } from '../decision.ts';
import type { Practice } from '../practice/state.ts';
import type { Role } from '../roles.ts';
import {
  type Credentials,
  checkEmail,
  checkPassword,
  type IsCommonPassword,
} from './credentials.ts';
import { findEarlierName, type Member } from './member.ts';
import type { MemberEvent } from './member-events.ts';
import { parseOptionalName } from './person-name.ts';
import type { StaffMember } from './staff.ts';

/** The email is normalized. */
export interface AddMember extends Credentials {
  readonly memberId: string;
  readonly practiceId: string;
  readonly role: Role;
  /** Absent or blank for none. */
  readonly name?: string | undefined;
}

export interface AddMemberContext {
  readonly practice: Practice;
  readonly member: Member;
  readonly staff: StaffMember;
  readonly isCommonPassword: IsCommonPassword;
}

/** Our choice: one email is one account of the whole service, with one seat. */
export const addMember = (
  { memberId, practiceId, email, password, role, name }: AddMember,
  { practice, member, staff, isCommonPassword }: AddMemberContext,
): Decision<MemberEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const owner = { email, practice: practice.name };
  const refusal = checkEmail(email) ?? checkPassword(password, owner, isCommonPassword);
  if (refusal !== null) return refusal;
  const parsedName = parseOptionalName(name, findEarlierName(practiceId, member));
  if (parsedName.kind === 'refused') return parsedName;
  if (staff.status === 'known') return refuse({ code: 'email-of-staff' });
  if (member.status !== 'seated')
    return accept({
      type: 'MemberAdded',
      data: { memberId, practiceId, email, role, ...parsedName.details },
    });
  if (member.practiceId !== practiceId) return refuse({ code: 'email-of-another-practice' });
  if (member.role !== role) return refuse({ code: 'member-with-another-role', role: member.role });
  return accept();
};
