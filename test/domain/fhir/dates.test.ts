import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  countCertainYears,
  countWholeYears,
  isDate,
  parseDateAndTime,
  readDate,
  readDateTime,
  readPartialDateBeside,
  readTime,
  toDate,
  toDayNumber,
  toUtcSecond,
} from '../../../domain/fhir/dates.ts';
import { runs } from '../../support/runs.ts';

for (const [text, expected] of [
  ['2026-03-12', true],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-04-31', false],
  ['0000-01-01', false],
  ['2026-02', false],
  ['2026-3-1', false],
  ['12.03.2026', false],
] as const) {
  test(`${text} is ${expected ? 'a' : 'no'} date`, () => {
    assert.is(isDate(text), expected);
  });
}

test('a missing or blank date is nothing, a partial or impossible one is left out', () => {
  assert.is(readDate(undefined).kind, 'none');
  assert.is(readDate('  ').kind, 'none');
  assert.equal(readDate('2026-02'), {
    kind: 'left-out',
    raw: '2026-02',
    reason: 'date-impossible',
  });
  assert.is(readDate('2026-02-30').kind, 'left-out');
  assert.is(readDate('yesterday').kind, 'left-out');
  assert.is(readDate(20260312).kind, 'left-out');
});

test('the date of a date and time counts as it is written', () => {
  assert.equal(readDate('2026-03-12T23:30:00-05:00'), {
    kind: 'value',
    value: '2026-03-12',
    timeOfDay: '23:30:00-05:00',
  });
});

test('a time without offset stays local, one with an offset keeps it', () => {
  assert.equal(readTime('2026-03-12T04:31:00'), { kind: 'value', value: '2026-03-12T04:31:00' });
  assert.equal(readTime('2026-03-12T04:31:00.5-05:00'), {
    kind: 'value',
    value: '2026-03-12T04:31:00.5-05:00',
  });
});

for (const text of [
  '2026-03-12',
  '2026-03-12T24:00:00Z',
  '2026-03-12T10:60:00Z',
  'noon',
  '2026-02-30T10:00:00Z',
  '2026-03-12T10:00:00+15:00',
  '2026-03-12T10:00:00-05:99',
  '2026-03-12T10:00:00+00:60',
]) {
  test(`${text} is no time`, () => {
    assert.is(readTime(text).kind, 'left-out');
  });
}

test('a dateTime may be a year or a month', () => {
  for (const text of ['2026', '2026-03', '2026-03-12', '2026-03-12T10:00:00Z'])
    assert.equal(readDateTime(text), { kind: 'value', value: text });
  assert.is(readDateTime('2026-13').kind, 'left-out');
});

test('whole years count birthdays', () => {
  assert.is(countWholeYears('1994-06-02', '2026-06-01'), 31);
  assert.is(countWholeYears('1994-06-02', '2026-06-02'), 32);
  assert.is(countWholeYears('2000-02-29', '2001-02-28'), 0);
  assert.is(countWholeYears('2026-03-12', '1994-06-02'), -32);
});

test('whole years from a date in parts are those that its unknown parts do not change', () => {
  for (const [from, years] of [
    ['1994-06-02', 32],
    ['1994-06', 32],
    ['1994-07', 31],
    ['1994-06-30', 32],
    ['1994', null],
  ] as const)
    assert.is(countCertainYears(from, '2026-06-30'), years, from);
  assert.is(countCertainYears('1994-06', '2026-06-15'), null);
  assert.is(countCertainYears('1994', '2026-12-31'), 32);
});

for (const [date, beside, expected] of [
  ['2026', undefined, '2026'],
  ['2026-02', undefined, '2026-02'],
  ['2026-02-03', undefined, '2026-02-03'],
  ['2026-02-30', undefined, null],
  [undefined, { year: 2026, month: 2 }, '2026-02'],
  [undefined, { year: 2026, day: 3 }, '2026'],
  [undefined, { year: 2026, month: 2, day: 3 }, '2026-02-03'],
  [undefined, { month: 2 }, null],
  ['1800', undefined, null],
] as const)
  test(`of ${date} and ${JSON.stringify(beside)}, ${expected} is known`, () => {
    const element = {
      extension: [
        {
          url: 'https://example.org/Extension-partial-date-vr',
          extension: Object.entries(beside ?? {}).map(([url, valueInteger]) => ({
            url,
            valueInteger,
          })),
        },
      ],
    };
    const reading = readPartialDateBeside(date, beside === undefined ? undefined : element);
    assert.is(reading.kind === 'value' ? reading.value : null, expected);
  });

test('day numbers and dates are each other’s inverse, and agree with the platform', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_652_058 }), (day) => {
      const date = toDate(day);
      assert.ok(isDate(date), date);
      assert.is(toDayNumber(date), day);
      const platform = new Date(0);
      platform.setUTCDate(platform.getUTCDate() + day - toDayNumber('1970-01-01'));
      assert.is(platform.toISOString().slice(0, 10), date);
    }),
    runs(2000),
  );
});

test('moments in UTC agree with the platform', () => {
  const instant = fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (moment, offset) => {
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19);
      const size = Math.abs(offset);
      const clock = [Math.floor(size / 60), size % 60].map((n) => String(n).padStart(2, '0'));
      const time = parseDateAndTime(`${local}${offset < 0 ? '-' : '+'}${clock.join(':')}`);
      assert.ok(time !== null);
      assert.is(toUtcSecond(time), moment.toISOString().slice(0, 19));
    }),
    runs(2000),
  );
});

const DATE_AND_TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,40})?)?(?:Z|[+-]\d{2}:\d{2})?$/;

test('a date and time is taken apart exactly if it has its form and the calendar its date', () => {
  const digits = (width: number, to: number) =>
    fc.integer({ min: 0, max: to }).map((number) => String(number).padStart(width, '0'));
  const pieces = fc.tuple(
    fc.tuple(digits(4, 9999), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-')),
    fc.constantFrom('T', 'T', 'T', 't', ' '),
    fc.tuple(digits(2, 24), digits(2, 60)).map((parts) => parts.join(':')),
    fc.constantFrom('', ':', ':00', ':59', ':60', ':61', ':7'),
    fc.constantFrom('', '', '.', '.5', '.123456789012', `.${'1'.repeat(40)}`, `.${'1'.repeat(41)}`),
    fc.constantFrom(
      '',
      'Z',
      'z',
      '+05:00',
      '-14:00',
      '+14:01',
      '-05:99',
      '-00:30',
      '+5:00',
      '+05:0',
      '-',
      'Zx',
    ),
  );
  const text = fc
    .tuple(pieces, fc.nat(), fc.constantFrom('', '', '', '\n', '\u0660', ':', '-'))
    .map(([parts, where, odd]) => {
      const whole = parts.join('');
      const at = where % (whole.length + 1);
      return whole.slice(0, at) + odd + whole.slice(at);
    });
  fc.assert(
    fc.property(text, (one) => {
      const [, hours = '', minutes = ''] = /[+-](\d\d):(\d\d)$/.exec(one) ?? [];
      const isTaken =
        DATE_AND_TIME.test(one) &&
        isDate(one.slice(0, 10)) &&
        Number(one.slice(11, 13)) <= 23 &&
        Number(one.slice(14, 16)) <= 59 &&
        Number(one[16] === ':' ? one.slice(17, 19) : 0) <= 60 &&
        Number(minutes) <= 59 &&
        Number(hours) * 60 + Number(minutes) <= 14 * 60;
      assert.is(parseDateAndTime(one) !== null, isTaken, one);
    }),
    runs(20_000),
  );
});

test.run();
