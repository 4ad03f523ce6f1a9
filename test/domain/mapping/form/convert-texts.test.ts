import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPracticeClock } from '../../../../api/practice-time/practice-clock.ts';
import { convertTexts, type TextSettings } from '../../../../domain/mapping/form/convert-texts.ts';

const converting = suite('texts of a form that was typed under other settings');

const NOW = new Date('2026-05-20T03:00:00Z');
const EASTERN: TextSettings = { timeZone: 'America/New_York', dateOrder: 'month-first' };
const PACIFIC: TextSettings = { timeZone: 'America/Los_Angeles', dateOrder: 'month-first' };
const ARIZONA: TextSettings = { timeZone: 'America/Phoenix', dateOrder: 'month-first' };
const DETROIT: TextSettings = { timeZone: 'America/Detroit', dateOrder: 'month-first' };
const LONDON: TextSettings = { timeZone: 'Europe/London', dateOrder: 'day-first' };
const DATE = 'children.0.birth_date';
const TIME = 'children.0.birth_time';
const CONSENT = 'consent.date_time';
const MOTHER = 'mother.birth_date';

const clockOf = ({ timeZone, dateOrder }: TextSettings) =>
  createPracticeClock(timeZone, NOW, dateOrder);

for (const [what, from, to, typed, changed] of [
  [
    'a time is the same moment',
    EASTERN,
    PACIFIC,
    { [DATE]: '5/12/2026', [TIME]: '2:05 pm' },
    { [TIME]: '11:05 am' },
  ],
  [
    'a time to the second',
    EASTERN,
    PACIFIC,
    { [DATE]: '5/12/2026', [TIME]: '14:05:09' },
    { [TIME]: '11:05:09 am' },
  ],
  [
    'a time on another day keeps the date of birth',
    EASTERN,
    PACIFIC,
    { [DATE]: '5/12/2026', [TIME]: '1 am' },
    { [TIME]: 'May 11, 2026, 10:00 pm' },
  ],
  [
    'a time with its own date',
    EASTERN,
    PACIFIC,
    { [DATE]: 'May 11, 2026', [TIME]: '5/12/2026 1:05 am' },
    { [TIME]: '10:05 pm' },
  ],
  [
    'a time with its zone',
    EASTERN,
    PACIFIC,
    { [DATE]: '5/12/2026', [TIME]: '2:05 pm EDT' },
    { [TIME]: '11:05 am' },
  ],
  [
    'a time with an offset of its own',
    EASTERN,
    PACIFIC,
    { [TIME]: '2026-05-12T14:05:00-05:00' },
    {},
  ],
  [
    'a time of a zone that the earlier clock did not show',
    EASTERN,
    PACIFIC,
    { [DATE]: '5/12/2026', [TIME]: '2:05 pm PDT' },
    {},
  ],
  ['a time without a date', EASTERN, PACIFIC, { [TIME]: '2:05 pm' }, {}],
  ['an unknown time', EASTERN, PACIFIC, { [DATE]: '5/12/2026', [TIME]: 'unknown' }, {}],
  [
    'a time of a zone with the same clock',
    EASTERN,
    DETROIT,
    { [DATE]: '5/12/2026', [TIME]: '1405' },
    {},
  ],
  [
    'the second of a repeated hour',
    EASTERN,
    ARIZONA,
    { [DATE]: '11/2/2025', [TIME]: '1:30 am second' },
    { [TIME]: 'Nov 1, 2025, 11:30 pm' },
  ],
  [
    'an hour that repeats in the later zone',
    ARIZONA,
    PACIFIC,
    { [DATE]: '11/2/2025', [TIME]: '2:30 am' },
    { [TIME]: '1:30 am second' },
  ],
  [
    'a repeated hour without an answer is asked about',
    EASTERN,
    ARIZONA,
    { [DATE]: '11/2/2025', [TIME]: '1:30 am' },
    { [TIME]: '1:30 am -04:00' },
  ],
  ['a repeated hour of both', EASTERN, DETROIT, { [DATE]: '11/2/2025', [TIME]: '1:30 am' }, {}],
  [
    'a skipped hour is asked about',
    EASTERN,
    ARIZONA,
    { [DATE]: '3/8/2026', [TIME]: '2:30 am' },
    { [TIME]: '2:30 am -04:00' },
  ],
  [
    'the time of the consent',
    EASTERN,
    PACIFIC,
    { [CONSENT]: '5/12/2026 2:05 pm' },
    { [CONSENT]: 'May 12, 2026, 11:05 am' },
  ],
  ['the day of the consent', EASTERN, PACIFIC, { [CONSENT]: '5/12/2026' }, {}],
  [
    'a date in the other order',
    EASTERN,
    LONDON,
    { [MOTHER]: '5/12/1994', [DATE]: '5/13/2026', [CONSENT]: '5/12/2026' },
    { [MOTHER]: 'May 12, 1994', [DATE]: 'May 13, 2026', [CONSENT]: 'May 12, 2026' },
  ],
  [
    'a date and time in the other order',
    EASTERN,
    LONDON,
    { [DATE]: '5/12/2026', [TIME]: '2:05 pm' },
    { [DATE]: 'May 12, 2026', [TIME]: '7:05 pm' },
  ],
  ['today', LONDON, EASTERN, { [DATE]: 'today' }, { [DATE]: 'May 20, 2026' }],
  [
    'other texts',
    EASTERN,
    LONDON,
    { 'mother.family_name': '5/12/2026', [DATE]: '', prenatal_visits: '9' },
    {},
  ],
] as const)
  converting(what, () => {
    const values: Readonly<Record<string, string>> = typed;
    assert.equal(convertTexts(values, clockOf(from), clockOf(to)), { ...values, ...changed });
  });

converting('a custom date in the other order', () => {
  const values = { 'custom.a': '5/12/2026', 'custom.b': '5/12/2026' };
  const fields = (['date', 'text'] as const).map((type, index) => ({
    fieldId: 'ab'.charAt(index),
    label: 'Seen',
    type,
    choices: [],
    order: index,
    item: null,
    isRetired: false,
  }));
  assert.equal(convertTexts(values, clockOf(EASTERN), clockOf(LONDON), fields), {
    ...values,
    'custom.a': 'May 12, 2026',
  });
});

converting.run();
