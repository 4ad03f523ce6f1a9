import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../domain/course-of-care/canonical-record.ts';
import {
  type EnteredCourse,
  type EnteringContext,
  enteredCourse,
} from '../../../domain/course-of-care/entered-course.ts';
import {
  ENTERED_FIELDS,
  type EnteredValues,
} from '../../../domain/course-of-care/entered-fields.ts';
import { typedValues } from '../../../domain/course-of-care/typed-course.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';

const entering = suite('entering a course of care');

const field = (changes: Partial<CustomField>): CustomField => ({
  ...{ fieldId: 'tub', label: 'Tub', type: 'text', choices: [], order: 1, retired: false },
  ...changes,
});
const CUSTOM_FIELDS = [
  field({}),
  field({ fieldId: 'degrees', label: 'Water temperature', type: 'number' }),
  field({ fieldId: 'visit', label: 'Home visit', type: 'date' }),
  field({ fieldId: 'room', label: 'Room', type: 'choice', choices: ['Blue', 'Green'] }),
  field({ fieldId: 'old', label: 'Old', retired: true }),
];

const enter = (values: EnteredValues, changes: Partial<EnteringContext> = {}): EnteredCourse =>
  enteredCourse(values, {
    ...{ today: '2026-05-20', offsetAt: () => '-04:00', unitIsNamed: false },
    ...{ customFields: CUSTOM_FIELDS, held: null },
    ...changes,
  });

const courseOf = (values: EnteredValues, changes: Partial<EnteringContext> = {}): CourseOfCare => {
  const entered = enter(values, changes);
  if (entered.kind === 'refused') throw new Error(JSON.stringify(entered.errors));
  return entered.course;
};

const errorsOf = (values: EnteredValues, changes: Partial<EnteringContext> = {}) => {
  const entered = enter(values, changes);
  return entered.kind === 'refused'
    ? Object.fromEntries(entered.errors.map(({ path, message }) => [path, message]))
    : {};
};

const noticesAt = (values: EnteredValues) => enter(values).notices.map(({ path }) => path);

const ines = {
  chart_number: 'C-1',
  place_of_birth: 'home',
  'mother.family_name': ' Amaral ',
  'mother.given_names': 'Ines',
  'mother.birth_date': '6/2/1994',
  'children.0.birth_date': '5/12/2026',
  'children.0.birth_time': '2:05 pm',
  'children.0.birth_weight_grams': '7 lb 8 oz',
  'children.0.gestational_age_weeks': '39w4d',
};

entering('a birth is entered as people type it', () => {
  assert.equal(courseOf(ines), {
    ...emptyCourseOfCare(),
    ...{ chart_number: 'C-1', place_of_birth: 'Home' },
    mother: {
      ...emptyMother(),
      ...{ family_name: 'Amaral', given_names: ['Ines'] },
      ...{ birth_date: '1994-06-02', age_at_delivery: 31 },
    },
    children: [
      {
        ...emptyChild(),
        ...{ birth_date: '2026-05-12', birth_time: '2026-05-12T14:05:00-04:00' },
        ...{ birth_weight_grams: 3401.942775, gestational_age_weeks: 39, gestational_age_days: 4 },
      },
    ],
  });
});

entering('a child and a place of birth are required, nothing else', () => {
  assert.equal(errorsOf({}), {
    children: 'Enter at least one child, with the date of birth if it is known.',
    place_of_birth: 'Enter the place of birth, such as Hospital or Home.',
  });
  assert.equal(Object.keys(errorsOf({ place_of_birth: 'barn', 'children.0.sex': 'f' })), [
    'place_of_birth',
  ]);
  assert.is(enter({ place_of_birth: 'Other', 'children.0.sex': 'f' }).kind, 'course');
});

entering('a child or a transfer of blanks alone is none, and gaps are closed', () => {
  const course = courseOf({
    ...ines,
    'children.1.sex': ' ',
    'children.2.sex': 'boy',
    'transfers.0.facility': '',
    'transfers.3.type': 'Infant',
  });
  assert.equal(
    course.children.map(({ sex }) => sex),
    [null, 'male'],
  );
  assert.equal(course.transfers, [{ type: 'infant', direction: null, facility: null }]);
});

