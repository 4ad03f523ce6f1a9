import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAsOfDate, toWallClock } from '../../api/pages/records/history/as-of-date.ts';

const table = suite('a moment that somebody asks for');

const NOW = new Date('2026-11-20T12:00:00Z');
const NEW_YORK = 'America/New_York';

const rows: readonly (readonly [name: string, text: string, instant: string | null])[] = [
  ['a minute counts to its end', '2026-05-12T14:03', '2026-05-12T18:03:59.999Z'],
  ['a space stands for the T', '2026-05-12 14:03', '2026-05-12T18:03:59.999Z'],
  ['winter time has another offset', '2026-01-12T14:03', '2026-01-12T19:03:59.999Z'],
  ['of a day alone the whole day counts', '2026-05-12', '2026-05-13T03:59:59.999Z'],
  [
    'the hour that spring leaves out is told by the one after',
    '2026-03-08T02:30',
    '2026-03-08T07:30:59.999Z',
  ],
  ['of an hour that comes twice the second counts', '2026-11-01T01:30', '2026-11-01T06:30:59.999Z'],
  ['an instant counts as it is', '2026-05-12T18:03:27.123Z', '2026-05-12T18:03:27.123Z'],
  ['the minute that has begun has come', '2026-11-20T07:00', '2026-11-20T12:00:59.999Z'],
  ['of today what has passed of it counts', '2026-11-20', '2026-11-20T12:00:00.000Z'],
  ['tomorrow has not come', '2026-11-21', null],
  ['the next minute has not', '2026-11-20T07:01', null],
  ['30 February is not in the calendar', '2026-02-30T10:00', null],
  ['hour 25 is not on the clock', '2026-02-03T25:00', null],
  ['words are no moment', 'yesterday', null],
];

for (const [name, text, instant] of rows)
  table(name, () => {
    const asked = parseAsOfDate(text, NEW_YORK, NOW);
    assert.is(asked.kind === 'moment' ? asked.at.toISOString() : null, instant);
    assert.is(asked.kind, instant === null ? 'wrong' : 'moment');
  });

table('in the first of two hours its own minute counts', () => {
  const asked = parseAsOfDate('2026-11-01T01:30', NEW_YORK, new Date('2026-11-01T05:45:00Z'));
  assert.is(asked.kind === 'moment' && asked.at.toISOString(), '2026-11-01T05:30:59.999Z');
});

table('nothing asks for now', () => {
  assert.equal(parseAsOfDate(' ', NEW_YORK, NOW), { kind: 'none' });
});

table('a moment goes back into the input as its wall clock', () => {
  assert.is(toWallClock(new Date('2026-05-12T18:03:59.999Z'), NEW_YORK), '2026-05-12T14:03');
});

table.run();
