import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import { type BirthParts, birthBundle, courseOf, observation } from '../../../support/bundles.ts';

const FOLDER = new URL('../../../fixtures/reading/', import.meta.url);
const sent = (name: string): CourseOfCare =>
  courseOf(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')));

const bare = { weight: null, weeks: null, apgarFive: null };
const courseWith = (...more: readonly JsonObject[]): CourseOfCare =>
  courseOf(birthBundle({ children: [bare], more }));

/** A Bundle whose mother or only child says more, or other things. */
const withPatient = (who: 'mother' | 'child-1', changes: JsonObject, parts: BirthParts = {}) => {
  const bundle = birthBundle({ children: [bare], ...parts });
  const entry = (bundle['entry'] as readonly { readonly resource: JsonObject }[]).map((one) =>
    one.resource['id'] === who ? { ...one, resource: { ...one.resource, ...changes } } : one,
  );
  return courseOf({ ...bundle, entry });
};

const idsOf = ({ warnings }: CourseOfCare) => warnings.map(({ field, id }) => `${field} ${id}`);

const gestation = ({ children: [child] }: CourseOfCare) => [
  child?.gestational_age_weeks,
  child?.gestational_age_days,
];

const quantity = (value: unknown, code?: string): JsonObject => ({
  valueQuantity: { value, ...(code === undefined ? {} : { code }) },
});

// Values in quotes, or of another type.

test('a boolean in quotes is read', () => {
  const course = sent('04b-boolean-in-quotes');
  assert.is(course.children[0]?.living, true);
  assert.equal(course.warnings, []);
});

for (const [name, value] of [
  ['a Quantity with its number in quotes', quantity('3400', 'g')],
  ['a Quantity with commas', quantity('3,400', 'g')],
  ['an integer in quotes', { valueInteger: '3400' }],
  ['a decimal', { valueDecimal: 3400.0 }],
  ['a number where a text is expected', { valueString: 3400 }],
  ['a Quantity that is only a text', { valueQuantity: '3400 g' }],
] as const)
  test(`a birth weight as ${name} is read`, () => {
    const course = courseWith(observation('8339-4', value));
    assert.is(course.children[0]?.birth_weight_grams, 3400);
    assert.equal(course.warnings, []);
  });

for (const [name, value, answer] of [
  ['a boolean as text', { valueString: 'true' }, true],
  ['a boolean in quotes', { valueBoolean: 'false' }, false],
  ['a code', { valueCode: 'Y' }, true],
  ['a Coding', { valueCoding: { code: 'N' } }, false],
  ['a concept that is only a text', { valueCodeableConcept: 'yes' }, true],
] as const)
  test(`yes or no as ${name} is read`, () => {
    const course = courseWith(observation('87303-4', value, 'Patient/mother'));
    assert.is(course.wic, answer);
    assert.equal(course.warnings, []);
  });

for (const [name, value, date, warned] of [
  ['an instant', { valueInstant: '2025-07-20T09:00:00Z' }, '2025-07-20', ['time-of-date']],
  ['a date', { valueDate: '2025-07-20' }, '2025-07-20', []],
  [
    'the start of a period',
    { valuePeriod: { start: '2025-07-20', end: '2025-08-01' } },
    '2025-07-20',
    [],
  ],
] as const)
  test(`a first visit as ${name} is read`, () => {
    const course = courseWith(observation('69044-6', value, 'Patient/mother'));
    assert.is(course.first_prenatal_visit, date);
    assert.equal(
      course.warnings.map(({ id }) => id),
      warned,
    );
  });

for (const [code, value] of [
  ['68493-6', { valueBoolean: true }],
  ['68493-6', { valueRange: { low: { value: 8 }, high: { value: 9 } } }],
  ['68493-6', { valueTime: '07:00:00' }],
  ['87303-4', { valueInteger: 3 }],
  ['87303-4', { valueRatio: { numerator: { value: 1 } } }],
  ['69044-6', { valueInteger: 20250720 }],
  ['69044-6', { valueTime: '07:00:00' }],
  ['69044-6', { valueBoolean: true }],
  ['73762-7', { valueBoolean: true }],
  ['73762-7', { valueInteger: 3 }],
] as const)
  test(`${code} valued ${JSON.stringify(value)} is never left out without a warning`, () => {
    const course = courseWith(observation(code, value, 'Patient/mother'));
    assert.is(course.warnings.length, 1);
  });

for (const [name, changes, field, expected] of [
  ['a birth order in quotes', { multipleBirthInteger: '2' }, 'birth_order', 2],
  ['no multiple birth in quotes', { multipleBirthBoolean: 'false' }, 'birth_order', 1],
  ['deceased in quotes', { deceasedBoolean: 'true' }, 'living', false],
  [
    'us-core-sex alone',
    {
      gender: undefined,
      extension: [
        {
          url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-sex',
          valueCode: '248152002',
        },
      ],
    },
    'sex',
    'female',
  ],
  [
    'us-core-sex as a Coding',
    {
      gender: undefined,
      extension: [
        {
          url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-sex',
          valueCoding: { code: '248153007' },
        },
      ],
    },
    'sex',
    'male',
  ],
] as const)
  test(`a Patient with ${name} is read`, () => {
    const course = withPatient('child-1', changes);
    assert.is(course.children[0]?.[field], expected);
    assert.equal(course.warnings, []);
  });

for (const [changes, warning] of [
  [{ multipleBirthInteger: 'second' }, 'children.birth_order not-understood'],
  [{ multipleBirthBoolean: 2 }, 'children.birth_order not-understood'],
  [{ deceasedBoolean: 1 }, 'children.living not-understood'],
  [{ gender: 'neither' }, 'children.sex not-understood'],
] as const)
  test(`a Patient with ${JSON.stringify(changes)} has a warning`, () => {
    assert.equal(idsOf(withPatient('child-1', changes)), [warning]);
  });

const bornWith = (value: JsonObject): JsonObject => ({
  birthDate: '2026-03-12',
  _birthDate: {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', ...value }],
  },
});

for (const [value, time] of [
  [{ valueInstant: '2026-03-12T04:31:00-05:00' }, '2026-03-12T04:31:00-05:00'],
  [{ valueString: '2026-03-12T04:31:00' }, '2026-03-12T04:31:00'],
  [{ valueTime: '04:31:00' }, '2026-03-12T04:31:00'],
] as const)
  test(`a time of birth as ${Object.keys(value)[0]} is read`, () => {
    const course = withPatient('child-1', bornWith(value));
    assert.is(course.children[0]?.birth_time, time);
    assert.equal(course.warnings, []);
  });

// A measure in two parts.

test('weeks and days add up, feet and inches too', () => {
  const course = sent('05a-weeks-and-days-feet-and-inches');
  assert.equal(gestation(course), [39, 2]);
  assert.is(course.mother.height_cm, 167.64);
  assert.equal(course.warnings, []);
});

test('pounds and ounces add up', () => {
  assert.is(sent('05f-control-pounds-and-ounces').children[0]?.birth_weight_grams, 3401.942775);
});

test('a value that stands only in a component of its own code is read', () => {
  const [child] = sent('05g-value-in-a-component-of-its-own-code').children;
  assert.equal([child?.apgar_five_minute, child?.birth_weight_grams], [9, 3400]);
});

const own = (code: string, value: JsonObject): JsonObject => ({
  code: { coding: [{ system: 'http://loinc.org', code }] },
  ...value,
});

for (const [name, value, expected] of [
  [
    'weeks and days both as components',
    { component: [own('11884-4', quantity(38, 'wk')), own('11884-4', quantity(6, 'd'))] },
    [38, 6],
  ],
  [
    'days in a component under an alias',
    { ...quantity(38, 'wk'), component: [own('18185-9', quantity(6, 'd'))] },
    [38, 6],
  ],
  [
    'days in a component that only its unit names',
    { ...quantity(38, 'wk'), component: [{ code: { text: 'Days' }, ...quantity(6, 'd') }] },
    [38, 6],
  ],
  [
    'the same age once more in days',
    { ...quantity(39, 'wk'), component: [own('11884-4', quantity(275, 'd'))] },
    [39, 2],
  ],
  [
    'a fraction of weeks beside its days',
    { ...quantity(39.3, 'wk'), component: [own('11884-4', quantity(2, 'd'))] },
    [39, 2],
  ],
] as const)
  test(`a gestational age with ${name} is read`, () => {
    const course = courseWith(observation('11884-4', value));
    assert.equal(gestation(course), expected);
    assert.equal(course.warnings, []);
  });

test('parts that contradict each other are left out with a warning', () => {
  const value = { ...quantity(39, 'wk'), component: [own('11884-4', quantity(250, 'd'))] };
  assert.equal(idsOf(courseWith(observation('11884-4', value))), [
    'children.gestational_age_weeks not-understood',
  ]);
});

for (const [text, expected] of [
  ['39w2d', [39, 2]],
  ['39 2/7', [39, 2]],
  ['39+2', [39, 2]],
  ['39 weeks 2 days', [39, 2]],
  ['39', [39, 0]],
] as const)
  test(`a gestational age in words, ${text}, is read as the form reads it`, () => {
    for (const value of [{ valueString: text }, quantity(text)]) {
      const course = courseWith(observation('11884-4', value));
      assert.equal(gestation(course), expected);
      assert.equal(course.warnings, []);
    }
  });

test('a text of which the form asks whether it is a fraction is left out with a warning', () => {
  const course = courseWith(observation('11884-4', { valueString: '39.4' }));
  assert.equal(gestation(course), [null, null]);
  assert.is(course.warnings.length, 1);
});

for (const [code, text, field, expected] of [
  ['8302-2', `5'6"`, 'height_cm', 167.64],
  ['8302-2', '5 ft 6 in', 'height_cm', 167.64],
  ['56077-1', '143 lb 8 oz', 'prepregnancy_weight_kg', 65.090505095],
] as const)
  test(`${text} is read as the form reads it`, () => {
    const course = courseWith(observation(code, { valueString: text }, 'Patient/mother'));
    assert.is(course.mother[field], expected);
  });

// 99 for a count that is not known.

test('99 is a count that is not known, with a warning', () => {
  const course = sent('06a-nines');
  assert.equal(
    [
      course.prenatal_visits,
      course.previous_births_living,
      course.previous_births_dead,
      course.other_outcomes,
      course.previous_cesareans,
      course.cigarettes_before,
    ],
    [null, null, null, null, null, null],
  );
  assert.equal(
    course.warnings.filter(({ id }) => id === 'code-for-unknown').map(({ raw }) => raw),
    [99, 99, 99, 99, 99, 99],
  );
});

test('high counts that are not 99 stay numbers', () => {
  const course = sent('06b-control-high-but-real');
  assert.equal(
    [course.prenatal_visits, course.previous_births_living, course.cigarettes_before],
    [33, 9, 60],
  );
  for (const count of [88, 98])
    for (const code of ['68493-6', '64794-1']) {
      const one = courseWith(observation(code, { valueInteger: count }, 'Patient/mother'));
      assert.is(one.prenatal_visits ?? one.cigarettes_before, count);
      assert.equal(one.warnings, []);
    }
});

test('99 in quotes, as a Quantity and as a text is not known either', () => {
  for (const value of [{ valueInteger: '99' }, quantity(99), { valueString: '99' }])
    assert.equal(idsOf(courseWith(observation('68493-6', value, 'Patient/mother'))), [
      'prenatal_visits code-for-unknown',
    ]);
});

// A placeholder beside "unknown".

test('a date that is said to be unknown wins over the placeholder beside it', () => {
  const course = sent('07a-placeholder-of-the-mother');
  assert.is(course.mother.birth_date, null);
  assert.is(course.mother.age_at_delivery, null);
  assert.equal(idsOf(course), ['mother.birth_date said-absent']);
});

const partsOf = (day: JsonObject): JsonObject => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition/Extension-partial-date-time-vr',
      extension: [
        { url: 'year', valueInteger: 2025 },
        { url: 'month', valueInteger: 5 },
        { url: 'day', ...day },
      ],
    },
  ],
});

