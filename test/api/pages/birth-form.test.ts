import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatDifferences } from '../../../api/pages/parts/birth-form/confirm/compare-births.ts';
import { buildEchoes } from '../../../api/pages/parts/birth-form/form/echoes.ts';
import {
  addCurrentChoices,
  FORM_FIELDS,
  LAYOUT,
  listChoices,
  listIndexes,
  sortInPageOrder,
} from '../../../api/pages/parts/birth-form/form/form-layout.ts';
import {
  addFirstChild,
  addListItem,
  formatFormValues,
  isBlank,
  locateNotices,
  removeListItem,
} from '../../../api/pages/parts/birth-form/form/form-values.ts';
import { buildCourseContext } from '../../../api/pages/text/course-values.ts';
import { DEFAULT_TIME_FORMAT } from '../../../api/pages/text/format-times.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { Field } from '../../../domain/course/fields.ts';
import { parseCourse } from '../../../domain/mapping/form/parse-course.ts';
import { birthBundle, courseOf } from '../../support/bundles.ts';

test('every field that a person may enter has one place in the form', () => {
  const placed = Object.values(LAYOUT).flatMap((parts) =>
    parts.flatMap(({ fields }) => fields.map(({ path }: Field) => path)),
  );
  assert.equal([...placed].sort(), FORM_FIELDS.map(({ path }) => path).sort());
});

const context = {
  today: '2026-11-20',
  offsetAt: () => '-05:00',
  customFields: [],
  unitIsNamed: false,
};

const fieldAt = (path: string): Field => {
  const field = FORM_FIELDS.find((one) => one.path === path);
  if (field === undefined) throw new Error(`No field ${path}`);
  return field;
};

test('what the form shows of a record says the same when it is read again', () => {
  const children = [{ given: ['Ana', 'Lux'] }, { given: ['María José'] }];
  const sent = courseOf(
    birthBundle({
      chartNumber: 'F-1',
      mother: { family: 'Łukasik', given: ['Ewa', 'Ana'] },
      children,
    }),
  );
  const [first, ...others] = sent.children;
  const course: CourseOfCare = {
    ...sent,
    children: [
      {
        ...(first as (typeof sent.children)[0]),
        gestational_age_weeks: 39,
        gestational_age_days: 4,
      },
      ...others,
    ],
    mother: { ...sent.mother, race: ['2106-3', 'a text of a sender'], education: 'AA' },
  };
  const shown = formatFormValues(course, context.offsetAt);
  assert.is(shown['mother.given_names'], 'Ewa Ana');
  assert.is(shown['children.1.given_names'], 'María José');
  assert.is(shown['children.0.gestational_age_weeks'], '39w4d');
  const { chart_number: _fixed, ...values } = shown;
  const read = parseCourse(values, { ...context, existing: course });
  assert.is(read.kind, 'course');
  if (read.kind === 'course')
    assert.equal(read.course, { ...course, stamp: null, ig_version: null });
});

test('the form holds codes, and reads a draft that holds their names', () => {
  const course: CourseOfCare = {
    ...courseOf(birthBundle({})),
    delivery_method: '11466000',
    induction_agents: ['oxytocin', 'a text of a sender'],
  };
  const shown = formatFormValues(
    { ...course, mother: { ...course.mother, education: 'PHC1452' } },
    context.offsetAt,
  );
  assert.is(shown['delivery_method'], '11466000');
  assert.is(shown['induction_agents'], 'oxytocin; a text of a sender');
  assert.is(shown['mother.education'], 'PHC1452');
  assert.ok(
    listChoices(fieldAt('delivery_method'), '11466000').some(
      ({ value, text }) => value === '11466000' && text === 'Cesarean',
    ),
  );
  const draft = {
    delivery_method: 'Vaginal, vacuum',
    induction_agents: 'Oxytocin; a text of a sender',
    'mother.education': "Associate's degree",
  };
  const held = { ...course, mother: { ...course.mother, education: 'PHC1452' } };
  const read = parseCourse(draft, { ...context, existing: held });
  assert.is(read.kind, 'course');
  if (read.kind !== 'course') return;
  assert.is(read.course.delivery_method, '61586001');
  assert.equal(read.course.induction_agents, course.induction_agents);
  assert.is(read.course.mother.education, 'PHC1452');
  assert.ok(
    addCurrentChoices(fieldAt('induction_agents'), ['Oxytocin']).some(
      ({ value, text }) => value === 'Oxytocin' && text === 'Oxytocin',
    ),
  );
});

test('children and transfers come and go without touching the others', () => {
  const one = addFirstChild({ 'mother.family_name': 'Díaz' });
  assert.equal(listIndexes('children', one), [0]);
  assert.ok(isBlank(one) === false && isBlank(addFirstChild({})));
  // Nothing is chosen before a person chooses it.
  assert.not.ok(isBlank(addFirstChild({ 'consent.granted': 'no' })));
  const two = addListItem('children', { ...one, 'children.0.sex': 'female' });
  const third = addListItem('children', removeListItem('children', 0, two));
  assert.equal(listIndexes('children', third), [1, 2]);
  assert.is(third['mother.family_name'], 'Díaz');
  assert.equal(listIndexes('transfers', addListItem('transfers', third)), [0]);
});

