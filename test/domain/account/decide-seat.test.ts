import {
  changeSeat,
  issueOneTimePassword,
  removeMember,
  setAuditorPermission,
} from '../../../domain/account/decide-seat.ts';
import { evolve, type Member, unknownMember } from '../../../domain/account/member.ts';
import type { MemberEvent } from '../../../domain/account/member-events.ts';
import type { Role } from '../../../domain/roles.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly MemberEvent[]): Member =>
  events.reduce<Member>(evolve, unknownMember);

const practiceId = 'practice';
const memberId = 'm-1';
const added = (role: Role): MemberEvent => ({
  type: 'MemberAdded',
  data: { memberId, practiceId, email: 'ada@cedar.example', role },
});
const changed = (role: Role): MemberEvent => ({
  type: 'SeatChanged',
  data: { memberId, practiceId, role },
});
const removed: MemberEvent = { type: 'MemberRemoved', data: { memberId, practiceId } };

const change =
  (role: Role, hasOtherAdmin = true, at = practiceId) =>
  (member: Member) =>
    changeSeat(role, { practiceId: at, member, hasOtherAdmin });
const remove =
  (hasOtherAdmin = true, at = practiceId) =>
  (member: Member) =>
    removeMember({ practiceId: at, member, hasOtherAdmin });

const nothing = { kind: 'accepted', events: [] };
const noMember = {
  kind: 'refused',
  code: 'no-member',
};
const lastAdmin = {
  kind: 'refused',
  code: 'last-admin',
};

scenarios('changing a seat', fold, [
  {
    name: 'a member gets another role',
    given: [added('Scribe')],
    when: change('Provider', false),
    expect: { kind: 'accepted', events: [changed('Provider')] },
  },
  {
    name: 'the role that it has changes nothing, the last Admin included',
    given: [added('Scribe'), changed('Admin')],
    when: change('Admin', false),
    expect: nothing,
  },
  {
    name: 'an Admin beside another is demoted',
    given: [added('Admin')],
    when: change('Viewer'),
    expect: { kind: 'accepted', events: [changed('Viewer')] },
  },
  {
    name: 'the last Admin cannot be demoted',
    given: [added('Admin')],
    when: change('Viewer', false),
    expect: lastAdmin,
  },
  { name: 'nobody is refused', given: [], when: change('Viewer'), expect: noMember },
  {
    name: 'a member of another practice is refused',
    given: [added('Scribe')],
    when: change('Viewer', true, 'another'),
    expect: noMember,
  },
  {
    name: 'a former member is refused',
    given: [added('Scribe'), removed],
    when: change('Viewer'),
    expect: noMember,
  },
]);

scenarios('removing a member', fold, [
  {
    name: 'the seat is lost',
    given: [added('Scribe')],
    when: remove(false),
    expect: { kind: 'accepted', events: [removed] },
  },
  {
    name: 'again changes nothing',
    given: [added('Scribe'), removed],
    when: remove(),
    expect: nothing,
  },
  {
    name: 'the last Admin cannot be removed',
    given: [added('Scribe'), changed('Admin')],
    when: remove(false),
    expect: lastAdmin,
  },
  {
    name: 'an Admin beside another is removed',
    given: [added('Admin')],
    when: remove(),
    expect: { kind: 'accepted', events: [removed] },
  },
  { name: 'nobody is refused', given: [], when: remove(), expect: noMember },
  {
    name: 'a member of another practice is refused',
    given: [added('Scribe')],
    when: remove(true, 'another'),
    expect: noMember,
  },
  {
    name: 'a former member may be added anew',
    given: [added('Admin'), removed, added('Viewer')],
    when: (member) => (member.status === 'seated' ? member.role : null),
    expect: 'Viewer',
  },
]);

const permission = (granted: boolean): MemberEvent => ({
  type: 'AuditorPermissionSet',
  data: { memberId, practiceId, granted },
});
const permit =
  (granted: boolean, at = practiceId) =>
  (member: Member) =>
    setAuditorPermission(granted, { practiceId: at, member });
const refusedFor = (role: Role) => ({ kind: 'refused', code: 'no-role-of-auditors', role });
const isAuditor = (member: Member) => member.status !== 'unknown' && member.isAuditor;

scenarios('the permission of an auditor', fold, [
  {
    name: 'a Viewer is given it',
    given: [added('Viewer')],
    when: permit(true),
    expect: { kind: 'accepted', events: [permission(true)] },
  },
  {
    name: 'a Provider is given it',
    given: [added('Provider')],
    when: permit(true),
    expect: { kind: 'accepted', events: [permission(true)] },
  },
  {
    name: 'to give it again changes nothing',
    given: [added('Viewer'), permission(true)],
    when: permit(true),
    expect: nothing,
  },
  {
    name: 'it is taken',
    given: [added('Viewer'), permission(true)],
    when: permit(false),
    expect: { kind: 'accepted', events: [permission(false)] },
  },
  {
    name: 'to take it from one without it changes nothing, a Scribe included',
    given: [added('Scribe')],
    when: permit(false),
    expect: nothing,
  },
  {
    name: 'a Scribe sees no records and is refused it',
    given: [added('Scribe')],
    when: permit(true),
    expect: refusedFor('Scribe'),
  },
  {
    name: 'an Admin needs none',
    given: [added('Admin')],
    when: permit(true),
    expect: refusedFor('Admin'),
  },
  {
    name: 'it stays with another seat that reads records',
    given: [added('Viewer'), permission(true), changed('Provider')],
    when: isAuditor,
    expect: true,
  },
  {
    name: 'it lapses when the seat becomes a Scribe’s, and does not come back with another seat',
    given: [added('Viewer'), permission(true), changed('Scribe'), changed('Viewer')],
    when: isAuditor,
    expect: false,
  },
  {
    name: 'it lapses when the seat becomes an Admin’s',
    given: [added('Viewer'), permission(true), changed('Admin'), changed('Viewer')],
    when: isAuditor,
    expect: false,
  },
  {
    name: 'a new seat comes without it',
    given: [added('Viewer'), permission(true), removed, added('Viewer')],
    when: isAuditor,
    expect: false,
  },
  { name: 'nobody is refused', given: [], when: permit(true), expect: noMember },
  {
    name: 'a member of another practice is refused',
    given: [added('Viewer')],
    when: permit(true, 'another'),
    expect: noMember,
  },
  {
    name: 'a former member is refused',
    given: [added('Viewer'), removed],
    when: permit(true),
    expect: noMember,
  },
]);

const give =
  (at = practiceId) =>
  (member: Member) =>
    issueOneTimePassword({ practiceId: at, member });
const given: MemberEvent = { type: 'OneTimePasswordGiven', data: { memberId, practiceId } };

scenarios('giving a one-time password', fold, [
  {
    name: 'a member gets one',
    given: [added('Admin')],
    when: give(),
    expect: { kind: 'accepted', events: [given] },
  },
  {
    name: 'a member who was given one gets another',
    given: [added('Scribe'), given],
    when: give(),
    expect: { kind: 'accepted', events: [given] },
  },
  {
    name: 'who has lost the seat gets none',
    given: [added('Viewer'), removed],
    when: give(),
    expect: noMember,
  },
  {
    name: 'a member of another practice gets none',
    given: [added('Viewer')],
    when: give('another'),
    expect: noMember,
  },
]);