test('of a date of which only the day is missing, the month is read', () => {
  const noDay = partsOf(ABSENT);
  for (const valueDateTime of ['2025-05', '2025-05-01', undefined]) {
    const value = { valueDateTime, _valueDateTime: noDay };
    const course = courseWith(observation('8665-2', value, 'Patient/mother'));
    assert.is(course.last_menstrual_period, '2025-05');
    assert.equal(idsOf(course), []);
  }
});

for (const birthDate of ['0001-01-01', '1899-12-31', '9999-12-31'])
  test(`${birthDate} is no date`, () => {
    const course = withPatient('mother', { birthDate });
    assert.is(course.mother.birth_date, null);
    assert.equal(idsOf(course), ['mother.birth_date date-placeholder']);
  });

test('1900-01-01 is a date', () => {
  assert.is(withPatient('mother', { birthDate: '1900-01-01' }).mother.birth_date, '1900-01-01');
});

const ABSENT = {
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
      valueCode: 'temp-unknown',
    },
  ],
};

for (const [code, value] of [
  ['68493-6', { valueInteger: 8, _valueInteger: ABSENT }],
  ['68493-6', { valueInteger: 8, dataAbsentReason: { coding: [{ code: 'unknown' }] } }],
  ['68493-6', { valueQuantity: { value: 8, _value: ABSENT } }],
  ['87303-4', { valueBoolean: true, _valueBoolean: ABSENT }],
  ['69044-6', { valueDateTime: '2025-07-20', _valueDateTime: ABSENT }],
  ['73762-7', { valueCodeableConcept: { coding: [{ code: '11466000' }], ...ABSENT } }],
] as const)
  test(`a reason for absence wins over the value in ${JSON.stringify(value).slice(0, 60)}`, () => {
    const course = courseWith(observation(code, value, 'Patient/mother'));
    const { prenatal_visits, wic, first_prenatal_visit, delivery_method } = course;
    assert.equal(
      [prenatal_visits, wic, first_prenatal_visit, delivery_method],
      [null, null, null, null],
    );
    assert.equal(
      course.warnings.map(({ id }) => id),
      ['said-absent'],
    );
  });

