import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
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
