import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  WARNING_REASONS,
} from '../../../../domain/course/course.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf, mapBundle, observation } from '../../../support/bundles.ts';

const bare = { weight: null, weeks: null, apgarFive: null };

const courseWith = (...more: readonly JsonObject[]): CourseOfCare =>
  courseOf(birthBundle({ children: [bare], more }));

const childWith = (...more: readonly JsonObject[]): Child => {
  const [child] = courseWith(...more).children;
  if (child === undefined) throw new Error('no child');
  return child;
};

const quantity = (value: number, unit?: string, rest: JsonObject = {}): JsonObject => ({
  valueQuantity: { value, ...(unit === undefined ? {} : { code: unit }), ...rest },
});
const concept = (code: string): JsonObject => ({ valueCodeableConcept: { coding: [{ code }] } });
const SNOMED = 'http://snomed.info/sct';
const weight = (value: JsonObject): JsonObject => observation('8339-4', value);
const ounces = (value: number, unit = '[oz_av]'): JsonObject => ({
  component: [{ valueQuantity: { value, code: unit } }],
});

for (const [name, value, grams] of [
  ['grams', quantity(2500, 'g'), 2500],
  ['no unit means grams', quantity(2500), 2500],
  ['a bare integer means grams', { valueInteger: 3120 }, 3120],
  ['kilograms', quantity(3.405, 'kg'), 3405],
  ['milligrams', quantity(2_500_000, 'mg'), 2500],
  ['pounds', quantity(7.5, '[lb_av]'), 3401.942775],
  ['pounds without brackets', quantity(7, 'lb_av'), 3175.14659],
  ['ounces', quantity(120, '[oz_av]'), 3401.942775],
  ['lb', quantity(7, 'lb'), 3175.14659],
  ['oz', quantity(120, 'oz'), 3401.942775],
  ['gram', quantity(2500, 'gram'), 2500],
  ['gm', quantity(2500, 'gm'), 2500],
  ['a unit in unit alone', { valueQuantity: { value: 2.5, unit: 'kg' } }, 2500],
  ['code before unit', { valueQuantity: { value: 2500, unit: 'kg', code: 'g' } }, 2500],
  [
    'pounds and an ounces component add up',
    { ...quantity(7, '[lb_av]'), ...ounces(8) },
    3401.942775,
  ],
  ['pounds and ounces without brackets', { ...quantity(7, 'lb'), ...ounces(8, 'oz') }, 3401.942775],
  [
    'pounds and ounces both as components',
    {
      component: [
        { valueQuantity: { value: 7, unit: 'lb' } },
        { valueQuantity: { value: 8, unit: 'oz' } },
      ],
    },
    3401.942775,
  ],
  ['grams before pounds in a component', { ...quantity(2500, 'g'), ...ounces(7, 'lb') }, 2500],
  ['stored exactly, not rounded', quantity(3401.5, 'g'), 3401.5],
  ['100 g is possible', quantity(100, 'g'), 100],
  ['9,000 g is possible', quantity(9000, 'g'), 9000],
] as const) {
  test(`birth weight: ${name}`, () => {
    const child = childWith(weight(value));
    assert.is(child.birth_weight_grams, grams);
    assert.equal(courseWith(weight(value)).warnings, []);
  });
}

for (const [name, value, id, raw] of [
  ['99 g is left out', quantity(99, 'g'), 'out-of-range', 99],
  ['9,001 g is left out', quantity(9001, 'g'), 'out-of-range', 9001],
  ['a negative weight is left out', quantity(-5, 'g'), 'out-of-range', -5],
  ['an unknown unit is left out', quantity(2500, 'stone'), 'unit-unknown', 2500],
  ['a comparator is left out', quantity(2500, 'g', { comparator: '>' }), 'has-comparator', 2500],
  [
    'a word in the place of a number is left out',
    { valueQuantity: { value: 'heavy', code: 'g' } },
    'not-a-number',
    'heavy',
  ],
] as const) {
  test(`birth weight: ${name} with a warning that keeps the raw value`, () => {
    const course = courseWith(weight(value));
    assert.is(course.children[0]?.birth_weight_grams, null);
    assert.equal(course.warnings, [
      { field: 'children.birth_weight_grams', child: 0, raw, id, reason: WARNING_REASONS[id] },
    ]);
  });
}