entering('errors are told at their values, all at once', () => {
  const errors = errorsOf({
    ...ines,
    'mother.birth_date': '6/2/94',
    'children.0.birth_weight_grams': '7',
    'children.0.gestational_age_days': '3',
    'children.1.birth_time': '2:05 pm',
    'children.2.gestational_age_days': '3',
    'children.3.birth_date': '5/12/2026',
    'children.3.birth_time': '5/13/2026 2:05 pm',
    'consent.granted': 'yes',
    'consent.status': 'rejected',
    stamp: '2026-05-12T00:00:00Z',
    nonsense: 'x',
    'children.0.nonsense': 'x',
    'children.x.sex': 'f',
    'custom.nobody': 'x',
    'custom.room': 'Red',
    'custom.degrees': 'warm',
    'custom.old': 'x',
  });
  assert.equal(Object.keys(errors).sort(), [
    'children.0.birth_weight_grams',
    'children.0.gestational_age_days',
    'children.0.nonsense',
    'children.1.birth_time',
    'children.2.gestational_age_days',
    'children.3.birth_time',
    'children.x.sex',
    'consent.granted',
    'custom.degrees',
    'custom.nobody',
    'custom.old',
    'custom.room',
    'mother.birth_date',
    'nonsense',
    'stamp',
  ]);
});

entering('a whole date and time of birth gives the date', () => {
  const [child] = courseOf({
    place_of_birth: 'Home',
    'children.0.birth_time': 'May 12, 2026 2:05 pm',
  }).children;
  assert.equal([child?.birth_date, child?.birth_time], ['2026-05-12', '2026-05-12T14:05:00-04:00']);
});

entering('weeks and days go into one field or two', () => {
  const gestation = (weeks: string, days: string) => {
    const [child] = courseOf({
      ...ines,
      'children.0.gestational_age_weeks': weeks,
      'children.0.gestational_age_days': days,
    }).children;
    return [child?.gestational_age_weeks, child?.gestational_age_days];
  };
  assert.equal(gestation('39', '4'), [39, 4]);
  assert.equal(gestation('39', ''), [39, 0]);
  assert.equal(gestation('39w4d', ''), [39, 4]);
  assert.equal(gestation('39w4d', '4'), [39, 4]);
  assert.equal(gestation('', ''), [null, null]);
});

entering("values of the practice's own fields", () => {
  const { custom } = courseOf({
    ...ines,
    ...{ 'custom.tub': ' Large ', 'custom.degrees': '-1.5', 'custom.visit': 'May 14 2026' },
    ...{ 'custom.room': 'blue', 'custom.old': '' },
  });
  assert.equal(custom, { tub: 'Large', degrees: -1.5, visit: '2026-05-14', room: 'Blue' });
});

const held: CourseOfCare = {
  ...courseOf(ines),
  stamp: '2026-05-13T09:00:00.000000000Z',
  ig_version: '2.0.0',
  delivery_method: 'water cesarean',
  attendant: 'provider',
  custom: { tub: 'Large', old: 'kept', gone: 'x' },
  children: [
    {
      ...emptyChild(),
      ...{ birth_date: '2026', birth_weight_grams: 3333.3, sex: 'female' },
      given_names: ['Mary Jane'],
    },
    {
      ...emptyChild(),
      ...{ birth_date: '2026-05-12', birth_time: '2026-05-12T14:05:30-05:00' },
      ...{ gestational_age_weeks: 39, gestational_age_days: 4 },
    },
  ],
  sources: [
    { field: 'mother.family_name', subject: 'mother', child: null, source: 'ehr_pull' },
    { field: 'children.birth_time', subject: 'child', child: 1, source: 'ehr_pull' },
    { field: 'children.sex', subject: 'child', child: 0, source: 'ehr_pull' },
  ],
  warnings: [
    {
      ...{ field: 'children.birth_time', child: 0, raw: '2026-05' },
      reason: 'The date and time is partial or impossible',
    },
    {
      ...{ field: 'children.apgar_five_minute', child: 1, raw: 14 },
      reason: 'The number is outside the possible range',
    },
  ],
};
const shown = typedValues(held);
const unchanged: CourseOfCare = { ...held, stamp: null, ig_version: null };

