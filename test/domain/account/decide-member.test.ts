import { type AddMember, addMember } from '../../../domain/account/decide-member.ts';
import { evolve, type Member, unknownMember } from '../../../domain/account/member.ts';
import type { MemberEvent } from '../../../domain/account/member-events.ts';
import { unknownStaff } from '../../../domain/account/staff.ts';
import type { Decision } from '../../../domain/decision.ts';
import type { Practice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly MemberEvent[]): Member =>
  events.reduce<Member>(evolve, unknownMember);

const command: AddMember = {
  memberId: 'm-1',
  practiceId: 'practice',
  email: 'ada@cedar.example',
  password: 'twelve chars',
  role: 'Provider',
};
const practice: Practice = {
  status: 'known',
  practiceId: 'practice',
  name: 'Cedar Birth Center',
  sandbox: false,
  beta: true,
  timeZone: 'America/New_York',
  isTimeZoneSet: false,
  dateOrder: null,
  clock: null,
  customFields: [],
  requiresSecondFactor: false,
  neededItems: null,
  daysUntilDue: null,
  writesEditFlags: false,
  importColumns: [],
  lastBreakGlass: null,
  singleSignOn: null,
};
const added: MemberEvent = {
  type: 'MemberAdded',
  data: { memberId: 'm-1', practiceId: 'practice', email: 'ada@cedar.example', role: 'Provider' },
};
const others = { staff: unknownStaff, isCommonPassword: () => false };
const add =
  (changes: Partial<AddMember> = {}) =>
  (member: Member): Decision<MemberEvent> =>
    addMember({ ...command, ...changes }, { practice, member, ...others });

scenarios('adding a member', fold, [
  {
    name: 'a person gets a seat; the password is not in the log',
    given: [],
    when: add(),
    expect: { kind: 'accepted', events: [added] },
  },
  {
    name: 'the same seat again is no event',
    given: [added],
    when: add(),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one email is one account: a seat in a second practice is refused',
    given: [added],
    when: (member) =>
      addMember({ ...command, practiceId: 'another' }, { practice, member, ...others }),
    expect: {
      kind: 'refused',
      code: 'email-of-another-practice',
    },
  },
  {
    name: 'another role for the same person is refused',
    given: [added],
    when: (member) => add({ role: 'Admin' })(member).kind,
    expect: 'refused',
  },
  {
    name: 'an email of the service staff is refused',
    given: [],
    when: (member) =>
      addMember(command, {
        practice,
        member,
        ...others,
        staff: { status: 'known', staffId: 'm-1', email: command.email },
      }).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice is refused',
    given: [],
    when: (member) =>
      addMember(command, {
        practice: { status: 'unknown' },
        member,
        ...others,
      }).kind,
    expect: 'refused',
  },
  {
    name: 'an implausible email is refused',
    given: [],
    when: (member) => add({ email: 'ada' })(member).kind,
    expect: 'refused',
  },
]);
