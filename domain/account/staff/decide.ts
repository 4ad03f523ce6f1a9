import { accept, type Decision, refuse } from '../../decision.ts';
import { type Credentials, credentialsRefusal } from '../credentials.ts';
import type { Member } from '../member/state.ts';
import type { StaffEvent } from './events.ts';
import type { StaffMember } from './state.ts';

/** Gives a person of the service staff an account. The email is normalised. */
export interface AddStaff extends Credentials {
  readonly staffId: string;
}

/** What a command on the staff leads to. */
export type StaffDecision = Decision<StaffEvent>;

/** Adds a person to the service staff. The same person again changes nothing. */
export const addStaff = (
  { staffId, email, password }: AddStaff,
  { staff, member }: { readonly staff: StaffMember; readonly member: Member },
): StaffDecision => {
  const refusal = credentialsRefusal({ email, password });
  if (refusal !== null) return refusal;
  if (member.status === 'seated') return refuse({ code: 'email-of-member' });
  if (staff.status === 'known') return accept();
  return accept({ type: 'StaffAdded', data: { staffId, email } });
};