for (const [name, value] of [
  ['no value at all', {}],
  ['a Quantity without value', { valueQuantity: { code: 'g' } }],
  ['-1', quantity(-1, 'g')],
  ['the integer -1', { valueInteger: -1 }],
  ['null', { valueQuantity: null }],
] as const) {
  test(`birth weight: ${name} is null without a warning`, () => {
    const course = courseWith(weight(value));
    assert.is(course.children[0]?.birth_weight_grams, null);
    assert.equal(course.warnings, []);
  });
}

test('birth weight: 3141-9 and 29463-7 count when their subject is a child', () => {
  for (const code of ['3141-9', '29463-7']) {
    assert.is(childWith(observation(code, quantity(2900, 'g'))).birth_weight_grams, 2900);
    const ofMother = observation(code, quantity(7000, 'g'), 'Patient/mother');
    assert.is(childWith(ofMother).birth_weight_grams, null);
  }
});

const age = (value: JsonObject): JsonObject => observation('11884-4', value);

for (const [name, value, weeks, days] of [
  ['weeks', quantity(36, 'wk'), 36, 0],
  ['236 d is 33 weeks 5 days', quantity(236, 'd'), 33, 5],
  ['no unit means weeks', quantity(39), 39, 0],
  ['a bare integer means weeks', { valueInteger: 40 }, 40, 0],
  ['weeks in words', { valueQuantity: { value: 38, unit: 'weeks' } }, 38, 0],
  ['fractions to the nearest day', quantity(36.4, 'wk'), 36, 3],
  ['fractions may fill the week', quantity(36.99, 'wk'), 37, 0],
  ['12 weeks are possible', quantity(12, 'wk'), 12, 0],
  ['47 weeks are possible', quantity(47, 'wk'), 47, 0],
] as const) {
  test(`gestational age: ${name}`, () => {
    const child = childWith(age(value));
    assert.equal([child.gestational_age_weeks, child.gestational_age_days], [weeks, days]);
  });
}

for (const value of [
  quantity(11.9, 'wk'),
  quantity(47.1, 'wk'),
  quantity(83, 'd'),
  quantity(9, 'mo'),
]) {
  test(`gestational age: ${JSON.stringify(value)} is left out with a warning`, () => {
    const course = courseWith(age(value));
    assert.is(course.children[0]?.gestational_age_weeks, null);
    assert.is(course.children[0]?.gestational_age_days, null);
    assert.is(course.warnings[0]?.field, 'children.gestational_age_weeks');
  });
}

test('gestational age: 18185-9, 57714-8 and 76516-4 are aliases', () => {
  for (const code of ['18185-9', '57714-8', '76516-4'])
    assert.is(childWith(observation(code, quantity(38, 'wk'))).gestational_age_weeks, 38);
});

for (const [code, field] of [
  ['9272-6', 'apgar_one_minute'],
  ['9274-2', 'apgar_five_minute'],
  ['9271-8', 'apgar_ten_minute'],
] as const) {
  test(`${code} is ${field}, as valueQuantity with {score} and as valueInteger`, () => {
    assert.is(childWith(observation(code, quantity(7, '{score}')))[field], 7);
    assert.is(childWith(observation(code, { valueInteger: 0 }))[field], 0);
    assert.is(childWith(observation(code, { valueInteger: 10 }))[field], 10);
  });
}

test('an Apgar score of 14, of 7.5 or in grams is left out with a warning', () => {
  for (const value of [
    quantity(14, '{score}'),
    quantity(7.5, '{score}'),
    quantity(7, 'g'),
    { valueInteger: 11 },
  ]) {
    const course = courseWith(observation('9274-2', value));
    assert.is(course.children[0]?.apgar_five_minute, null);
    assert.is(course.warnings.length, 1);
  }
});

const APGAR_SCORES: readonly (readonly [string, JsonObject])[] = [
  ['a text', { valueString: ' 8 ' }],
  ['a text of ten', { valueString: '8/10' }],
  ['a spaced text of ten', { valueString: '8 / 10' }],
  ['the unit {#}', quantity(8, '{#}')],
  ['the unit #', { valueQuantity: { value: 8, unit: '#' } }],
  ['a code that is a number', concept('8')],
  ['the text of a code', { valueCodeableConcept: { coding: [{ code: 'x' }], text: '8' } }],
  [
    'the display of a code',
    { valueCodeableConcept: { coding: [{ system: SNOMED, code: '278899008', display: '8' }] } },
  ],
];

