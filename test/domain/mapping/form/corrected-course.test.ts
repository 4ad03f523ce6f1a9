import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../../domain/course/course.ts';
import type { FormValues } from '../../../../domain/mapping/form/form-fields.ts';
import { formatEntries, formatForm } from '../../../../domain/mapping/form/format-course.ts';
import {
  courseEntered,
  errorsOf,
  held,
  ines,
  shown,
  unchanged,
} from '../../../support/birth-records.ts';
import { runs } from '../../../support/runs.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const correcting = suite('correcting a course of care');

correcting('a correction of nothing keeps every value to the letter', () => {
  assert.equal(courseEntered(shown, { existing: held }), unchanged);
  assert.equal(courseEntered({}, { existing: held }), unchanged);
});

correcting('a correction changes what was typed anew, and keeps the rest', () => {
  const course = courseEntered(
    {
      ...shown,
      'mother.family_name': 'Amaral-Lopes',
      'children.1.apgar_five_minute': '9',
      'children.1.birth_date': '5/13/2026',
      'children.1.gestational_age_weeks': '40w2d',
      'custom.tub': '',
    },
    { existing: held },
  );
  assert.is(course.mother.family_name, 'Amaral-Lopes');
  assert.is(course.delivery_method, 'water cesarean');
  assert.equal(course.children[0], held.children[0]);
  assert.equal(course.children[1], {
    ...held.children[1],
    birth_date: '2026-05-13',
    birth_time: '2026-05-13T14:05:30-05:00',
    gestational_age_weeks: 40,
    gestational_age_days: 2,
    apgar_five_minute: 9,
  });
  assert.equal(course.custom, { tub: null, old: 'kept', gone: 'x' });
  assert.equal(course.sources, [held.sources[2]]);
  assert.equal(course.warnings, [held.warnings[0]]);
});

const placeless: CourseOfCare = { ...courseEntered(ines), place_of_birth: null };

for (const [name, values, context, errors] of [
  [
    'a correction of a record without a place of birth does not ask for one',
    { ...formatEntries(placeless), 'children.0.sex': 'f' },
    { existing: placeless },
    [],
  ],
  [
    'a correction of a partner’s record may take the place of birth away',
    { place_of_birth: '' },
    { existing: held, isPartnerRecord: true },
    [],
  ],
  [
    'a correction of any other record asks for the place of birth',
    { place_of_birth: '' },
    { existing: held },
    ['place_of_birth'],
  ],
  [
    'a pre-filled birth asks for the place of birth',
    { 'children.0.sex': 'f' },
    { existing: placeless, isPrefill: true },
    ['place_of_birth'],
  ],
  ['a new birth asks for the place of birth', { 'children.0.sex': 'f' }, {}, ['place_of_birth']],
  [
    'a place of birth that is mistyped is an error in a partner’s record too',
    { place_of_birth: 'barn' },
    { existing: placeless, isPartnerRecord: true },
    ['place_of_birth'],
  ],
] as const)
  correcting(name, () => {
    assert.equal(Object.keys(errorsOf(values, context)), errors);
  });

correcting(
  'a time of birth in UTC is shown as it was sent without the practice’s clock, and stays',
  () => {
    const birth_time = '2026-05-13T02:05:00Z';
    const [first] = courseEntered(ines).children;
    const utc = { ...courseEntered(ines), children: [{ ...emptyChild(), ...first, birth_time }] };
    const texts = formatEntries(utc);
    assert.is(texts['children.0.birth_time'], birth_time);
    assert.is(courseEntered(texts, { existing: utc }).children[0]?.birth_time, birth_time);
    const anew = courseEntered({ ...ines, 'children.0.birth_time': birth_time });
    assert.is(anew.children[0]?.birth_time, birth_time);
    assert.is(anew.children[0]?.birth_date, '2026-05-12');
  },
);

// New York: summer time from 8 March to 1 November 2026; an hour shown twice is the first of the two.
const newYork = (local: string): string =>
  local >= '2026-03-08T02:00:00' && local < '2026-11-01T02:00:00' ? '-04:00' : '-05:00';

