import { addMember } from '../../../domain/account/decide-member.ts';
import { nameMember } from '../../../domain/account/decide-seat.ts';
import {
  acceptInvitation,
  findInvitedName,
  type InviteMember,
  inviteMember,
} from '../../../domain/account/invitations.ts';
import { evolve, type Member, unknownMember } from '../../../domain/account/member.ts';
import type { MemberEvent } from '../../../domain/account/member-events.ts';
import { unknownStaff } from '../../../domain/account/staff.ts';
import {
  evolve as evolvePractice,
  type Practice,
  unknownPractice,
} from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly MemberEvent[]): Member =>
  events.reduce<Member>(evolve, unknownMember);

const practiceId = 'practice';
const memberId = 'm-1';
const seat = { memberId, practiceId, email: 'ana@cedar.example', role: 'Provider' } as const;
const practice: Practice = evolvePractice(unknownPractice, {
  type: 'PracticeCreated',
  data: { practiceId, name: 'Cedar Birth Center', sandbox: false, beta: true },
});
const asked = { ...seat, endsAt: '2026-05-15T10:00:00.000Z', byStaff: false };
const at = new Date('2026-05-12T10:00:00.000Z');

const added = (name?: string, of = practiceId): MemberEvent => ({
  type: 'MemberAdded',
  data: { ...seat, practiceId: of, ...(name === undefined ? {} : { name }) },
});
const invited = (name?: string): MemberEvent => ({
  type: 'MemberInvited',
  data: { ...asked, ...(name === undefined ? {} : { name }) },
});
const named = (name: string): MemberEvent => ({
  type: 'MemberNamed',
  data: { memberId, practiceId, name },
});
const removed = (of = practiceId): MemberEvent => ({
  type: 'MemberRemoved',
  data: { memberId, practiceId: of },
});
const accepted = (...events: readonly MemberEvent[]) => ({ kind: 'accepted', events });
const noMember = { kind: 'refused', code: 'no-member' };
const notShown = { kind: 'refused', code: 'name-not-shown' };

const name =
  (text: string, of = practiceId) =>
  (member: Member) =>
    nameMember(text, { practiceId: of, member });

scenarios('naming a member', fold, [
  {
    name: 'a member gets a name',
    given: [added()],
    when: name(' Ana  Ruiz '),
    expect: accepted(named('Ana Ruiz')),
  },
  {
    name: 'the name that they have changes nothing',
    given: [added(), named('Ana Ruiz')],
    when: name('Ana Ruiz'),
    expect: accepted(),
  },
  {
    name: 'so does the one that they came with',
    given: [added('Ana Ruiz')],
    when: name('Ana Ruiz '),
    expect: accepted(),
  },
  {
    name: 'it is changed as often as needed',
    given: [added('Ana Ruiz'), named('Ana Soto')],
    when: name('Ana Ruiz'),
    expect: accepted(named('Ana Ruiz')),
  },
  {
    name: 'a name that is no name is refused',
    given: [added('Ana Ruiz')],
    when: name(' '),
    expect: { kind: 'refused', code: 'person-without-name' },
  },
  { name: 'nobody is refused', given: [], when: name('Ana'), expect: noMember },
  {
    name: 'a member of another practice is refused',
    given: [added()],
    when: name('Ana', 'another'),
    expect: noMember,
  },
  {
    name: 'who has lost the seat keeps their name',
    given: [added('Ana Ruiz'), removed()],
    when: name('Mickey'),
    expect: noMember,
  },
  {
    name: 'who was only invited is refused: they are invited anew',
    given: [invited('Ana')],
    when: name('Ana Ruiz'),
    expect: noMember,
  },
]);

const add =
  (typed?: string) =>
  (member: Member): unknown =>
    addMember(
      { ...seat, password: 'twelve chars', name: typed },
      { practice, member, staff: unknownStaff, isCommonPassword: () => false },
    );

scenarios('the name of a member who is added', fold, [
  { name: 'may be said', given: [], when: add('Ana Ruiz'), expect: accepted(added('Ana Ruiz')) },
  { name: 'may be left out', given: [], when: add(), expect: accepted(added()) },
  { name: 'is checked', given: [], when: add('Ana\u0007'), expect: notShown },
  {
    name: 'is the earlier one of that practice where none is said',
    given: [added('Ana Ruiz'), removed()],
    when: add(''),
    expect: accepted(added('Ana Ruiz')),
  },
  {
    name: 'is not the one of another practice',
    given: [added('Ana Ruiz', 'another'), removed('another')],
    when: add(),
    expect: accepted(added()),
  },
]);