for (const [name, value] of APGAR_SCORES)
  test(`an Apgar score of 8 as ${name}`, () => {
    const course = courseWith(observation('9274-2', value));
    assert.is(course.children[0]?.apgar_five_minute, 8);
    assert.equal(course.warnings, []);
  });

for (const [name, value, raw] of [
  ['a word', { valueString: 'good' }, 'good'],
  ['a range', { valueString: '7-8' }, '7-8'],
  ['a code that is no number', concept('278899008'), '278899008'],
  ['a text beside a code', { valueCodeableConcept: { text: 'normal' } }, 'normal'],
  [
    'a number that is the code of other words',
    { valueCodeableConcept: { coding: [{ code: '3', display: 'Six to ten' }] } },
    'Six to ten',
  ],
] as const)
  test(`an Apgar score as ${name} is left out with a warning`, () => {
    const course = courseWith(observation('9274-2', value));
    assert.is(course.children[0]?.apgar_five_minute, null);
    const left = { id: 'not-understood', reason: 'The value is not understood' };
    assert.equal(course.warnings, [
      { field: 'children.apgar_five_minute', child: 0, raw, ...left },
    ]);
  });

for (const value of [{ valueString: 'unknown' }, { valueString: '-1' }, concept('UNK'), {}])
  test(`an Apgar score as ${JSON.stringify(value)} is null without a warning`, () => {
    const course = courseWith(observation('9274-2', value));
    assert.is(course.children[0]?.apgar_five_minute, null);
    assert.equal(course.warnings, []);
  });

const component = (code: string, value: JsonObject): JsonObject => ({
  code: { coding: [{ system: 'http://loinc.org', code }] },
  ...value,
});
const panel = (rest: JsonObject, ...components: readonly JsonObject[]): JsonObject =>
  observation('48333-9', { component: components, ...rest });

test("the components of a panel are read as Observations of the panel's subject", () => {
  const course = courseOf(
    birthBundle({
      children: [bare, bare],
      more: [
        panel(
          { subject: { reference: 'Patient/child-2' } },
          component('9272-6', { valueInteger: 7 }),
          component('9274-2', { valueString: '9' }),
          component('32401-6', { valueInteger: 2 }),
        ),
      ],
    }),
  );
  assert.equal(
    course.children.map((child) => [child.apgar_one_minute, child.apgar_five_minute]),
    [
      [null, null],
      [7, 9],
    ],
  );
  assert.equal(course.warnings, []);
});

test('the components of a panel count by its status', () => {
  const { apgar_five_minute } = childWith(
    panel({}, component('9274-2', { valueInteger: 9 })),
    panel({ status: 'entered-in-error' }, component('9274-2', { valueInteger: 1 })),
    panel({ status: 'preliminary' }, component('9274-2', { valueInteger: 2 })),
  );
  assert.is(apgar_five_minute, 9);
});

test('a component of the same kind is a part of the value, not another value', () => {
  const ouncesToo = { component: [component('8339-4', quantity(8, '[oz_av]'))] };
  const both = weight({ ...quantity(7, '[lb_av]'), ...ouncesToo });
  assert.is(childWith(both).birth_weight_grams, 3401.942775);
});

for (const [name, valueQuantity, grams] of [
  ['a SNOMED CT code', { value: 3400, system: SNOMED, code: '258682000', unit: 'g' }, 3400],
  ['a code of no system', { value: 3400, code: 'GRM', unit: 'g' }, 3400],
] as const)
  test(`birth weight: a unit stated as text beside ${name} is read`, () => {
    const course = courseWith(weight({ valueQuantity }));
    assert.is(course.children[0]?.birth_weight_grams, grams);
    assert.equal(course.warnings, []);
  });

for (const [name, valueQuantity] of [
  ['a SNOMED CT code alone', { value: 3400, system: SNOMED, code: '258682000' }],
  ['a SNOMED CT code beside an unknown text', { value: 9, code: '258682000', unit: 'stone' }],
  [
    'a UCUM code that contradicts the text',
    { value: 9, system: 'http://unitsofmeasure.org', code: '[stone_av]', unit: 'kg' },
  ],
] as const)
  test(`birth weight: ${name} as unit is left out with a warning`, () => {
    const course = courseWith(weight({ valueQuantity }));
    assert.is(course.children[0]?.birth_weight_grams, null);
    assert.is(course.warnings[0]?.reason, 'The unit is unknown');
  });

