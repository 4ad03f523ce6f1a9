import { accept, type Decision, refuse } from '../decision.ts';
import {
  type Credentials,
  checkEmail,
  checkPassword,
  type IsCommonPassword,
} from './credentials.ts';
import type { Member } from './member.ts';
import { parseOptionalName, parseRequiredName } from './person-name.ts';
import type { StaffMember } from './staff.ts';
import type { StaffEvent } from './staff-events.ts';

/** The email is normalized. */
export interface AddStaff extends Credentials {
  readonly staffId: string;
  /** Absent or blank for none. */
  readonly name?: string | undefined;
}

export const addStaff = (
  { staffId, email, password, name }: AddStaff,
  {
    staff,
    member,
    isCommonPassword,
  }: {
    readonly staff: StaffMember;
    readonly member: Member;
    readonly isCommonPassword: IsCommonPassword;
  },
): Decision<StaffEvent> => {
  const refusal =
    checkEmail(email) ?? checkPassword(password, { email, practice: null }, isCommonPassword);
  if (refusal !== null) return refusal;
  const parsedName = parseOptionalName(name, staff.status === 'unknown' ? undefined : staff.name);
  if (parsedName.kind === 'refused') return parsedName;
  if (member.status === 'seated') return refuse({ code: 'email-of-member' });
  if (staff.status === 'known') return accept();
  return accept({ type: 'StaffAdded', data: { staffId, email, ...parsedName.details } });
};

export const nameStaff = (text: string, staff: StaffMember): Decision<StaffEvent<'StaffNamed'>> => {
  if (staff.status !== 'known') return NO_STAFF;
  const parsedName = parseRequiredName(text);
  if (parsedName.kind === 'refused') return parsedName;
  const { name } = parsedName;
  return name === staff.name
    ? accept()
    : accept({ type: 'StaffNamed', data: { staffId: staff.staffId, name } });
};

export const removeStaff = (staff: StaffMember): Decision<StaffEvent<'StaffRemoved'>> => {
  if (staff.status === 'unknown') return NO_STAFF;
  if (staff.status === 'removed') return accept();
  return accept({ type: 'StaffRemoved', data: { staffId: staff.staffId } });
};

export const issueStaffPassword = (
  staff: StaffMember,
): Decision<StaffEvent<'StaffPasswordGiven'>> =>
  staff.status === 'known'
    ? accept({ type: 'StaffPasswordGiven', data: { staffId: staff.staffId } })
    : NO_STAFF;

const NO_STAFF = refuse({ code: 'no-staff' });