entering('a correction of nothing keeps every value to the letter', () => {
  assert.equal(courseOf(shown, { held }), unchanged);
  assert.equal(courseOf({}, { held }), unchanged);
});

entering('a correction changes what was typed anew, and keeps the rest', () => {
  const course = courseOf(
    {
      ...shown,
      'mother.family_name': 'Amaral-Lopes',
      'children.1.apgar_five_minute': '9',
      'children.1.birth_date': '5/13/2026',
      'children.1.gestational_age_weeks': '40w2d',
      'custom.tub': '',
    },
    { held },
  );
  assert.is(course.mother.family_name, 'Amaral-Lopes');
  assert.is(course.delivery_method, 'water cesarean');
  assert.equal(course.children[0], held.children[0]);
  assert.equal(course.children[1], {
    ...held.children[1],
    ...{ birth_date: '2026-05-13', birth_time: '2026-05-13T14:05:30-05:00' },
    ...{ gestational_age_weeks: 40, gestational_age_days: 2, apgar_five_minute: 9 },
  });
  assert.equal(course.custom, { tub: null, old: 'kept', gone: 'x' });
  assert.equal(course.sources, [held.sources[2]]);
  assert.equal(course.warnings, [held.warnings[0]]);
});

entering('a time of birth in UTC is shown as it was sent, and stays', () => {
  const birth_time = '2026-05-13T02:05:00Z';
  const [first] = courseOf(ines).children;
  const utc = { ...courseOf(ines), children: [{ ...emptyChild(), ...first, birth_time }] };
  const texts = typedValues(utc);
  assert.is(texts['children.0.birth_time'], birth_time);
  assert.is(courseOf(texts, { held: utc }).children[0]?.birth_time, birth_time);
  const anew = courseOf({ ...ines, 'children.0.birth_time': birth_time });
  assert.is(anew.children[0]?.birth_time, birth_time);
  assert.is(anew.children[0]?.birth_date, '2026-05-12');
});

// New York: summer time from 8 March to 1 November 2026; an hour shown twice is the first of the two.
const newYork = (local: string): string =>
  local >= '2026-03-08T02:00:00' && local < '2026-11-01T02:00:00' ? '-04:00' : '-05:00';

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
  entering(`a time of birth moves with its date: ${name}`, () => {
    const born: CourseOfCare = {
      ...courseOf(ines),
      children: [{ ...emptyChild(), birth_date, birth_time }],
    };
    const values = { ...typedValues(born), 'children.0.birth_date': typed };
    const [child] = courseOf(values, { held: born, offsetAt: newYork }).children;
    assert.is(child?.birth_time, time);
  });

entering('a time of birth that cannot move with its date is told', () => {
  const born = (birth_date: string | null, birth_time: string): CourseOfCare => ({
    ...courseOf(ines),
    children: [{ ...emptyChild(), birth_date, birth_time }],
  });
  const told = (held: CourseOfCare, typed: string) =>
    errorsOf({ ...typedValues(held), 'children.0.birth_date': typed }, { held });
  const other = {
    'children.0.birth_time':
      'The time of birth is on another day than the date of birth. Check both.',
  };
  assert.equal(told(born('2026', '2026-05-12T14:05:00-04:00'), '5/12/2026'), {});
  assert.equal(told(born('2026', '2026-05-12T14:05:00-04:00'), '5/13/2026'), other);
  assert.equal(told(born('2026-03-01', '2026-03-02T03:00:00Z'), '12/31/9999'), other);
});

entering('a consent that is granted is active', () => {
  const { consent } = courseOf({ ...ines, 'consent.granted': 'yes' });
  assert.equal(consent, { granted: true, status: 'active', date_time: null });
  assert.is(courseOf(ines).consent.granted, false);
});

