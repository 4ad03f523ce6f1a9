import {
  addStaff,
  issueStaffPassword,
  nameStaff,
  removeStaff,
} from '../../../domain/account/decide-staff.ts';
import { unknownMember } from '../../../domain/account/member.ts';
import { evolve, type StaffMember, unknownStaff } from '../../../domain/account/staff.ts';
import type { StaffEvent } from '../../../domain/account/staff-events.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly StaffEvent[]): StaffMember =>
  events.reduce<StaffMember>(evolve, unknownStaff);

const command = { staffId: 's-1', email: 'sam@registry.example', password: 'twelve chars' };
const isCommonPassword = () => false;
const removed: StaffEvent = { type: 'StaffRemoved', data: { staffId: 's-1' } };
const added: StaffEvent = {
  type: 'StaffAdded',
  data: { staffId: 's-1', email: 'sam@registry.example' },
};

scenarios('adding a person to the service staff', fold, [
  {
    name: 'the person gets an account; the password is not in the log',
    given: [],
    when: (staff) => addStaff(command, { staff, member: unknownMember, isCommonPassword }),
    expect: { kind: 'accepted', events: [added] },
  },
  {
    name: 'the same person again is no event',
    given: [added],
    when: (staff) => addStaff(command, { staff, member: unknownMember, isCommonPassword }),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one who has left is added anew',
    given: [added, removed],
    when: (staff) => addStaff(command, { staff, member: unknownMember, isCommonPassword }),
    expect: { kind: 'accepted', events: [added] },
  },
  {
    name: 'a common password is refused',
    given: [],
    when: (staff) =>
      addStaff(command, { staff, member: unknownMember, isCommonPassword: () => true }),
    expect: { kind: 'refused', code: 'password-common' },
  },
  {
    name: 'one email is one account: a member of a practice is refused',
    given: [],
    when: (staff) =>
      addStaff(command, {
        staff,
        member: {
          status: 'seated',
          isAuditor: false,
          memberId: 's-1',
          practiceId: 'practice',
          email: command.email,
          role: 'Admin',
          invitations: {},
        },
        isCommonPassword,
      }).kind,
    expect: 'refused',
  },
  {
    name: 'a short password is refused',
    given: [],
    when: (staff) =>
      addStaff(
        { ...command, password: 'eleven char' },
        { staff, member: unknownMember, isCommonPassword },
      ).kind,
    expect: 'refused',
  },
]);

const noStaff = { kind: 'refused', code: 'no-staff' };

scenarios('shutting an account of the service staff', fold, [
  {
    name: 'the person leaves',
    given: [added],
    when: removeStaff,
    expect: { kind: 'accepted', events: [removed] },
  },
  {
    name: 'one who has left already stays so',
    given: [added, removed],
    when: removeStaff,
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one who was added anew leaves again',
    given: [added, removed, added],
    when: removeStaff,
    expect: { kind: 'accepted', events: [removed] },
  },
  { name: 'somebody else is refused', given: [], when: removeStaff, expect: noStaff },
  {
    name: 'a one-time password is given, each time another',
    given: [added, { type: 'StaffPasswordGiven', data: { staffId: 's-1' } }],
    when: issueStaffPassword,
    expect: {
      kind: 'accepted',
      events: [{ type: 'StaffPasswordGiven', data: { staffId: 's-1' } }],
    },
  },
  {
    name: 'who has left gets no password',
    given: [added, removed],
    when: issueStaffPassword,
    expect: noStaff,
  },
]);

const addedAs = (name: string): StaffEvent => ({
  type: 'StaffAdded',
  data: { staffId: 's-1', email: 'sam@registry.example', name },
});
const named = (name: string): StaffEvent => ({
  type: 'StaffNamed',
  data: { staffId: 's-1', name },
});
const addAs = (name: string) => (staff: StaffMember) =>
  addStaff({ ...command, name }, { staff, member: unknownMember, isCommonPassword });
const nameAs = (name: string) => (staff: StaffMember) => nameStaff(name, staff);

scenarios('naming a person of the service staff', fold, [
  {
    name: 'the name may be said with the account',
    given: [],
    when: addAs(' Sam  Reyes'),
    expect: { kind: 'accepted', events: [addedAs('Sam Reyes')] },
  },
  {
    name: 'who is added anew keeps their name',
    given: [addedAs('Sam Reyes'), removed],
    when: addAs(''),
    expect: { kind: 'accepted', events: [addedAs('Sam Reyes')] },
  },
  {
    name: 'what is no name makes no account',
    given: [],
    when: addAs('sam@registry.example'),
    expect: { kind: 'refused', code: 'name-of-no-person' },
  },
  {
    name: 'a person gets a name, and another',
    given: [added, named('Sam')],
    when: nameAs('Sam Reyes'),
    expect: { kind: 'accepted', events: [named('Sam Reyes')] },
  },
  {
    name: 'the name that they have changes nothing',
    given: [added, named('Sam Reyes')],
    when: nameAs(' Sam Reyes'),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a name that is no name is refused',
    given: [added],
    when: nameAs(''),
    expect: { kind: 'refused', code: 'person-without-name' },
  },
  { name: 'nobody is refused', given: [], when: nameAs('Sam'), expect: noStaff },
  {
    name: 'who has left keeps their name',
    given: [addedAs('Sam Reyes'), removed],
    when: nameAs('Sam'),
    expect: noStaff,
  },
]);