const inviteWith =
  (changes: Partial<InviteMember>, now = at, hasAdmin = true) =>
  (member: Member): unknown =>
    inviteMember({ ...asked, ...changes }, { practice, member, hasAdmin, now });
const byStaff: MemberEvent = { type: 'MemberInvited', data: { ...asked, byStaff: true } };
const alreadyInvited = { kind: 'refused', code: 'invited-already', role: asked.role };

scenarios('an invitation to a practice', fold, [
  {
    name: 'is refused while there is another, whose role it names',
    given: [invited('Ana')],
    when: (member) => inviteWith({ role: 'Admin' })(member),
    expect: alreadyInvited,
  },
  {
    name: 'is refused with the same role, too, whose one-time password stays',
    given: [invited()],
    when: (member) => inviteWith({})(member),
    expect: alreadyInvited,
  },
  {
    name: 'follows one that was withdrawn',
    given: [invited(), { type: 'InvitationWithdrawn', data: { memberId, practiceId } }],
    when: (member) => inviteWith({})(member),
    expect: accepted(invited()),
  },
  {
    name: 'follows one that has expired',
    given: [invited()],
    when: (member) => inviteWith({}, new Date(asked.endsAt))(member),
    expect: accepted(invited()),
  },
  {
    name: 'follows one of the staff, which ends with an Admin',
    given: [byStaff],
    when: (member) => inviteWith({})(member),
    expect: accepted(invited()),
  },
  {
    name: 'by the staff replaces another, which they cannot withdraw',
    given: [invited()],
    when: (member) => inviteWith({ byStaff: true }, at, false)(member),
    expect: accepted(byStaff),
  },
]);

const invite =
  (typed?: string) =>
  (member: Member): unknown =>
    inviteMember(
      { ...asked, ...(typed === undefined ? {} : { name: typed }) },
      { practice, member, hasAdmin: true, now: at },
    );
const accept =
  (typed?: string) =>
  (member: Member): unknown =>
    acceptInvitation(
      { practiceId, at, name: typed },
      { practice, member, staff: unknownStaff, hasAdmin: true },
    );

scenarios('the name of a person who is invited', fold, [
  { name: 'may be said', given: [], when: invite(' Ana '), expect: accepted(invited('Ana')) },
  { name: 'may be left out', given: [], when: invite(' '), expect: accepted(invited()) },
  { name: 'is checked', given: [], when: invite('Ana\u0007'), expect: notShown },
  {
    name: 'is corrected by them when they accept',
    given: [invited('Anna')],
    when: accept('Ana Ruiz'),
    expect: accepted(added('Ana Ruiz')),
  },
  {
    name: 'is as the invitation says where they are not asked',
    given: [invited('Ana')],
    when: accept(),
    expect: accepted(added('Ana')),
  },
  {
    name: 'stays as it was stored where they are not asked',
    given: [invited('Ana \ue000')],
    when: accept(),
    expect: accepted(added('Ana \ue000')),
  },
  {
    name: 'is none if they want none',
    given: [invited('Ana')],
    when: accept(''),
    expect: accepted(added()),
  },
  {
    name: 'is checked when they accept',
    given: [invited('Ana')],
    when: accept('admin@cedar.example'),
    expect: { kind: 'refused', code: 'name-of-no-person' },
  },
  {
    name: 'is the earlier one of that practice where nobody says another',
    given: [added('Ana Ruiz'), removed(), invited()],
    when: (member) => findInvitedName(practiceId, member),
    expect: 'Ana Ruiz',
  },
  {
    name: 'does not tell what they are called elsewhere',
    given: [added('Ana Ruiz', 'another'), invited()],
    when: (member) => findInvitedName(practiceId, member),
    expect: undefined,
  },
  {
    name: 'does not change what they are called elsewhere',
    given: [added('Ana Ruiz', 'another'), invited('Mickey')],
    when: (member) => (member.status === 'seated' ? member.name : null),
    expect: 'Ana Ruiz',
  },
]);