// Dates in parts.

const part = (url: string, value: JsonObject): JsonObject => ({ url, ...value });
const inParts = (...extension: readonly JsonObject[]): JsonObject => ({
  birthDate: undefined,
  _birthDate: {
    extension: [
      {
        url: 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition/Extension-partial-date-time-vr',
        extension,
      },
    ],
  },
});

test('a date that stands wholly in parts is read, and its time', () => {
  const course = withPatient(
    'child-1',
    inParts(
      part('year', { valueUnsignedInt: 2026 }),
      part('month', { valueUnsignedInt: 3 }),
      part('day', { valueUnsignedInt: 7 }),
      part('time', { valueTime: '13:08:00' }),
    ),
  );
  const [child] = course.children;
  assert.equal([child?.birth_date, child?.birth_time], ['2026-03-07', '2026-03-07T13:08:00']);
  assert.equal(course.warnings, []);
});

test('of a date of which a part is not known, the others are read', () => {
  const course = withPatient(
    'mother',
    inParts(
      part('year', { valueUnsignedInt: 1994 }),
      part('month', { valueUnsignedInt: 3 }),
      part('day', { _valueUnsignedInt: ABSENT }),
    ),
  );
  assert.is(course.mother.birth_date, '1994-03');
  assert.equal(course.warnings, []);
});

