import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPracticeClock } from '../../../api/practice-time/practice-clock.ts';

const EVENING = new Date('2026-05-13T02:30:00Z');

test('the day is that of the practice', () => {
  assert.is(createPracticeClock('America/New_York', EVENING).today, '2026-05-12');
  assert.is(createPracticeClock('Pacific/Guam', EVENING).today, '2026-05-13');
});

test('the offset follows summer time', () => {
  const { offsetAt } = createPracticeClock('America/New_York', EVENING);
  assert.is(offsetAt('2026-05-12T14:05:00'), '-04:00');
  assert.is(offsetAt('2026-01-12T14:05:00'), '-05:00');
});

test('an hour that comes twice is the first one; one that never was has an offset too', () => {
  const { offsetAt } = createPracticeClock('America/New_York', EVENING);
  assert.is(offsetAt('2026-11-01T01:30:00'), '-04:00');
  assert.is(offsetAt('2026-03-08T02:30:00'), '-04:00');
});

test('what is no time has no offset', () => {
  const { offsetAt } = createPracticeClock('America/New_York', EVENING);
  for (const wrong of ['', 'noon', '2026-02-30T10:00:00']) assert.is(offsetAt(wrong), null);
});

test.run();