for (const [name, value, grams] of [
  ['a text with its unit', { valueString: '3400 g' }, 3400],
  ['a text without unit', { valueString: '3400' }, 3400],
] as const)
  test(`birth weight: ${name} is read`, () => {
    assert.is(childWith(weight(value)).birth_weight_grams, grams);
  });

test('birth weight: a text that is no number is left out with a warning', () => {
  assert.equal(courseWith(weight({ valueString: 'about 7 pounds' })).warnings, [
    {
      field: 'children.birth_weight_grams',
      child: 0,
      raw: 'about 7 pounds',
      id: 'not-understood',
      reason: 'The value is not understood',
    },
  ]);
});

test('a missing system counts as LOINC, another system does not match', () => {
  const coded = (coding: JsonObject): JsonObject => ({
    ...weight(quantity(2500, 'g')),
    code: { coding: [coding] },
  });
  assert.is(childWith(coded({ code: '8339-4' })).birth_weight_grams, 2500);
  assert.is(childWith(coded({ system: ' ', code: '8339-4' })).birth_weight_grams, 2500);
  assert.is(childWith(coded({ system: 'urn:x', code: '8339-4' })).birth_weight_grams, null);
});

test('any coding of code may match, and the profile never does', () => {
  const second = {
    ...weight(quantity(2500, 'g')),
    code: {
      coding: [
        { system: 'urn:x', code: '1' },
        { system: 'http://loinc.org', code: '8339-4' },
      ],
    },
  };
  assert.is(childWith(second).birth_weight_grams, 2500);
  const profiled = {
    resourceType: 'Observation',
    meta: { profile: ['http://hl7.org/fhir/us/bfdr/StructureDefinition/Observation-birth-weight'] },
    subject: { reference: 'Patient/child-1' },
    ...quantity(2500, 'g'),
  };
  assert.is(childWith(profiled).birth_weight_grams, null);
});

const stated = (status: string | undefined, value: number): JsonObject => ({
  ...weight(quantity(value, 'g')),
  status,
});

for (const [name, observations, grams] of [
  ['the last of several counts', [stated('final', 2000), stated('final', 2100)], 2100],
  [
    'a final one before a later preliminary one',
    [stated('final', 2000), stated('preliminary', 2100)],
    2000,
  ],
  [
    'amended and corrected are like final',
    [stated('final', 2000), stated('amended', 2100), stated('corrected', 2200)],
    2200,
  ],
  ['no status counts when there is nothing else', [stated(undefined, 2000)], 2000],
  [
    'one with a usable value before a later one without',
    [stated('final', 2000), stated('final', -1)],
    2000,
  ],
  [
    'a preliminary one before a final one without value',
    [stated('preliminary', 2000), stated('final', -1)],
    2000,
  ],
  ['entered-in-error never', [stated('final', 2000), stated('entered-in-error', 2100)], 2000],
  ['cancelled never', [stated('cancelled', 2100)], null],
] as const) {
  test(`several Observations of one kind: ${name}`, () => {
    assert.is(childWith(...observations).birth_weight_grams, grams);
  });
}

test('aliases are one kind, and the general ones give way', () => {
  const alias = observation('29463-7', quantity(2200, 'g'));
  const other = observation('3141-9', quantity(2100, 'g'));
  assert.is(childWith(alias, other).birth_weight_grams, 2100);
  assert.is(childWith(stated('final', 2000), alias).birth_weight_grams, 2000);
});

test('an unresolved subject, or the mother, means the only child', () => {
  for (const subject of ['Patient/nobody', 'Patient/mother', 'Location/place'])
    assert.is(
      childWith(observation('8339-4', quantity(2500, 'g'), subject)).birth_weight_grams,
      2500,
    );
  const { subject: _none, ...without } = weight(quantity(2500, 'g'));
  assert.is(childWith(without).birth_weight_grams, 2500);
});