test('the date of an Observation in parts is read', () => {
  const { _birthDate: _valueDateTime } = inParts(
    part('year', { valueUnsignedInt: 2025 }),
    part('month', { valueUnsignedInt: 6 }),
    part('day', { valueUnsignedInt: 5 }),
    part('time', { _valueTime: ABSENT }),
  );
  const course = courseWith(observation('8665-2', { _valueDateTime }, 'Patient/mother'));
  assert.is(course.last_menstrual_period, '2025-06-05');
});

// A time on another day.

test('a time of birth on another day than the date leaves both, with a warning', () => {
  const course = withPatient('child-1', bornWith({ valueDateTime: '2026-03-14T04:31:00-05:00' }));
  const [child] = course.children;
  assert.equal([child?.birth_date, child?.birth_time], ['2026-03-12', '2026-03-14T04:31:00-05:00']);
  assert.equal(idsOf(course), ['children.birth_time time-on-another-day']);
});

test('a time in UTC may be on the next day', () => {
  const course = withPatient('child-1', bornWith({ valueDateTime: '2026-03-13T04:31:00Z' }));
  assert.equal(course.warnings, []);
});

// States and countries.

const addressed = (address: JsonObject) =>
  withPatient('mother', { address: [{ use: 'home', ...address }] }).mother.address;

for (const [sentState, sentCountry, state, country] of [
  ['Alabama', 'USA', 'AL', 'US'],
  ['new york', 'United States of America', 'NY', 'US'],
  ['Puerto Rico', undefined, 'PR', null],
  ['US-TX', 'us', 'TX', 'US'],
  ['or', null, 'OR', null],
  ['Ontario', 'Canada', 'Ontario', 'CA'],
  ['Ontario', 'CAN', 'Ontario', 'CA'],
  ['ZZ', 'ZZ', null, null],
  ['Nowhere', 'Utopia', 'Nowhere', 'Utopia'],
] as const)
  test(`state ${sentState} and country ${sentCountry} are read`, () => {
    const address = addressed({ state: sentState, country: sentCountry });
    assert.equal([address.state, address.country], [state, country]);
  });

test('99999 is no ZIP code, a number is one', () => {
  assert.is(addressed({ postalCode: '99999' }).postal_code, null);
  assert.is(addressed({ postalCode: 97201 }).postal_code, '97201');
});

const ISO = 'http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-';
const GUIDE = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition/';
const parts = (from: string, named: Readonly<Record<string, string>>) => ({
  extension: Object.entries(named).map(([name, valueString]) => ({
    url: `${from}${name}`,
    valueString,
  })),
});

const STREET_CONCEPT = {
  url: 'http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-streetName',
  valueCodeableConcept: { text: 'Short Street' },
};

