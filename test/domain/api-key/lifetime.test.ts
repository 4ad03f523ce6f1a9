import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  computeExpiry,
  computeLifetimeDays,
  expiresSoon,
  isReplaceable,
} from '../../../domain/api-key/lifetime.ts';

const MINTED = new Date('2026-08-26T12:00:00Z');
const END = computeExpiry(90, MINTED);
const before = (end: Date, days: number, hours = 0): Date =>
  new Date(end.getTime() - days * 86_400_000 - hours * 3_600_000);
const key: Parameters<typeof isReplaceable>[0] = {
  mintedAt: MINTED,
  endsAt: END,
  revokedAt: null,
  scopes: ['ingest:write'],
};

test('a key keeps the days that it was minted for, though its event is a moment younger', () => {
  assert.is(END.toISOString(), '2026-11-24T12:00:00.000Z');
  const mintedAt = new Date(MINTED.getTime() + 2_000);
  assert.is(computeLifetimeDays({ mintedAt, endsAt: END }), 90);
  assert.is(computeLifetimeDays({ mintedAt, endsAt: computeExpiry(365, MINTED) }), 365);
  assert.is(computeLifetimeDays({ mintedAt, endsAt: null }), null);
  assert.ok(isReplaceable({ ...key, mintedAt }, before(END, 0, 1)));
});

for (const [what, changed, now, expected] of [
  ['15 days before its end', {}, before(END, 15), false],
  ['14 days before its end', {}, before(END, 14), true],
  ['an hour before its end', {}, before(END, 0, 1), true],
  ['at its end', {}, END, false],
  ['that is revoked', { revokedAt: MINTED }, before(END, 1), false],
  ['that was replaced', { endsAt: before(END, 3) }, before(END, 4), false],
  ['without an end', { endsAt: null }, before(END, 1), false],
  ['that may do nothing', { scopes: [] }, before(END, 1), false],
] as const)
  test(`of a key ${what} the practice is ${expected ? '' : 'not '}reminded`, () => {
    assert.is(expiresSoon({ ...key, ...changed }, now), expected);
  });

for (const [what, changed, now, expected] of [
  ['without an end', { endsAt: null }, END, true],
  ['that works for its days', {}, before(END, 80), true],
  ['that has ended', {}, END, false],
  ['that was replaced', { endsAt: before(END, 30) }, before(END, 31), false],
  ['that is revoked', { revokedAt: MINTED }, before(END, 80), false],
  ['that may do nothing', { scopes: [] }, before(END, 80), false],
] as const)
  test(`a key ${what} can ${expected ? '' : 'not '}be replaced`, () => {
    assert.is(isReplaceable({ ...key, ...changed }, now), expected);
  });

test.run();