test('with several children each takes its own, and what names none of them is left out', () => {
  const course = courseOf(
    birthBundle({
      children: [bare, bare],
      more: [
        observation('8339-4', quantity(2100, 'g'), 'Patient/child-2'),
        observation('8339-4', quantity(2200, 'g'), 'Patient/child-1'),
        observation('9274-2', { valueInteger: 8 }, 'Patient/mother'),
      ],
    }),
  );
  assert.equal(
    course.children.map((child) => [child.birth_weight_grams, child.apgar_five_minute]),
    [
      [2200, null],
      [2100, null],
    ],
  );
  assert.equal(course.warnings, [
    {
      field: 'children.apgar_five_minute',
      child: null,
      raw: null,
      id: 'subject-unknown',
      reason: 'The subject is none of the several children',
    },
  ]);
});

/** An Observation in the chart of the mother, about what its focus names. */
const inFocus = (code: string, value: JsonObject, ...focus: readonly string[]): JsonObject => ({
  ...observation(code, value, 'Patient/mother'),
  focus: focus.map((reference) => ({ reference })),
});
const twinsWith = (...more: readonly JsonObject[]): CourseOfCare =>
  courseOf(birthBundle({ children: [bare, bare], more }));

test('with several children the one in focus is meant where the subject is the mother', () => {
  const course = twinsWith(
    inFocus('11884-4', quantity(36, 'wk'), 'Patient/child-2'),
    inFocus('8339-4', quantity(2100, 'g'), 'Patient/child-1'),
    inFocus('29463-7', quantity(2200, 'g'), 'Patient/mother', 'Patient/child-2'),
    inFocus('9274-2', { valueInteger: 8 }, 'Location/place', 'Patient/child-1'),
  );
  assert.equal(
    course.children.map((child) => [
      child.gestational_age_weeks,
      child.birth_weight_grams,
      child.apgar_five_minute,
    ]),
    [
      [null, 2100, 8],
      [36, 2200, null],
    ],
  );
  assert.equal(course.warnings, []);
});

test('a focus on both children, or on none, leaves the value out with a warning', () => {
  for (const focus of [['Patient/child-1', 'Patient/child-2'], ['Patient/mother'], []]) {
    const course = twinsWith(inFocus('11884-4', quantity(36, 'wk'), ...focus));
    assert.equal(
      course.children.map((child) => child.gestational_age_weeks),
      [null, null],
    );
    assert.equal(
      course.warnings.map(({ reason }) => reason),
      ['The subject is none of the several children'],
    );
  }
});

test('a child that is the subject is meant, whatever is in focus', () => {
  const course = twinsWith({
    ...observation('9274-2', { valueInteger: 8 }, 'Patient/child-1'),
    focus: [{ reference: 'Patient/child-2' }],
  });
  assert.is(course.children[0]?.apgar_five_minute, 8);
  assert.is(course.children[1]?.apgar_five_minute, null);
});

test("a length whose focus is a child is not the mother's height", () => {
  const course = courseWith(inFocus('8302-2', quantity(51, 'cm'), 'Patient/child-1'));
  assert.is(course.mother.height_cm, null);
});

const yes = { valueCodeableConcept: { coding: [{ code: 'Y' }] } };