entering('a child that is taken away takes its marks with it, the others keep theirs', () => {
  const second = Object.fromEntries(
    Object.entries(shown).filter(([key]) => !key.startsWith('children.0.')),
  );
  const course = courseOf(second, { held });
  assert.equal(course.children, [held.children[1]]);
  assert.equal(course.sources, [held.sources[0], { ...held.sources[1], child: 0 }]);
  assert.equal(course.warnings, [{ ...held.warnings[1], child: 0 }]);
});

const NO_TRANSFER = { type: null, direction: null, facility: null } as const;
const withEmpty: CourseOfCare = {
  ...unchanged,
  children: [...held.children, emptyChild()],
  transfers: [NO_TRANSFER, { type: 'infant', direction: 'out', facility: 'Cedar Hospital' }],
};
const without = (prefix: string, values: EnteredValues): EnteredValues =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith(prefix)));
const cleared = (prefix: string, values: EnteredValues): EnteredValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, key.startsWith(prefix) ? '' : text]),
  );

entering('a held child or transfer of whom nothing is known stays, unless it is taken away', () => {
  const texts = typedValues(withEmpty);
  const corrected = { ...texts, 'mother.phone': '555 0100' };
  const course = courseOf(corrected, { held: withEmpty });
  assert.equal(course.children, withEmpty.children);
  assert.equal(course.transfers, withEmpty.transfers);
  const fewer = courseOf(without('transfers.0.', without('children.2.', corrected)), {
    held: withEmpty,
  });
  assert.equal(fewer.children, held.children);
  assert.equal(fewer.transfers, withEmpty.transfers.slice(1));
});

entering('a held child or transfer whose values are all cleared is taken away', () => {
  const texts = cleared('transfers.1.', cleared('children.1.', typedValues(withEmpty)));
  const course = courseOf(texts, { held: withEmpty });
  assert.equal(course.children, [held.children[0], emptyChild()]);
  assert.equal(course.transfers, [NO_TRANSFER]);
});

entering('a blank row beyond the held ones is none', () => {
  const texts = { ...typedValues(withEmpty), 'children.3.sex': '', 'transfers.2.facility': ' ' };
  assert.equal(courseOf(texts, { held: withEmpty }), withEmpty);
});

entering('a row for a child that an EHR offers is none while it is blank', () => {
  const offer = { ...emptyCourseOfCare(), children: [emptyChild()] };
  const values = { ...typedValues(offer), place_of_birth: 'Home' };
  assert.equal(Object.keys(errorsOf(values, { held: offer, heldIsOffer: true })), ['children']);
  assert.equal(errorsOf(values, { held: offer }), {});
});

entering('what an EHR offers gets the age of the mother', () => {
  const [child = emptyChild()] = courseOf(ines).children;
  const offer = {
    ...emptyCourseOfCare(),
    mother: { ...emptyMother(), birth_date: '1994-06-02' },
    children: [child],
  };
  const values = { ...typedValues(offer), place_of_birth: 'Home' };
  const { mother } = courseOf(values, { held: offer, heldIsOffer: true });
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
        ...{ ...emptyMother(), ...values },
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
        { field: 'children.birth_weight_grams', child, raw: 1, reason: 'The unit is missing' },
      ],
    };
  });

entering('a correction of nothing keeps any course, rows without values too', () => {
  fc.assert(
    fc.property(anyHeld, (course) => {
      assert.equal(courseOf(typedValues(course), { held: course }), course);
      assert.equal(courseOf({}, { held: course }), course);
    }),
    { numRuns: 500 },
  );
});

entering('what is hard to believe is said, and stands in no way', () => {
  assert.equal(noticesAt(ines), []);
  const rows: readonly (readonly [EnteredValues, string])[] = [
    [{ 'children.0.birth_date': '5/12/2027' }, 'children.0.birth_date'],
    [{ 'mother.birth_date': '6/2/2026' }, 'children.0.birth_date'],
    [{ last_menstrual_period: '7/1/2025' }, 'children.0.gestational_age_weeks'],
    [{ 'children.0.birth_weight_grams': '750 g' }, 'children.0.birth_weight_grams'],
    [{ last_menstrual_period: '5/13/2026' }, 'last_menstrual_period'],
    [{ first_prenatal_visit: '5/13/2026' }, 'first_prenatal_visit'],
    [{ 'mother.family_name': '', 'mother.given_names': '' }, 'mother.family_name'],
    [{ 'children.1.sex': 'f', plurality: '1' }, 'plurality'],
    [{ 'mother.birth_date': '6/2/1950' }, 'mother.birth_date'],
  ];
  for (const [values, path] of rows) {
    const entered = enter({ ...ines, ...values });
    assert.is(entered.kind, 'course');
    assert.ok(
      entered.notices.some((notice) => notice.path === path),
      path,
    );
  }
  assert.equal(noticesAt({ ...ines, last_menstrual_period: '8/8/2025' }), []);
});

