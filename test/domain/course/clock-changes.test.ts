import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../api/practice-time/practice-clock.ts';
import { emptyChild } from '../../../domain/course/course.ts';
import { findOffsets, readClockAt } from '../../../domain/course/local-times.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { formatEntries, formatForm } from '../../../domain/mapping/form/format-course.ts';
import { parseCourse } from '../../../domain/mapping/form/parse-course.ts';
import { courseEntered, ines } from '../../support/birth-records.ts';
import { runs } from '../../support/runs.ts';

const nights = suite('nights when the clocks change');

/** Each kind of zone: of the United States, without a change, by half an hour, at midnight, at 1 in UTC. */
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'America/Detroit',
  'America/Indiana/Knox',
  'America/Boise',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Guam',
  'Pacific/Saipan',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
  'America/Havana',
  'America/Santiago',
  'America/St_Johns',
  'Europe/London',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Pacific/Apia',
];

const NEW_YORK = 'America/New_York';
const TIME = 'children.0.birth_time';

const enterIn = (timeZone: string, values: FormValues) =>
  parseCourse(
    { ...ines, 'mother.birth_date': '', ...values },
    {
      today: '2040-01-01',
      offsetAt: createOffsetAt(timeZone),
      unitIsNamed: false,
      customFields: [],
      existing: null,
    },
  );

const typedIn = (timeZone: string, date: string, time: string) => {
  const entered = enterIn(timeZone, { 'children.0.birth_date': date, [TIME]: time });
  return entered.kind === 'course'
    ? entered.course.children[0]?.birth_time
    : entered.errors.map(({ path, id }) => `${path} ${id}`).join();
};

for (const [timeZone, date, time] of [
  [NEW_YORK, '3/8/2026', '2:30 AM'],
  [NEW_YORK, '3/8/2026', '2:00 am'],
  [NEW_YORK, '2026-03-08', '02:59:59'],
  [NEW_YORK, '3/8/2026', '2026-03-08T02:30'],
  [NEW_YORK, '3/8/2026', '2:30 am EST'],
  [NEW_YORK, '3/8/2026', '2:30 am first'],
  ['America/Los_Angeles', '3/14/2027', '0230'],
  ['Australia/Lord_Howe', '10/4/2026', '2:15 am'],
  ['America/Havana', '3/8/2026', '12:30 am'],
] as const)
  nights(`${time} on ${date} is refused in ${timeZone}: the clocks skip it`, () => {
    assert.is(typedIn(timeZone, date, time), `${TIME} time-skipped`);
  });

for (const [timeZone, date, time] of [
  [NEW_YORK, '11/1/2026', '1:30 AM'],
  [NEW_YORK, 'Nov 1, 2026', '1:00 am'],
  [NEW_YORK, '2026-11-01', '01:59:59'],
  [NEW_YORK, '', '11/1/2026 1:30 am'],
  [NEW_YORK, '', '2026-11-01T01:30:00'],
  ['America/Chicago', '11/2/2025', '0130'],
  ['Australia/Lord_Howe', '4/5/2026', '1:45 am'],
  ['America/Santiago', '4/4/2026', '11:30 pm'],
] as const)
  nights(`${time} on ${date} is asked for in ${timeZone}: the clocks show it twice`, () => {
    assert.is(typedIn(timeZone, date, time), `${TIME} time-twice`);
  });

for (const [timeZone, date, time, moment] of [
  [NEW_YORK, '3/8/2026', '1:59 am', '2026-03-08T01:59:00-05:00'],
  [NEW_YORK, '3/8/2026', '3 am', '2026-03-08T03:00:00-04:00'],
  [NEW_YORK, '11/1/2026', '12:59 am', '2026-11-01T00:59:00-04:00'],
  [NEW_YORK, '11/1/2026', '2 am', '2026-11-01T02:00:00-05:00'],
  [NEW_YORK, '11/1/2026', '1:30 am first', '2026-11-01T01:30:00-04:00'],
  [NEW_YORK, '11/1/2026', 'second 1:30 AM', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '11/1/2026', '0130 2nd', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '11/1/2026', '1:30 a.m. (1st)', '2026-11-01T01:30:00-04:00'],
  [NEW_YORK, '11/1/2026', '1:30 AM EST', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '11/1/2026', '01:30 (EDT)', '2026-11-01T01:30:00-04:00'],
  [NEW_YORK, '11/1/2026', '1:30 am -05:00', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '', '11/1/2026 1:30 am EST', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '11/1/2026', '2026-11-01T01:30:00-05:00', '2026-11-01T01:30:00-05:00'],
  [NEW_YORK, '7/1/2026', '2:05 pm EDT', '2026-07-01T14:05:00-04:00'],
  ['America/Adak', '11/1/2026', '1:30 am HST', '2026-11-01T01:30:00-10:00'],
  ['Australia/Lord_Howe', '4/5/2026', '1:45 am second', '2026-04-05T01:45:00+10:30'],
  ['Australia/Lord_Howe', '4/5/2026', '1:45 am GMT+11', '2026-04-05T01:45:00+11:00'],
  ['America/Phoenix', '11/1/2026', '1:30 am', '2026-11-01T01:30:00-07:00'],
  ['America/Phoenix', '3/8/2026', '2:30 am', '2026-03-08T02:30:00-07:00'],
  ['Pacific/Honolulu', '3/8/2026', '2:30 am', '2026-03-08T02:30:00-10:00'],
  ['America/Puerto_Rico', '11/1/2026', '1:30 am', '2026-11-01T01:30:00-04:00'],
  ['Pacific/Guam', '11/1/2026', '1:30 am ChST', '2026-11-01T01:30:00+10:00'],
] as const)
  nights(`${time} on ${date || 'no other date'} in ${timeZone} is ${moment}`, () => {
    assert.is(typedIn(timeZone, date, time), moment);
  });