for (const [what, address, line] of [
  [
    'a house number and a street beside no line',
    { line: [null], _line: [parts(ISO, { houseNumber: '13', streetNameBase: 'Short Street' })] },
    '13 Short Street',
  ],
  [
    'all parts of ISO 21090, in any order',
    {
      _line: parts(ISO, {
        unitID: '4B',
        direction: 'N',
        streetNameBase: 'Short',
        streetNameType: 'St',
        houseNumber: '13',
        buildingNumberSuffix: 'A',
        unitType: 'Apt',
      }),
    },
    '13A N Short St, Apt 4B',
  ],
  [
    'a direction behind the street',
    {
      _line: [
        parts(ISO, {
          houseNumber: '13',
          streetName: 'Short St',
          streetNameType: 'St',
          direction: 'SW',
        }),
      ],
    },
    '13 Short St SW',
  ],
  [
    'one line with a value and one without',
    {
      line: ['13 Short Street'],
      _line: [null, parts(ISO, { additionalLocator: 'Rear', postBox: '7' })],
    },
    '13 Short Street, Rear, PO Box 7',
  ],
  [
    'the guide’s parts of the address',
    parts(GUIDE, {
      UnitOrAptNumber: '# 4',
      StreetNumber: '13',
      PreDirectional: 'N',
      StreetName: 'Short',
      StreetDesignator: 'Street',
      PostDirectional: 'E',
    }),
    '13 N Short Street E, # 4',
  ],
  [
    'the parts as spelling beside a line',
    {
      line: ['13 Short Street'],
      _line: [parts(ISO, { streetNameBase: 'Short' })],
      ...parts(GUIDE, { StreetName: 'Short' }),
    },
    '13 Short Street',
  ],
  ['a street as a concept', { _line: [{ extension: [STREET_CONCEPT] }] }, 'Short Street'],
  ['parts that are not known', parts(GUIDE, { StreetNumber: 'UNK', StreetName: '' }), null],
] as const)
  test(`the street line is read from ${what}`, () => {
    const course = withPatient('mother', { address: [{ use: 'home', city: 'Salem', ...address }] });
    assert.is(course.mother.address.line, line);
    assert.equal(course.warnings, []);
  });

test('a number that is not in the street line leaves a warning', () => {
  const warned = (address: JsonObject) =>
    withPatient('mother', { address: [address] }).warnings.map(({ field, raw, id }) => [
      field,
      raw,
      id,
    ]);
  const ofHouse = parts(ISO, { houseNumber: '13', unitID: 'Apt 4B' });
  assert.equal(warned({ line: ['Short Street'], _line: [ofHouse] }), [
    ['mother.address.line', '13', 'not-understood'],
    ['mother.address.line', 'Apt 4B', 'not-understood'],
  ]);
  assert.equal(warned({ line: ['13 Short Street #4b'], _line: [ofHouse] }), []);
  assert.equal(warned({ line: ['Short Street'], ...parts(GUIDE, { StreetNumber: '13' }) }), [
    ['mother.address.line', '13', 'not-understood'],
  ]);
});

test('an address that says nothing hides no other', () => {
  const address = [{ use: 'home' }, { use: 'home', line: ['1 Road'], city: 'Salem' }];
  const course = withPatient('mother', { address });
  assert.equal([course.mother.address.line, course.mother.address.city], ['1 Road', 'Salem']);
});

test('a part of an address that is said to be absent is left out with a warning', () => {
  const course = withPatient('mother', { address: [{ state: 'OR', _state: ABSENT }] });
  assert.is(course.mother.address.state, null);
  assert.equal(idsOf(course), ['mother.address.state said-absent']);
});

// Plurality.

test('the total is the plurality, also beside a false boolean', () => {
  assert.is(sent('cdc-03-plurality-beside-a-false-boolean').plurality, 2);
});

test('live births and fetal deaths of the delivery add up to the plurality', () => {
  const course = sent('cdc-05-live-births-are-no-plurality');
  assert.equal([course.plurality, course.children[0]?.birth_order], [2, 2]);
});

const TOTAL = 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal';
const total = (value: JsonObject): JsonObject => ({ extension: [{ url: TOTAL, ...value }] });
const count = (code: string, valueInteger: number): JsonObject =>
  observation(code, { valueInteger }, 'Patient/mother');

