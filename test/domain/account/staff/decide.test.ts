import { addStaff } from '../../../../domain/account/staff/decide.ts';
import type { StaffEvent } from '../../../../domain/account/staff/events.ts';
import { evolve, type StaffMember, unknownStaff } from '../../../../domain/account/staff/state.ts';
import { scenarios } from '../../../support/scenarios.ts';

const fold = (events: readonly StaffEvent[]): StaffMember =>
  events.reduce<StaffMember>(evolve, unknownStaff);

const command = { staffId: 's-1', email: 'sam@registry.example', password: 'twelve chars' };
const added: StaffEvent = {
  type: 'StaffAdded',
  data: { staffId: 's-1', email: 'sam@registry.example' },
};

scenarios('adding a person to the service staff', fold, [
  {
    name: 'the person gets an account; the password is not in the log',
    given: [],
    when: (staff) => addStaff(command, { staff, member: { status: 'unknown' } }),
    expect: { kind: 'accepted', events: [added] },
  },
  {
    name: 'the same person again is no event',
    given: [added],
    when: (staff) => addStaff(command, { staff, member: { status: 'unknown' } }),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one email is one account: a member of a practice is refused',
    given: [],
    when: (staff) =>
      addStaff(command, {
        staff,
        member: {
          status: 'seated',
          memberId: 's-1',
          practiceId: 'practice',
          email: command.email,
          role: 'Admin',
        },
      }).kind,
    expect: 'refused',
  },
  {
    name: 'a short password is refused',
    given: [],
    when: (staff) =>
      addStaff({ ...command, password: 'eleven char' }, { staff, member: { status: 'unknown' } })
        .kind,
    expect: 'refused',
  },
]);