nights(
  'a zone that the clocks do not show then is refused, and so is “second” of a time that came once',
  () => {
    assert.is(typedIn(NEW_YORK, '7/1/2026', '2:05 pm EST'), `${TIME} time-in-another-zone`);
    assert.is(typedIn(NEW_YORK, '11/1/2026', '1:30 am CST'), `${TIME} time-in-another-zone`);
    assert.is(typedIn(NEW_YORK, '11/1/2026', '1:30 am -04:99'), `${TIME} time-not-understood`);
    assert.is(typedIn('America/Phoenix', '11/1/2026', '1:30 am second'), `${TIME} time-once`);
    assert.is(typedIn(NEW_YORK, '11/2/2026', '1:30 am first'), `${TIME} time-once`);
  },
);

const heldAt = (birth_date: string, birth_time: string) => ({
  ...courseEntered(ines),
  children: [{ ...emptyChild(), birth_date, birth_time }],
});

const corrected = (held: ReturnType<typeof heldAt>, changes: FormValues, isPrefill = false) => {
  const entered = parseCourse(
    { ...formatForm(held, createOffsetAt(NEW_YORK)), ...changes },
    {
      today: '2040-01-01',
      offsetAt: createOffsetAt(NEW_YORK),
      unitIsNamed: false,
      customFields: [],
      existing: held,
      isPrefill,
    },
  );
  return entered.kind === 'course'
    ? entered.course.children[0]?.birth_time
    : entered.errors.map(({ path, id }) => `${path} ${id}`).join();
};

nights('a correction shows which of the two it is, keeps it, and takes the other', () => {
  const held = heldAt('2026-11-01', '2026-11-01T01:30:15.5-05:00');
  assert.is(formatForm(held, createOffsetAt(NEW_YORK))[TIME], '1:30:15 am second');
  assert.is(corrected(held, {}), '2026-11-01T01:30:15.5-05:00');
  assert.is(corrected(held, { [TIME]: '1:30:15 am' }), '2026-11-01T01:30:15.5-05:00');
  assert.is(corrected(held, { [TIME]: '1:30 am first' }), '2026-11-01T01:30:00-04:00');
  assert.is(corrected(held, { [TIME]: '1:45 am' }), `${TIME} time-twice`);
});

nights('a time that moves with its date is refused or asked for where the clocks change', () => {
  const date = (typed: string) => ({ 'children.0.birth_date': typed });
  const night = heldAt('2026-11-01', '2026-11-01T01:30:00-05:00');
  assert.is(
    corrected(night, { ...date('11/2/2026'), [TIME]: '1:30 am' }),
    '2026-11-02T01:30:00-05:00',
  );
  assert.is(
    corrected(night, { ...date('10/31/2026'), [TIME]: '1:30 am' }),
    '2026-10-31T01:30:00-04:00',
  );
  const before = heldAt('2026-10-30', '2026-10-30T01:30:00-04:00');
  assert.is(corrected(before, date('11/1/2026')), `${TIME} time-twice`);
  const spring = heldAt('2026-03-07', '2026-03-07T02:30:00-05:00');
  assert.is(corrected(spring, date('3/8/2026')), `${TIME} time-skipped`);
  assert.is(corrected(spring, date('3/9/2026')), '2026-03-09T02:30:00-04:00');
});

nights('a local time of a record stays as it was sent; what an EHR offers so is asked for', () => {
  const twice = heldAt('2026-11-01', '2026-11-01T01:30:00');
  assert.is(corrected(twice, {}), '2026-11-01T01:30:00');
  assert.is(corrected(twice, {}, true), `${TIME} time-twice`);
  assert.is(corrected(twice, { [TIME]: '1:30 am second' }, true), '2026-11-01T01:30:00-05:00');
  const skipped = heldAt('2026-03-08', '2026-03-08T02:30:00');
  assert.is(corrected(skipped, {}), '2026-03-08T02:30:00');
  assert.is(corrected(skipped, {}, true), `${TIME} time-skipped`);
  assert.is(
    corrected(heldAt('2026-11-01', '2026-11-01T03:30:00'), {}, true),
    '2026-11-01T03:30:00',
  );
});