test('errors stand in the order of the page, whatever order they were found in', () => {
  const values = addListItem('children', addFirstChild({ 'custom.tub': '' }));
  const found = [
    'custom.tub',
    'consent.granted',
    'place_of_birth',
    'children.1.sex',
    'children.0.birth_weight_grams',
    'mother.birth_date',
    'mother.given_names',
    'plurality',
  ].map((path) => ({ path }));
  assert.equal(
    sortInPageOrder(found, values).map(({ path }) => path),
    [
      'plurality',
      'mother.given_names',
      'mother.birth_date',
      'place_of_birth',
      'children.0.birth_weight_grams',
      'children.1.sex',
      'consent.granted',
      'custom.tub',
    ],
  );
  // A field that leads the form comes first there.
  assert.is(sortInPageOrder(found, values, ['place_of_birth'])[0]?.path, 'place_of_birth');
});

test('what is hard to believe stands at the child of the form, also behind one that was removed', () => {
  const read = parseCourse(
    { 'children.1.sex': 'f', 'children.3.birth_date': '5/12/2026', place_of_birth: 'Home' },
    { ...context, today: '2026-05-01', existing: null },
  );
  assert.equal(read.childIndexes, [1, 3]);
  assert.ok(locateNotices(read).some(({ path }) => path === 'children.3.birth_date'));
  assert.ok(read.notices.some(({ path }) => path === 'children.1.birth_date'));
});

test('values are said again in other words', () => {
  const typed = {
    'mother.birth_date': 'Aug 30, 1994',
    'mother.height_cm': `5'7"`,
    'mother.delivery_weight_kg': '170 lb',
    last_menstrual_period: 'last week',
    'children.0.birth_date': '5/12/2026',
    'children.0.birth_time': '2:05 pm',
    'children.0.birth_weight_grams': '7 lb 8 oz',
    'children.0.gestational_age_weeks': '39.57',
    'children.1.birth_time': '0:30',
    'children.1.birth_weight_grams': '7',
    'consent.date_time': '2026-05-12T18:05:00Z',
  };
  const echoes = buildEchoes(typed, DEFAULT_TIME_FORMAT);
  assert.equal(echoes, {
    'mother.birth_date': 'Tuesday, August 30, 1994, 31 years old at the birth',
    'mother.height_cm': '170.2 cm (5 ft 7 in)',
    'mother.delivery_weight_kg': '77.1 kg (170 lb)',
    'children.0.birth_date': 'Tuesday, May 12, 2026',
    'children.0.birth_time': '14:05, 2:05 pm',
    'children.0.birth_weight_grams': '3,402 g (7 lb 8 oz)',
    'children.0.gestational_age_weeks': '39 weeks 4 days',
    'children.1.birth_time': '00:30, 12:30 am',
    'consent.date_time': 'May 12, 2026, 2:05 PM',
  });
});

test('a date with its time is repeated with the day of the week', () => {
  const typed = {
    'children.0.birth_time': 'May 13, 2026, 10:05 pm',
    'consent.date_time': '9/4/2026 8:05 pm',
  };
  assert.equal(buildEchoes(typed, DEFAULT_TIME_FORMAT), {
    'children.0.birth_time': 'Wednesday, May 13, 2026, 10:05 PM',
    'consent.date_time': 'Friday, September 4, 2026, 8:05 PM',
  });
});

test('a held answer goes back as it came, known or not', () => {
  const education = fieldAt('mother.education');
  assert.is(listChoices(education, '').length, 8);
  const held = listChoices(education, "Associate's degree");
  assert.is(held.length, 8);
  assert.ok(held.some(({ value }) => value === "Associate's degree"));
  assert.is(listChoices(education, 'Some text').length, 9);
  assert.ok(
    addCurrentChoices(fieldAt('induction_agents'), ['Some text']).some(
      ({ text }) => text === 'Some text',
    ),
  );
});

test('differences are told in words, weeks and days as one', () => {
  const from = courseOf(birthBundle({ chartNumber: 'F-2' }));
  const [child] = from.children;
  const to: CourseOfCare = {
    ...from,
    place_of_birth: 'Home',
    attendant: 'somebody',
    children: [
      {
        ...(child as (typeof from.children)[0]),
        gestational_age_weeks: 40,
        gestational_age_days: 1,
      },
    ],
  };
  const told = formatDifferences(
    from,
    to,
    buildCourseContext({ ...DEFAULT_TIME_FORMAT, customFields: [] }),
  );
  assert.equal(
    told.map(({ label, from: was, to: is }) => `${label}: ${was} → ${is}`),
    ['Child: gestational age: 39 weeks → 40 weeks 1 day', 'Place of birth: Hospital → Home'],
  );
});

test.run();