for (const [sent, shown] of [
  ['2026-09-04T20:05:00-04:00', 'Sep 4, 2026, 8:05 pm'],
  ['2026-09-05T00:05:00Z', 'Sep 4, 2026, 8:05 pm'],
  ['2026-09-04T20:05:07.25-07:00', 'Sep 4, 2026, 8:05:07 pm'],
  ['2026-11-01T01:30:00-05:00', 'Nov 1, 2026, 1:30 am second'],
  ['2026-09-04T20:05', 'Sep 4, 2026, 8:05 pm'],
  ['2026-09-04', 'Sep 4, 2026'],
  ['2026-09', 'Sep 2026'],
  ['2026', '2026'],
] as const)
  correcting(`a date of consent sent as ${sent} is shown in words, and stays`, () => {
    const course = courseEntered(ines);
    const held = { ...course, consent: { ...course.consent, date_time: sent } };
    const texts = formatForm(held, newYork);
    assert.is(texts['consent.date_time'], shown);
    const again = courseEntered(texts, { existing: held, offsetAt: newYork });
    assert.equal(again.consent, held.consent);
    // A page of an earlier version showed it unchanged.
    const before = { ...texts, 'consent.date_time': sent };
    assert.is(courseEntered(before, { existing: held, offsetAt: newYork }).consent.date_time, sent);
  });

for (const [sent, shown] of [
  ['2026-05-13T02:05:00Z', '10:05 pm'],
  ['2026-05-14T02:05:00Z', 'May 13, 2026, 10:05 pm'],
  ['2026-05-13T22:05:00-04:00', 'May 13, 2026, 10:05 pm'],
] as const)
  correcting(`a time of birth sent as ${sent} is shown on the practice’s clock, and stays`, () => {
    const course = courseEntered(ines);
    const [first] = course.children;
    const held = { ...course, children: [{ ...emptyChild(), ...first, birth_time: sent }] };
    const texts = formatForm(held, newYork);
    assert.is(texts['children.0.birth_time'], shown);
    assert.is(
      courseEntered(texts, { existing: held, offsetAt: newYork }).children[0]?.birth_time,
      sent,
    );
  });

const MOVED: readonly (readonly [
  name: string,
  from: readonly [date: string, time: string],
  typed: string,
  time: string,
])[] = [
  [
    'into summer time',
    ['2026-03-07', '2026-03-07T10:00:00-05:00'],
    '3/9/2026',
    '2026-03-09T10:00:00-04:00',
  ],
  [
    'out of summer time, to the fraction',
    ['2026-11-01', '2026-11-01T00:30:15.250-04:00'],
    '11/2/2026',
    '2026-11-02T00:30:15.250-05:00',
  ],
  [
    'from the second of the two hours that a clock shows twice',
    ['2026-11-01', '2026-11-01T01:30:00-05:00'],
    '10/30/2026',
    '2026-10-30T01:30:00-04:00',
  ],
  [
    'within one time of the year',
    ['2026-05-12', '2026-05-12T14:05:00-04:00'],
    '5/14/2026',
    '2026-05-14T14:05:00-04:00',
  ],
  [
    'in UTC, on another day than its date',
    ['2026-03-01', '2026-03-02T03:00:00Z'],
    '3/5/2026',
    '2026-03-06T03:00:00Z',
  ],
  [
    'of another zone, by as many days',
    ['2026-03-07', '2026-03-07T10:00:00-06:00'],
    '3/9/2026',
    '2026-03-09T10:00:00-06:00',
  ],
  [
    'of another zone, an hour before a clock goes back',
    ['2026-11-01', '2026-11-01T00:30:00-05:00'],
    '10/30/2026',
    '2026-10-30T00:30:00-05:00',
  ],
  [
    'of another zone, an hour after a clock went back',
    ['2026-11-01', '2026-11-01T02:30:00-04:00'],
    '11/3/2026',
    '2026-11-03T02:30:00-04:00',
  ],
  ['that is local', ['2026-03-07', '2026-03-07T10:00'], '3/9/2026', '2026-03-09T10:00'],
  [
    'over the end of a year',
    ['2026-12-31', '2027-01-01T02:00:00Z'],
    '1/1/2027',
    '2027-01-02T02:00:00Z',
  ],
  [
    'with the same date, typed in another way',
    ['2026-03-01', '2026-03-02T03:00:00Z'],
    'March 1, 2026',
    '2026-03-02T03:00:00Z',
  ],
];

