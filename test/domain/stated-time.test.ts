import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseStatedTime } from '../../domain/stated-time.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const NOW_S = NOW.getTime() / 1_000;

for (const [what, seconds, expected] of [
  ['of now', NOW_S, '2026-11-24T12:00:00.000Z'],
  ['of an hour ago', NOW_S - 3_600, '2026-11-24T11:00:00.000Z'],
  ['with a fraction', NOW_S - 0.5, '2026-11-24T11:59:59.500Z'],
  ['of 1970', 0, '1970-01-01T00:00:00.000Z'],
  ['by a clock that differs as much as one may', NOW_S + 180, '2026-11-24T12:03:00.000Z'],
  ['by a clock that differs more', NOW_S + 181, null],
  ['of tomorrow', NOW_S + 86_400, null],
  ['that no date has', 1e18, null],
  ['that no number of milliseconds has', 1e300, null],
  ['without end', Number.POSITIVE_INFINITY, null],
  ['before 1970', -1, null],
  ['before all dates', -8e12, null],
  ['that is no number', Number.NaN, null],
  ['as text', String(NOW_S), null],
  ['as a list', [NOW_S], null],
  ['as nothing', null, null],
  ['that is missing', undefined, null],
] as const)
  test(`a stated time ${what}: ${expected}`, () => {
    assert.is(parseStatedTime(seconds, NOW)?.toISOString() ?? null, expected);
  });

test.run();