for (const [name, patient, more, plurality, warnings] of [
  [
    'a total that is said to be unknown is unknown',
    { multipleBirthInteger: 2, _multipleBirthInteger: total({ _valuePositiveInt: ABSENT }) },
    [count('57722-1', 2)],
    null,
    [],
  ],
  [
    'a total in quotes is read',
    { multipleBirthInteger: 1, _multipleBirthInteger: total({ valuePositiveInt: '3' }) },
    [],
    3,
    [],
  ],
  ['live births alone never', {}, [count('73773-4', 2)], null, ['plurality-incomplete']],
  ['fetal deaths alone never', {}, [count('73772-6', 1)], null, ['plurality-incomplete']],
  ['an Observation of it is it', {}, [count('57722-1', 2)], 2, []],
  [
    'never less than a birth order',
    { multipleBirthInteger: 3 },
    [count('73773-4', 1), count('73772-6', 1)],
    null,
    ['below-birth-order'],
  ],
  [
    'a total below the birth order gives way',
    { multipleBirthInteger: 2, _multipleBirthInteger: total({ valuePositiveInt: 1 }) },
    [count('57722-1', 2)],
    2,
    ['below-birth-order'],
  ],
  ['no multiple birth is one', { multipleBirthBoolean: false }, [], 1, []],
  [
    'a total of one beside a multiple birth',
    { multipleBirthBoolean: true, _multipleBirthBoolean: total({ valuePositiveInt: 1 }) },
    [],
    1,
    ['multiple-alone'],
  ],
  [
    'an Observation of one beside a multiple birth',
    { multipleBirthBoolean: true },
    [count('57722-1', 1)],
    1,
    ['multiple-alone'],
  ],
  [
    'a total beside no multiple birth',
    { multipleBirthBoolean: false, _multipleBirthBoolean: total({ valuePositiveInt: 2 }) },
    [],
    2,
    ['single-among-several'],
  ],
  [
    'an Observation of several beside no multiple birth',
    { multipleBirthBoolean: false },
    [count('57722-1', 2)],
    2,
    ['single-among-several'],
  ],
] as const)
  test(`plurality: ${name}`, () => {
    const course = withPatient('child-1', patient, { more });
    assert.is(course.plurality, plurality);
    assert.equal(
      course.warnings.map(({ id }) => id),
      warnings,
    );
    if ((warnings as readonly string[]).includes('single-among-several'))
      assert.is(course.children[0]?.birth_order, null);
  });

const BIRTH_TIME = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime';
const AT_NIGHT = '2026-03-12T23:59:00-05:00';

for (const [name, patient, time, warned] of [
  ['at midnight is that of a program', { birthDate: '2026-03-12T00:00:00Z' }, null, ['00:00:00Z']],
  ['at midnight, as short as can be', { birthDate: '2026-03-12T00:00' }, null, ['00:00']],
  [
    'that differs from the time beside it',
    {
      birthDate: '2026-03-12T10:00:00-05:00',
      _birthDate: { extension: [{ url: BIRTH_TIME, valueDateTime: AT_NIGHT }] },
    },
    AT_NIGHT,
    ['10:00:00-05:00'],
  ],
  [
    'beside a time that is said to be unknown',
    {
      birthDate: AT_NIGHT,
      _birthDate: { extension: [{ url: BIRTH_TIME, _valueDateTime: ABSENT }] },
    },
    null,
    ['23:59:00-05:00'],
  ],
  ['without an offset', { birthDate: '2026-03-12T23:59' }, '2026-03-12T23:59', []],
] as const)
  test(`a time in the date of birth of a child: ${name}`, () => {
    const { children, warnings } = withPatient('child-1', { _birthDate: undefined, ...patient });
    assert.equal([children[0]?.birth_date, children[0]?.birth_time], ['2026-03-12', time]);
    assert.equal(
      warnings.map(({ field, id, raw }) => [field, id, raw]),
      warned.map((raw) => ['children.birth_date', 'time-of-date', raw]),
    );
  });

test('any other date with a time is the date, with a warning', () => {
  const course = withPatient(
    'mother',
    { birthDate: '1990-02-03T04:05:06Z' },
    {
      more: [observation('8665-2', { valueDateTime: '2025-06-01T08:00:00Z' }, 'Patient/mother')],
    },
  );
  assert.is(course.mother.birth_date, '1990-02-03');
  assert.is(course.last_menstrual_period, '2025-06-01');
  assert.equal(
    course.warnings.map(({ field, id, raw }) => [field, id, raw]),
    [
      ['mother.birth_date', 'time-of-date', '04:05:06Z'],
      ['last_menstrual_period', 'time-of-date', '08:00:00Z'],
    ],
  );
});

test('of twins who are both said to be of a single birth, no order is known', () => {
  const course = withPatient(
    'child-1',
    { multipleBirthBoolean: false },
    {
      children: [{}, {}],
    },
  );
  assert.equal([course.plurality, course.children[0]?.birth_order], [null, null]);
  assert.equal(
    course.warnings.map(({ id }) => id),
    ['single-among-several'],
  );
});

test('of totals that differ from child to child, the first counts, with a warning', () => {
  const totalOf = (valuePositiveInt: number) => ({
    _multipleBirthInteger: total({ valuePositiveInt }),
  });
  const twins = birthBundle({ children: [{ order: 1 }, { order: 2 }] });
  const entry = asObjects(twins['entry']).map(({ resource, ...rest }) => {
    const patient = asObject(resource);
    const order = patient['multipleBirthInteger'];
    return typeof order === 'number'
      ? { ...rest, resource: { ...patient, ...totalOf(order + 1) } }
      : { ...rest, resource };
  });
  const { plurality, warnings } = courseOf({ ...twins, entry });
  assert.is(plurality, 2);
  assert.equal(
    warnings.map(({ field, raw, id }) => [field, raw, id]),
    [['plurality', 3, 'repeated']],
  );
});