for (const [name, [birth_date, birth_time], typed, time] of MOVED)
  correcting(`a time of birth moves with its date: ${name}`, () => {
    const born: CourseOfCare = {
      ...courseEntered(ines),
      children: [{ ...emptyChild(), birth_date, birth_time }],
    };
    const values = { ...formatEntries(born), 'children.0.birth_date': typed };
    const [child] = courseEntered(values, {
      existing: born,
      offsetAt: newYork,
      today: '2027-06-01',
    }).children;
    assert.is(child?.birth_time, time);
  });

correcting('a time of birth that cannot move with its date is told', () => {
  const born = (birth_date: string | null, birth_time: string): CourseOfCare => ({
    ...courseEntered(ines),
    children: [{ ...emptyChild(), birth_date, birth_time }],
  });
  const told = (held: CourseOfCare, typed: string) =>
    errorsOf(
      { ...formatEntries(held), 'children.0.birth_date': typed },
      { existing: held, today: '9999-12-31' },
    );
  const other = {
    'children.0.birth_time':
      'The time of birth is on another day than the date of birth. Check both.',
  };
  assert.equal(told(born('2026', '2026-05-12T14:05:00-04:00'), '5/12/2026'), {});
  assert.equal(told(born('2026', '2026-05-12T14:05:00-04:00'), '5/13/2026'), other);
  assert.equal(told(born('2026-03-01', '2026-03-02T03:00:00Z'), '12/31/9999'), {
    'children.0.birth_date':
      'The year of the date of birth is not possible. Check it, or leave the date of birth empty if it is not known.',
  });
});

correcting('a child that is taken away takes its marks with it, the others keep theirs', () => {
  const second = Object.fromEntries(
    Object.entries(shown).filter(([key]) => !key.startsWith('children.0.')),
  );
  const course = courseEntered(second, { existing: held });
  assert.equal(course.children, [held.children[1]]);
  assert.equal(course.sources, [held.sources[0], { ...held.sources[1], child: 0 }]);
  assert.equal(course.warnings, [{ ...held.warnings[1], child: 0 }]);
});

const NO_TRANSFER = buildTransfer({ type: null, direction: null, facility: null });
const withEmpty: CourseOfCare = {
  ...unchanged,
  children: [...held.children, emptyChild()],
  transfers: [
    NO_TRANSFER,
    buildTransfer({ type: 'infant', direction: 'out', facility: 'Cedar Hospital' }),
  ],
};
const without = (prefix: string, values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith(prefix)));
const cleared = (prefix: string, values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, key.startsWith(prefix) ? '' : text]),
  );

correcting(
  'a held child or transfer of whom nothing is known stays, unless it is taken away',
  () => {
    const texts = formatEntries(withEmpty);
    const corrected = { ...texts, 'mother.phone': '503 555 0100' };
    const course = courseEntered(corrected, { existing: withEmpty });
    assert.equal(course.children, withEmpty.children);
    assert.equal(course.transfers, withEmpty.transfers);
    const fewer = courseEntered(without('transfers.0.', without('children.2.', corrected)), {
      existing: withEmpty,
    });
    assert.equal(fewer.children, held.children);
    assert.equal(fewer.transfers, withEmpty.transfers.slice(1));
  },
);

correcting('a held child or transfer whose values are all cleared is taken away', () => {
  const texts = cleared('transfers.1.', cleared('children.1.', formatEntries(withEmpty)));
  const course = courseEntered(texts, { existing: withEmpty });
  assert.equal(course.children, [held.children[0], emptyChild()]);
  assert.equal(course.transfers, [NO_TRANSFER]);
});

correcting('a blank row beyond the held ones is none', () => {
  const texts = { ...formatEntries(withEmpty), 'children.3.sex': '', 'transfers.2.facility': ' ' };
  assert.equal(courseEntered(texts, { existing: withEmpty }), withEmpty);
});

correcting('a row for a child that an EHR offers is none while it is blank', () => {
  const offer = { ...emptyCourseOfCare(), children: [emptyChild()] };
  const values = { ...formatEntries(offer), place_of_birth: 'Home' };
  assert.equal(Object.keys(errorsOf(values, { existing: offer, isPrefill: true })), ['children']);
  assert.equal(errorsOf(values, { existing: offer }), {});
});

