import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isStale, normalizeInstant } from '../../../../domain/course/stamps.ts';
import { readStamp } from '../../../../domain/mapping/bfdr/course-mapper.ts';

for (const [text, expected] of [
  ['2019-02-11T02:05:44.434Z', '2019-02-11T02:05:44.434000000Z'],
  ['2024-11-14T13:18:42.470213-05:00', '2024-11-14T18:18:42.470213000Z'],
  ['2024-11-14T13:18:42.4702131-05:00', '2024-11-14T18:18:42.470213100Z'],
  ['2024-12-31T23:59:60Z', '2025-01-01T00:00:00.000000000Z'],
  ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000000000Z'],
  ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000000000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000000Z'],
  ['9999-12-31T23:59:59-01:00', null],
  ['0001-01-01T00:00:00+01:00', null],
  ['2026-03-01', null],
  ['yesterday', null],
  ['2026-02-30T10:00:00Z', null],
] as const) {
  test(`the instant of ${text} is ${expected}`, () => {
    assert.is(normalizeInstant(text), expected);
  });
}

for (const [name, bundle, expected] of [
  [
    'meta.lastUpdated comes before timestamp',
    { meta: { lastUpdated: '2023-07-07T02:39:35Z' }, timestamp: '2019-02-11T02:05:44Z' },
    '2023-07-07T02:39:35.000000000Z',
  ],
  [
    'an unparseable meta.lastUpdated is dropped for the timestamp',
    { meta: { lastUpdated: 'soon' }, timestamp: '2019-02-11T02:05:44Z' },
    '2019-02-11T02:05:44.000000000Z',
  ],
  ['neither: no stamp', { meta: { lastUpdated: 3 } }, null],
  ['a meta that is no object: no stamp', { meta: [1] }, null],
] as const) {
  test(name, () => {
    assert.is(readStamp(bundle), expected);
  });
}

const instant = (text: string) => normalizeInstant(text);

for (const [name, candidate, held, stale] of [
  ['an older stamp is stale', '2026-03-01T09:59:59Z', '2026-03-01T10:00:00Z', true],
  [
    'older by the seventh digit is stale',
    '2026-03-01T10:00:00.1234566Z',
    '2026-03-01T10:00:00.1234567Z',
    true,
  ],
  ['a fraction is later than none', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.5Z', true],
  ['an equal stamp is not stale', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z', false],
  [
    'the same instant in another offset is not stale',
    '2026-03-01T05:00:00-05:00',
    '2026-03-01T10:00:00.000Z',
    false,
  ],
  ['instants are compared, not texts', '2026-03-01T23:00:00+14:00', '2026-03-01T10:00:00Z', true],
  ['a later stamp is not stale', '2026-03-01T10:00:01Z', '2026-03-01T10:00:00Z', false],
] as const) {
  test(name, () => {
    assert.is(isStale(instant(candidate), instant(held)), stale);
  });
}

test('a missing stamp is not stale, and nothing is stale against a missing one', () => {
  assert.is(isStale(null, instant('2026-03-01T10:00:00Z')), false);
  assert.is(isStale(instant('2026-03-01T10:00:00Z'), null), false);
});

test.run();