// Systems of codes.

const weightFrom = (system: string, more: JsonObject = {}): JsonObject => ({
  ...observation('8339-4', quantity(3400, 'g')),
  code: { coding: [{ system, code: '8339-4' }] },
  ...more,
});

for (const system of [
  'http://loinc.org/',
  'https://loinc.org',
  'http://www.loinc.org',
  'http://LOINC.org|2.77',
  'LOINC',
  'urn:oid:2.16.840.1.113883.6.1',
  '2.16.840.1.113883.6.1',
])
  test(`a code of ${system} is one of LOINC`, () => {
    const course = courseWith(weightFrom(system));
    assert.is(course.children[0]?.birth_weight_grams, 3400);
    assert.equal(course.warnings, []);
  });

for (const system of [
  'http://example.org/codes',
  'http://snomed.info/sct',
  'urn:birth-registry:codes',
])
  test(`a LOINC code of ${system} is left out with a warning`, () => {
    const course = courseWith(weightFrom(system));
    assert.is(course.children[0]?.birth_weight_grams, null);
    assert.equal(idsOf(course), ['children.birth_weight_grams system-unknown']);
  });

test('a code of another system does not matter beside that of LOINC, or without a value', () => {
  const both = { coding: [{ system: 'urn:local', code: '8339-4' }, { code: '8339-4' }] };
  const course = courseWith(weightFrom('', { code: both }), {
    ...weightFrom('urn:local'),
    valueQuantity: { value: -1 },
  });
  assert.is(course.children[0]?.birth_weight_grams, 3400);
  assert.equal(course.warnings, []);
});

for (const system of ['UCUM', 'http://unitsofmeasure.org/', 'urn:oid:2.16.840.1.113883.6.8'])
  test(`the unit of ${system} counts, not the words beside it`, () => {
    const valueQuantity = { value: 3400, unit: 'kg', system, code: 'g' };
    assert.is(
      courseWith(weightFrom('LOINC', { valueQuantity })).children[0]?.birth_weight_grams,
      3400,
    );
  });

for (const [system, ids] of [
  ['urn:oid:2.16.840.1.113883.6.238', []],
  ['2.16.840.1.113883.6.238', []],
  ['http://terminology.hl7.org/CodeSystem/CDCREC/', []],
  ['CDC-REC', []],
  ['http://example.org/races', ['mother.race other-system', 'mother.ethnicity other-system']],
] as const)
  test(`race and ethnicity of ${system} are read`, () => {
    const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
    const stated = (name: string, code: string) => ({
      url: `${US_CORE}/us-core-${name}`,
      extension: [{ url: 'ombCategory', valueCoding: { system, code } }],
    });
    const course = withPatient('mother', {
      extension: [stated('race', '2106-3'), stated('ethnicity', '2186-5')],
    });
    assert.equal([course.mother.race, course.mother.ethnicity], [['2106-3'], '2186-5']);
    assert.equal(idsOf(course), ids);
  });

for (const [system, ids] of [
  ['http://terminology.hl7.org/CodeSystem/v2-0203', []],
  ['http://hl7.org/fhir/v2/0203', []],
  ['urn:oid:2.16.840.1.113883.18.108', []],
  ['urn:local', ['mother.medical_record_number other-system']],
] as const)
  test(`a medical record number with the type MR of ${system} is read`, () => {
    const course = withPatient('mother', {
      identifier: [{ type: { coding: [{ system, code: 'MR' }] }, value: 'M-17' }],
    });
    assert.is(course.mother.medical_record_number, 'M-17');
    assert.equal(idsOf(course), ids);
  });

test('roles of HL7 v3 are no places, however their system is spelled', () => {
  const course = courseOf(
    birthBundle({
      place: 'HOSP',
      placeSystem: 'http://hl7.org/fhir/v3/RoleCode',
      stay: { physicalType: { coding: [{ code: '22232009' }] } },
    }),
  );
  assert.is(course.place_of_birth, 'Hospital');
});

// A reason for an absent value.

const UNKNOWN = { dataAbsentReason: { coding: [{ code: 'unknown' }] } };

for (const [what, whole, grams] of [
  ['parts of its value', {}, 3401.942775],
  ['parts beside a value of its own', { valueQuantity: { value: 0, code: 'g' } }, 3401.942775],
] as const)
  test(`an Observation without a value of its own keeps ${what}`, () => {
    const course = courseWith({
      ...observation('8339-4', { ...UNKNOWN, ...whole }),
      component: [
        { code: { text: 'pounds' }, ...quantity(7, '[lb_av]') },
        { code: { text: 'ounces' }, ...quantity(8, '[oz_av]') },
      ],
    });
    assert.is(course.children[0]?.birth_weight_grams, grams);
    assert.equal(course.warnings, []);
  });

