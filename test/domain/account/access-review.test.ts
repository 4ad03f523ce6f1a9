import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isDormant,
  reviewAccess,
  reviewStaffAccess,
} from '../../../domain/account/access-review.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

for (const [account, expected] of [
  [{ lastSignInAt: daysAgo(89), since: daysAgo(400) }, false],
  [{ lastSignInAt: daysAgo(90), since: daysAgo(400) }, true],
  [{ lastSignInAt: null, since: daysAgo(89) }, false],
  [{ lastSignInAt: null, since: daysAgo(90) }, true],
] as const)
  test(`signed in ${account.lastSignInAt?.toISOString() ?? 'never'}, since ${account.since.toISOString()}: ${expected ? 'dormant' : 'in use'}`, () => {
    assert.is(isDormant(account, NOW), expected);
  });

const admin = { memberId: 'm-1', role: 'Admin' } as const;
const viewer = { memberId: 'm-2', role: 'Viewer' } as const;
const outdated = { kind: 'refused', code: 'review-outdated' };

for (const [what, seen, held, isNoted] of [
  ['the seats there are, in another order', [viewer, admin], [admin, viewer], true],
  ['one seat too few', [admin], [admin, viewer], false],
  ['a seat that was taken meanwhile', [admin, viewer], [admin], false],
  ['another role', [{ ...admin, role: 'Viewer' }], [admin], false],
] as const)
  test(`a review of ${what} is ${isNoted ? 'noted' : 'refused'}`, () => {
    const decision = reviewAccess('p-1', NOW, seen, held);
    if (!isNoted) assert.equal(decision, outdated);
    else
      assert.equal(decision, {
        kind: 'accepted',
        events: [
          {
            type: 'AccessReviewed',
            data: { practiceId: 'p-1', at: NOW.toISOString(), seats: held },
          },
        ],
      });
  });

test('a review of the staff names who has looked, and everybody who keeps their account', () => {
  assert.equal(reviewStaffAccess('s-1', NOW, ['s-2', 's-1'], ['s-1', 's-2']), {
    kind: 'accepted',
    events: [
      {
        type: 'StaffAccessReviewed',
        data: { staffId: 's-1', at: NOW.toISOString(), people: ['s-1', 's-2'] },
      },
    ],
  });
  assert.equal(reviewStaffAccess('s-1', NOW, ['s-1'], ['s-1', 's-2']), outdated);
});

test.run();