const ROUNDS = 3;
const MOST_MS = 50;

/** The shortest of a few runs: other work of the machine does not count. */
const fastestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const before = performance.now();
      run();
      return performance.now() - before;
    }),
  );

const LENGTH = 100_000;
const HOSTILE: Readonly<Record<string, string>> = {
  'a letter, spaces, a letter': `a${' '.repeat(LENGTH)}b`,
  'a number, commas, a number': `1${','.repeat(LENGTH)}1`,
  'numbers and commas': '1,'.repeat(LENGTH / 2),
  digits: '1'.repeat(LENGTH),
  slashes: '/'.repeat(LENGTH),
  letters: 'a'.repeat(LENGTH),
  quotes: "'".repeat(LENGTH),
  'line breaks': `1${'\n'.repeat(LENGTH)}1`,
  'a date, then clocks': `5/12/2026 ${'at 1:00 '.repeat(LENGTH / 8)}x`,
  'a number, then words': `1 ${'and '.repeat(LENGTH / 4)}x`,
  separators: 'a;'.repeat(LENGTH / 2),
  // Normalising sorts the marks above and below a letter.
  'a letter under marks': `a${'\u0301\u0316'.repeat(LENGTH / 2)}`,
};

for (const [name, text] of Object.entries(HOSTILE))
  entering(`a value of ${LENGTH} characters is answered at once: ${name}`, () => {
    const keys = [
      ...ENTERED_FIELDS.map(({ path }) => path.replace(/^(children|transfers)\./, '$1.0.')),
      ...CUSTOM_FIELDS.map(({ fieldId }) => `custom.${fieldId}`),
    ];
    for (const key of keys) {
      const values = { ...ines, [key]: text };
      assert.ok(errorsOf(values)[key] !== undefined, key);
      assert.ok(fastestMs(() => enter(values)) < MOST_MS, key);
      assert.ok(fastestMs(() => enter(values, { held })) < MOST_MS, key);
    }
  });

entering('a long text is told to be too long wherever no free text is read', () => {
  const free = new Set(['text', 'texts']);
  for (const field of ENTERED_FIELDS.filter(({ type }) => !free.has(type))) {
    const key = field.path.replace(/^(children|transfers)\./, '$1.0.');
    const longest = field.type === 'codes' ? 2_000 : 200;
    assert.match(
      errorsOf({ ...ines, [key]: 'x'.repeat(longest + 1) })[key] ?? '',
      /is too long\. Shorten it\.$/,
    );
    assert.not.match(errorsOf({ ...ines, [key]: 'x'.repeat(longest) })[key] ?? '', /too long/);
  }
});

entering('any texts under any keys give an answer', () => {
  const keys = fc.constantFrom(
    ...ENTERED_FIELDS.map(({ path }) =>
      path.replace(/^(children|transfers)\./, (_, list) => `${list}.0.`),
    ),
    ...['children.21.sex', 'custom.tub', 'custom.', '__proto__', 'constructor', 'children'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('5/12/2026', '39', 'yes', '3400 g', '2:05 pm', 'Home'),
  );
  fc.assert(
    fc.property(fc.dictionary(keys, texts), (values) => {
      const entered = enter(values);
      assert.ok(entered.kind === 'course' || entered.errors.length > 0);
      if (entered.kind === 'refused') return;
      const again = enter(typedValues(entered.course), { held: entered.course });
      assert.ok(again.kind === 'course');
      if (again.kind === 'course') assert.equal(again.course, entered.course);
    }),
    { numRuns: 500 },
  );
});

entering.run();