/** Each change of a zone's clocks from 1972 on. */
const changesOf = (timeZone: string): readonly number[] => {
  const changes: number[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`1972-01-01[${timeZone}]`);
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (at === null || at.year > 2037) return changes;
    changes.push(at.epochMilliseconds);
  }
};
const CHANGES = new Map(ZONES.map((zone) => [zone, changesOf(zone)]));

const SECOND_MS = 1_000;
const anyInstant = fc.integer({
  min: Date.UTC(1972, 0, 3) / SECOND_MS,
  max: Date.UTC(2037, 0, 1) / SECOND_MS,
});

/** A zone and a moment, mostly within hours of a change of its clocks. */
const zoneAndMoment = fc
  .tuple(
    fc.constantFrom(...ZONES),
    anyInstant,
    fc.nat(),
    fc.integer({ min: -150 * 60, max: 150 * 60 }),
    fc.boolean(),
  )
  .map(([timeZone, any, place, seconds, isAny]) => {
    const changes = CHANGES.get(timeZone) ?? [];
    const change = changes[place % Math.max(changes.length, 1)];
    const ms = change === undefined || isAny ? any * SECOND_MS : change + seconds * SECOND_MS;
    return {
      timeZone,
      zoned: Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone),
    };
  });

nights('the offsets of a local time are those that the zone gives it', () => {
  fc.assert(
    fc.property(zoneAndMoment, ({ timeZone, zoned }) => {
      const local = zoned.toPlainDateTime();
      const found = findOffsets(
        local.toString({ smallestUnit: 'second' }),
        createOffsetAt(timeZone),
      );
      const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
        local.toZonedDateTime(timeZone, { disambiguation }),
      );
      const wanted = [...new Set([earlier?.offset, later?.offset])];
      assert.equal(found, wanted, `${local} ${timeZone}`);
      assert.ok(found?.includes(zoned.offset));
    }),
    runs(3_000),
  );
});

nights('the local time of an instant in UTC is the one that the zone shows', () => {
  fc.assert(
    fc.property(zoneAndMoment, ({ timeZone, zoned }) => {
      const utc = zoned.toInstant().toString({ smallestUnit: 'second' }).replace('Z', '');
      const local = zoned.toPlainDateTime().toString({ smallestUnit: 'second' });
      assert.is(readClockAt(utc, createOffsetAt(timeZone)), `${local}${zoned.offset}`);
    }),
    runs(1_000),
  );
});

nights('no time that a zone skips has an offset', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.nat(),
      fc.integer({ min: 0, max: 1_439 }),
      (timeZone, place, minutes) => {
        const changes = CHANGES.get(timeZone) ?? [];
        const change = changes[place % Math.max(changes.length, 1)];
        if (change === undefined) return;
        const at = Temporal.Instant.fromEpochMilliseconds(change).toZonedDateTimeISO(timeZone);
        const local = at.subtract({ seconds: 1 }).toPlainDateTime().add({ seconds: 1, minutes });
        const isShown = local.toZonedDateTime(timeZone).toPlainDateTime().equals(local);
        const found = findOffsets(
          local.toString({ smallestUnit: 'second' }),
          createOffsetAt(timeZone),
        );
        assert.is((found?.length ?? 0) > 0, isShown, `${local} ${timeZone}`);
      },
    ),
    runs(2_000),
  );
});

/** `11/1/2026` and `1:30:15 am second`, as a person types the moment. */
const asTyped = (zoned: Temporal.ZonedDateTime, timeZone: string) => {
  const { year, month, day, hour, minute, second } = zoned;
  const offsets = findOffsets(
    zoned.toPlainDateTime().toString({ smallestUnit: 'second' }),
    createOffsetAt(timeZone),
  );
  const isTwice = (offsets?.length ?? 0) > 1;
  const which = isTwice ? (offsets?.[0] === zoned.offset ? ' first' : ' second') : '';
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    'children.0.birth_date': `${month}/${day}/${year}`,
    [TIME]: `${hour % 12 || 12}:${two(minute)}:${two(second)} ${hour < 12 ? 'am' : 'pm'}${which}`,
  };
};

nights('what is typed is the moment meant, and what is shown for it says the same again', () => {
  fc.assert(
    fc.property(zoneAndMoment, ({ timeZone, zoned }) => {
      const meant = zoned.epochMilliseconds;
      const first = enterIn(timeZone, asTyped(zoned, timeZone));
      assert.is(first.kind, 'course', `${zoned}`);
      if (first.kind !== 'course') return;
      const [child] = first.course.children;
      assert.is(Date.parse(child?.birth_time ?? ''), meant, `${zoned}`);
      for (const shownBy of [formatForm, formatEntries]) {
        const shown = shownBy(first.course, createOffsetAt(timeZone));
        const again = enterIn(timeZone, {
          'children.0.birth_date': shown['children.0.birth_date'] ?? '',
          [TIME]: shown[TIME] ?? '',
        });
        const [same] = again.kind === 'course' ? again.course.children : [];
        assert.is(Date.parse(same?.birth_time ?? ''), meant, `${zoned} shown as ${shown[TIME]}`);
      }
    }),
    runs(1_000),
  );
});

nights.run();
