import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SignedIn } from '../../../api/access/signed-in.ts';
import { getFormOwner, identifyFormOwner } from '../../../api/web/session/form-owner.ts';

const memberOf = (seatId: string, role: 'Provider' | 'Viewer' = 'Provider'): SignedIn => ({
  kind: 'member',
  isAuditor: false,
  memberId: 'm',
  email: 'm@cedar.example',
  name: null,
  practiceId: 'p',
  seatId,
  role,
  practice: {
    name: 'Cedar',
    sandbox: false,
    beta: false,
    requiresSecondFactor: false,
    neededItems: [],
    daysUntilDue: null,
    brokenGlass: null,
    timeZone: 'America/New_York',
    clock: '12',
  },
});
const staffOf = (seatId: string): SignedIn => ({
  kind: 'staff',
  staffId: 's',
  email: 's@registry.example',
  name: null,
  seatId,
});
const staff = staffOf('s');

const ROWS = [
  ['one’s own form', memberOf('a'), memberOf('a'), 'sender'],
  ['one’s own after a change of roles', memberOf('a'), memberOf('a', 'Viewer'), 'sender'],
  ['the form of another seat', memberOf('a'), memberOf('b'), 'another'],
  ['a member’s, sent by the staff', memberOf('a'), staff, 'another'],
  ['one’s own among the staff', staff, staffOf('s'), 'sender'],
  ['another’s among the staff', staff, staffOf('t'), 'another'],
  ['the staff’s, sent by a member', staff, memberOf('a'), 'another'],
  ['a member’s, sent by nobody', memberOf('a'), null, 'another'],
  ['a visitor’s, sent by a visitor', null, null, 'sender'],
  ['a visitor’s, sent by whoever has signed in', null, memberOf('a'), 'nobody'],
] as const;

for (const [name, opener, sender, expected] of ROWS)
  test(name, () => assert.is(identifyFormOwner(getFormOwner(opener), sender), expected));

test('a form that says nothing is nobody’s, not the visitor’s either', () => {
  for (const who of [memberOf('a'), staff, null]) assert.is(identifyFormOwner('', who), 'unsaid');
});

test.run();