correcting('what an EHR offers gets the age of the mother', () => {
  const [child = emptyChild()] = courseEntered(ines).children;
  const offer = {
    ...emptyCourseOfCare(),
    mother: { ...emptyMother(), birth_date: '1994-06-02' },
    children: [child],
  };
  const values = { ...formatEntries(offer), place_of_birth: 'Home' };
  const { mother } = courseEntered(values, { existing: offer, isPrefill: true });
  assert.is(mother.age_at_delivery, 31);
});

const nullable = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 3 });
const anyDate = fc.constantFrom('2026-05-12', '2026-11-01', '2026', '2026-05', '0001-01-01');
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const anyChild: fc.Arbitrary<Child> = fc
  .record(
    {
      family_name: nullable(anyText),
      given_names: fc.array(anyText, { maxLength: 3 }),
      birth_date: nullable(anyDate),
      birth_time: nullable(
        fc.constantFrom('2026-05-12T14:05:00-04:00', '2026-05-13T02:05:00Z', '2026-11-01T00:10'),
      ),
      sex: nullable(fc.constantFrom('female' as const, 'unknown' as const)),
      birth_weight_grams: nullable(fc.double({ min: 100, max: 9000, noNaN: true })),
      gestational_age_weeks: nullable(fc.integer({ min: 12, max: 46 })),
      gestational_age_days: nullable(fc.integer({ min: 0, max: 6 })),
      presentation: nullable(anyText),
      living: nullable(fc.boolean()),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map((values) => ({ ...emptyChild(), ...values }));
const anyTransfer = fc
  .record({
    type: nullable(fc.constantFrom('mother' as const, 'infant' as const)),
    direction: nullable(fc.constantFrom('in' as const, 'out' as const)),
    facility: nullable(anyText),
  })
  .map((values) => ({ ...NO_TRANSFER, ...values }));
const anyHeld: fc.Arbitrary<CourseOfCare> = fc
  .record({
    children: fc.array(fc.oneof(fc.constant(emptyChild()), anyChild), {
      minLength: 1,
      maxLength: 4,
    }),
    transfers: fc.array(fc.oneof(fc.constant(NO_TRANSFER), anyTransfer), { maxLength: 4 }),
    place_of_birth: fc.constantFrom('Home' as const, 'En route' as const),
    delivery_method: nullable(anyText),
    induction_agents: fc.array(anyText, { maxLength: 3 }),
    custom: fc.dictionary(
      anyText,
      fc.oneof(anyText, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
      { noNullPrototype: true },
    ),
    consent: fc.constantFrom(
      { granted: true, status: 'active', date_time: '2026' },
      { granted: false, status: 'rejected', date_time: null },
      { granted: false, status: 'something else', date_time: '2026-05-12T00:00:00+02:00' },
    ),
    mother: fc
      .record({
        family_name: nullable(anyText),
        given_names: fc.array(anyText, { maxLength: 3 }),
        birth_date: nullable(anyDate),
        age_at_delivery: nullable(fc.integer({ min: 5, max: 80 })),
        height_cm: nullable(fc.double({ min: 50, max: 250, noNaN: true })),
        race: fc.array(anyText, { maxLength: 3 }),
      })
      .map(({ age_at_delivery: age, ...values }) => ({
        ...emptyMother(),
        ...values,
        // Between two dates there is an age.
        age_at_delivery: values.birth_date === null ? age : (age ?? 31),
      })),
    marked: nullable(fc.nat({ max: 3 })),
  })
  .map(({ marked, ...values }) => {
    const child = marked === null ? null : marked % values.children.length;
    return {
      ...emptyCourseOfCare(),
      ...values,
      sources: [{ field: 'children.sex', subject: 'child', child, source: 'ehr_pull' }],
      warnings: [
        {
          field: 'children.birth_weight_grams',
          child,
          raw: 1,
          id: 'unit-missing',
          reason: 'The unit is missing',
        },
      ],
    };
  });

correcting('a correction of nothing keeps any course, rows without values too', () => {
  fc.assert(
    fc.property(anyHeld, (course) => {
      assert.equal(courseEntered(formatEntries(course), { existing: course }), course);
      assert.equal(courseEntered({}, { existing: course }), course);
    }),
    runs(500),
  );
});

correcting.run();