for (const [code, value, field, expected] of [
  ['68493-6', { valueInteger: 8 }, 'prenatal_visits', 8],
  ['68493-6', quantity(0, '{visits}'), 'prenatal_visits', 0],
  ['68493-6', { valueInteger: -1 }, 'prenatal_visits', null],
  ['8665-2', { valueDateTime: '2025-06-05' }, 'last_menstrual_period', '2025-06-05'],
  ['8665-2', { valueDateTime: '2025-06' }, 'last_menstrual_period', '2025-06'],
  ['69044-6', { valueDateTime: '2025-07-20T09:00:00Z' }, 'first_prenatal_visit', '2025-07-20'],
  ['87303-4', yes, 'wic', true],
  ['87303-4', concept('N'), 'wic', false],
  ['87303-4', concept('UNK'), 'wic', null],
  ['87303-4', { valueBoolean: true }, 'wic', true],
  ['87303-4', { valueString: 'no' }, 'wic', false],
  ['64794-1', { valueInteger: 20 }, 'cigarettes_before', 20],
  ['87298-6', quantity(3, '{cigarettes}/d'), 'cigarettes_first_trimester', 3],
  ['87299-4', quantity(1, '{packs}/d'), 'cigarettes_second_trimester', null],
  ['64795-8', { valueInteger: 0 }, 'cigarettes_third_trimester', 0],
  ['11638-4', { valueInteger: 2 }, 'previous_births_living', 2],
  ['68496-9', { valueInteger: 0 }, 'previous_births_dead', 0],
  ['69043-8', { valueInteger: 1 }, 'other_outcomes', 1],
  ['68497-7', { valueInteger: 1 }, 'previous_cesareans', 1],
  ['57722-1', { valueInteger: 2 }, 'plurality', 2],
  ['73773-4', { valueInteger: 2 }, 'plurality', null],
  ['73762-7', concept('11466000'), 'delivery_method', '11466000'],
  ['73762-7', concept('261665006'), 'delivery_method', null],
  ['73760-1', { valueBoolean: true }, 'trial_of_labor', true],
  ['73765-0', { valueBoolean: true }, 'planned_place_of_birth', 'Home'],
  ['73765-0', { valueBoolean: false }, 'planned_place_of_birth', null],
  ['73765-0', { valueBoolean: false }, 'planned_home_birth', 'no'],
  ['73765-0', concept('Y'), 'planned_home_birth', 'yes'],
  ['73765-0', { component: [component('73765-0', concept('Y'))] }, 'planned_home_birth', 'yes'],
  ['73765-0', concept('91154008'), 'planned_place_of_birth', 'Birth center'],
  ['73765-0', concept('408838003'), 'planned_place_of_birth', null],
] as const) {
  test(`${code} valued ${JSON.stringify(value)}: ${field} is ${expected}`, () => {
    assert.is(courseWith(observation(code, value, 'Patient/mother'))[field], expected);
  });
}

test('a profile with planned and birthplace in its name is the planned place of birth', () => {
  const planned = {
    resourceType: 'Observation',
    meta: {
      profile: ['http://hl7.org/fhir/us/bfdr/StructureDefinition/Observation-planned-birthplace'],
    },
    ...concept('39350007'),
  };
  assert.is(courseWith(planned).planned_place_of_birth, 'Clinic');
});

for (const [code, value, field, expected] of [
  ['8302-2', quantity(67, '[in_i]'), 'height_cm', 170.18],
  ['8302-2', { valueQuantity: { value: 61, unit: 'in_i', code: 'in_i' } }, 'height_cm', 154.94],
  ['3137-7', quantity(170, 'cm'), 'height_cm', 170],
  ['8302-2', quantity(67), 'height_cm', null],
  ['56077-1', quantity(145, '[lb_av]'), 'prepregnancy_weight_kg', 65.77089365],
  ['69461-2', quantity(80.5, 'kg'), 'delivery_weight_kg', 80.5],
  ['69461-2', { valueInteger: 80 }, 'delivery_weight_kg', null],
  ['69461-2', { valueString: '80,5' }, 'delivery_weight_kg', null],
  ['69461-2', { valueString: '80,5 kg' }, 'delivery_weight_kg', 80.5],
  ['57712-2', concept('POSTG'), 'education', 'POSTG'],
  ['57712-2', concept('X9'), 'education', 'X9'],
] as const) {
  test(`${code} valued ${JSON.stringify(value)}: the mother's ${field} is ${expected}`, () => {
    assert.is(courseWith(observation(code, value, 'Patient/mother')).mother[field], expected);
  });
}

test("a child's length is not the mother's height", () => {
  assert.is(courseWith(observation('8302-2', quantity(51, 'cm'))).mother.height_cm, null);
});

for (const [code, value, field, expected] of [
  ['73761-9', concept('6096002'), 'presentation', '6096002'],
  ['73761-9', concept('OTH'), 'presentation', 'OTH'],
  ['73761-9', concept('UNK'), 'presentation', null],
  ['73761-9', { valueCodeableConcept: { text: 'Face' } }, 'presentation', 'Face'],
  [
    '73761-9',
    { valueCodeableConcept: { coding: [{ code: 'local' }, { code: '70028003' }] } },
    'presentation',
    '70028003',
  ],
  ['73757-7', { valueBoolean: false }, 'living', false],
  ['73756-9', { valueBoolean: true }, 'breastfed_at_discharge', true],
  ['73812-0', concept('830077005'), 'nicu_admission', true],
  ['73812-0', concept('260413007'), 'nicu_admission', false],
  ['73812-0', concept('91175000'), 'nicu_admission', null],
] as const) {
  test(`${code} valued ${JSON.stringify(value)}: ${field} is ${expected}`, () => {
    assert.is(childWith(observation(code, value))[field], expected);
  });
}