test('a panel without a value of its own keeps its components, but not one that is absent', () => {
  const component = (code: string, value: JsonObject) => ({
    code: { coding: [{ code }] },
    ...value,
  });
  const course = courseWith({
    ...observation('99999-0', UNKNOWN),
    component: [
      component('9272-6', { valueInteger: 8 }),
      component('9274-2', { valueInteger: 9, ...UNKNOWN }),
    ],
  });
  assert.equal(
    [course.children[0]?.apgar_one_minute, course.children[0]?.apgar_five_minute],
    [8, null],
  );
  assert.equal(idsOf(course), ['children.apgar_five_minute said-absent']);
});

for (const [lane, isNamed] of [
  ['native', 'the element'],
  ['partner', 'the element, which the mask keeps'],
] as const)
  test(`an element of another JSON type leaves a warning that names ${isNamed}`, () => {
    const identifier = { type: { coding: [{ code: 'MR' }] }, value: 4_711 };
    const weight = { resourceType: 'Observation', code: '8339-4', valueQuantity: { value: 3_400 } };
    const order = { resourceType: 'patient', multipleBirthInteger: 1 };
    const bundle = birthBundle({ more: [weight, order, { resourceType: 'Patient', identifier }] });
    const course = courseOf(bundle, lane);
    const { warnings } = lane === 'partner' ? maskForPartner(course) : course;
    assert.equal(
      warnings.map(({ field, id, raw }) => [field, id, raw]),
      [
        ['Observation.code', 'other-type', null],
        ['Bundle.entry.resource', 'other-type', null],
        ['Patient.identifier.value', 'other-type', null],
      ],
    );
  });

test('an extension that stands twice with two values leaves a warning; the same twice leaves none', () => {
  const sex = (valueCode: string) => ({
    url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex',
    valueCode,
  });
  const warned = (...extension: readonly JsonObject[]) =>
    courseOf(birthBundle({ more: [{ resourceType: 'Patient', extension }] })).warnings.map(
      ({ field, id }) => [field, id],
    );
  assert.equal(warned(sex('F'), sex('M')), [['Patient.extension(us-core-birthsex)', 'repeated']]);
  assert.equal(warned(sex('F'), sex('F')), []);
});

test('an invalid stamp leaves a warning, because no version is older than it', () => {
  const { stamp, warnings } = courseOf(birthBundle({ lastUpdated: 'last Friday' }));
  assert.is(stamp, null);
  assert.equal(
    warnings.map(({ field, id, raw }) => [field, id, raw]),
    [['stamp', 'date-time-impossible', 'last Friday']],
  );
});

test('a status of a consent that FHIR does not have leaves a warning', () => {
  const consent = { resourceType: 'Consent', status: 'ACTIVE' };
  const course = courseOf(birthBundle({ more: [consent] }));
  assert.equal([course.consent.status, course.consent.granted], [null, false]);
  assert.equal(
    course.warnings.map(({ field, id, raw }) => [field, id, raw]),
    [['consent.status', 'not-understood', 'ACTIVE']],
  );
});

test('a reference to the place, the attendant, or the certifier that leads to nothing leaves a warning', () => {
  const participant = {
    type: [{ coding: [{ code: 'ATND' }] }],
    individual: { reference: 'Practitioner/gone' },
  };
  const location = [{ location: { reference: 'Location/gone' } }];
  const composition = { author: [{ reference: 'Practitioner/gone' }] };
  const bundle = birthBundle({ composition, encounter: { participant: [participant], location } });
  assert.equal(
    courseOf(bundle, 'partner').warnings.map(({ field, id }) => [field, id]),
    ['place_of_birth', 'attendant', 'certifier'].map((field) => [field, 'reference-missing']),
  );
});

test('an unclear answer about race leaves a warning', () => {
  const { warnings } = courseWith({
    resourceType: 'Observation',
    code: { coding: [{ code: 'inputraceandethnicityMother' }] },
    subject: { reference: 'Patient/mother' },
    component: [{ code: { coding: [{ code: 'White' }] }, valueString: 'perhaps' }],
  });
  assert.equal(
    warnings.map(({ field, id }) => [field, id]),
    [['mother.race', 'not-understood']],
  );
});

test('the type of a record number is read in any case', () => {
  const identifier = [{ type: { coding: [{ code: 'mr' }] }, value: 'N-1' }];
  const { children } = withPatient('child-1', { identifier });
  assert.is(children[0]?.medical_record_number, 'N-1');
});

test.run();