const NOT_UNDERSTOOD = ['not-understood'];

for (const [code, value, warned] of [
  ['73765-0', { valueString: 'maybe' }, NOT_UNDERSTOOD],
  ['73765-0', { valueInteger: 1 }, NOT_UNDERSTOOD],
  ['73765-0', concept('408838003'), NOT_UNDERSTOOD],
  ['73765-0', concept('UNK'), []],
  ['73765-0', { dataAbsentReason: { coding: [{ code: 'unknown' }] } }, []],
  ['planned_place_of_birth', concept('264362003'), NOT_UNDERSTOOD],
  ['planned_place_of_birth', { valueCodeableConcept: { text: 'At sea' } }, NOT_UNDERSTOOD],
  ['planned_place_of_birth', { valueBoolean: false }, NOT_UNDERSTOOD],
  ['planned_place_of_birth', concept('UNK'), []],
  ['73812-0', concept('91175000'), NOT_UNDERSTOOD],
  ['73812-0', { valueCodeableConcept: { text: 'Seizures' } }, NOT_UNDERSTOOD],
  ['73812-0', { valueBoolean: true }, NOT_UNDERSTOOD],
  ['73812-0', concept('NI'), []],
] as const)
  test(`${code} valued ${JSON.stringify(value)} leaves ${warned.length} warnings`, () => {
    const sent = code.startsWith('7') ? observation(code, value) : own(code, value);
    const { warnings } = courseWith(sent);
    assert.equal(
      warnings.map(({ id }) => id),
      warned,
    );
  });

const own = (code: string, value: JsonObject, system = 'urn:birth-registry:codes'): JsonObject => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system, code }] },
  ...value,
});

for (const [code, value, expected] of [
  ['birth_position', concept('squatting'), 'squatting'],
  ['birth_position', { valueString: 'Squatting' }, 'squatting'],
  ['birth_position', { valueString: 'On the stairs' }, 'On the stairs'],
  ['induction_indication', concept('post-term'), 'post-term'],
  ['stat_cesarean', { valueBoolean: true }, true],
  ['doula_present', yes, true],
  ['delayed_cord_clamping', { valueString: 'yes' }, true],
  ['prenatal_care_site', { valueString: 'Main Street Clinic' }, 'Main Street Clinic'],
  ['prenatal_care_site', { valueCodeableConcept: { text: 'Clinic' } }, 'Clinic'],
  ['attendant_name', { valueString: 'Maya Lindqvist' }, 'Maya Lindqvist'],
  ['attendant_title', concept('cnm-cm'), 'cnm-cm'],
  ['attendant_title', { valueString: 'CNM-CM' }, 'cnm-cm'],
] as const) {
  test(`the registry's own code ${code} valued ${JSON.stringify(value)} is ${expected}`, () => {
    assert.is(courseWith(own(code, value))[code], expected);
  });
}

test('the agents of labor add up, each once', () => {
  const course = courseWith(
    own('induction_agents', concept('oxytocin')),
    own('induction_agents', concept('balloon')),
    own('induction_agents', concept('oxytocin')),
    own('augmentation_agents', concept('816966004')),
  );
  assert.equal(course.induction_agents, ['oxytocin', 'balloon']);
  assert.equal(course.augmentation_agents, ['816966004']);
});

test('the own codes count under the address of the registry as well, and under no other', () => {
  const system = 'https://registry.example.org/fhir/CodeSystem/registry';
  const bundle = birthBundle({ more: [own('stat_cesarean', { valueBoolean: true }, system)] });
  const mapped = mapBundle(bundle, 'native', [system]);
  assert.is(mapped.kind === 'course' && mapped.course.stat_cesarean, true);
  assert.is(courseOf(bundle).stat_cesarean, null);
});

test('Procedure, Condition, Coverage, RelatedPerson and QuestionnaireResponse are ignored', () => {
  const code = { coding: [{ system: 'http://loinc.org', code: '8339-4' }] };
  const more = ['Procedure', 'Condition', 'Coverage', 'RelatedPerson', 'QuestionnaireResponse'].map(
    (resourceType) => ({ resourceType, code, ...quantity(2500, 'g') }),
  );
  assert.is(childWith(...more).birth_weight_grams, null);
});

test.run();
