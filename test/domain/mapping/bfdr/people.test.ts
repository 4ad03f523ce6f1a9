import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Child, Mother } from '../../../../domain/course/course.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf, observation } from '../../../support/bundles.ts';

const VRCL = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';

const withPatients = (mother: JsonObject, child: JsonObject) =>
  courseOf(
    birthBundle({
      mother: null,
      children: [],
      more: [
        {
          resourceType: 'Patient',
          id: 'm',
          meta: { profile: [`${VRCL}/Patient-mother-vr`] },
          ...mother,
        },
        {
          resourceType: 'Patient',
          id: 'c',
          meta: { profile: [`${VRCL}/Patient-child-vr`] },
          ...child,
        },
      ],
    }),
  );

const motherOf = (mother: JsonObject): Mother => withPatients(mother, {}).mother;
const childOf = (child: JsonObject): Child => {
  const [first] = withPatients({}, child).children;
  if (first === undefined) throw new Error('no child');
  return first;
};

const absent = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason' }],
};

for (const [name, names, expected] of [
  [
    'the official name',
    [{ family: 'A' }, { use: 'official', family: 'B', given: ['C', 'D'] }],
    ['B', ['C', 'D']],
  ],
  ['else the first', [{ family: 'A' }, { family: 'B' }], ['A', []]],
  [
    'not a maiden name before another',
    [{ use: 'maiden', family: 'A' }, { family: 'B' }],
    ['B', []],
  ],
  ['a text alone is kept whole', [{ text: 'Rosa Marin' }], ['Rosa Marin', []]],
  ['UNK is missing', [{ family: 'UNK', given: ['unknown'] }], [null, []]],
  [
    'data-absent is missing',
    [{ family: 'x', _family: absent, given: ['y'], _given: [absent] }],
    [null, []],
  ],
  ['blanks and null are missing', [{ family: '  ', given: [null, 'Rosa', 7] }], [null, ['Rosa']]],
  ['a given name that is no array', [{ family: 'A', given: 'Rosa' }], ['A', ['Rosa']]],
  ['no name at all', undefined, [null, []]],
] as const) {
  test(`names: ${name}`, () => {
    const mother = motherOf({ name: names });
    assert.equal([mother.family_name, mother.given_names], expected);
  });
}

test('the maiden name is the birth surname', () => {
  const name = [
    { use: 'official', family: 'Quinn' },
    { use: 'maiden', family: 'King' },
  ];
  assert.is(motherOf({ name }).birth_surname, 'King');
});

test('a name too long to keep is left out with a warning, never cut', () => {
  const course = withPatients({ name: [{ family: 'x'.repeat(151) }] }, {});
  assert.is(course.mother.family_name, null);
  assert.equal(course.warnings[0], {
    field: 'mother.family_name',
    child: null,
    raw: null,
    id: 'text-too-long',
    reason: 'The text is too long',
  });
});

test('control characters and unpaired surrogates do not reach the record', () => {
  assert.is(motherOf({ name: [{ family: 'Ma\u0000rin\ud800' }] }).family_name, 'Ma rin\ufffd');
});

test('the home address is the address, district is the county', () => {
  const address = [
    { use: 'billing', line: ['PO Box 1'], state: 'NV' },
    {
      use: 'home',
      line: ['12 Elm', 'Flat 3'],
      city: 'Mesa',
      district: 'Pinal',
      state: 'AZ',
      postalCode: '85001',
      country: 'US',
    },
  ];
  assert.equal(motherOf({ address }).address, {
    line: '12 Elm, Flat 3',
    city: 'Mesa',
    county: 'Pinal',
    state: 'AZ',
    postal_code: '85001',
    country: 'US',
  });
});

test('phone and medical record number are read, a social security number never', () => {
  const mother = motherOf({
    telecom: [
      { system: 'email', value: 'r@example.org' },
      { system: 'phone', value: '555-0101' },
    ],
    identifier: [
      { type: { coding: [{ code: 'SS' }] }, value: '132225986' },
      { type: { coding: [{ code: 'MR' }] }, value: '1032702' },
    ],
  });
  assert.is(mother.phone, '555-0101');
  assert.is(mother.medical_record_number, '1032702');
  assert.not(JSON.stringify(mother).includes('132225986'));
});

const usCore = (name: string, ...codes: readonly string[]) => ({
  url: `http://hl7.org/fhir/us/core/StructureDefinition/${name}`,
  extension: codes.map((code) => ({ url: 'ombCategory', valueCoding: { code } })),
});

test('race and ethnicity are the categories of US Core', () => {
  const extension = [
    usCore('us-core-race', '2106-3', '1002-5'),
    usCore('us-core-ethnicity', '2186-5'),
  ];
  const mother = motherOf({ extension });
  assert.equal(mother.race, ['2106-3', '1002-5']);
  assert.is(mother.ethnicity, '2186-5');
});

for (const [what, categories, details, text, race, warned] of [
  ['the details that are known are races, too', ['2028-9'], ['2034-7'], 'Chinese', null, []],
  ['a detail of White', ['2106-3'], ['2110-5'], 'x', ['2106-3'], ['mother.race']],
  ['a detail without a name', ['1002-5'], ['1586-7'], 'Native', ['1002-5'], ['mother.race']],
  ['details alone, even unknown ones', [], ['1586-7', '2034-7'], 'x', ['1586-7', '2034-7'], []],
  ['Other Asian, which has no code', ['2028-9'], [], 'other Asian', ['2028-9', 'other-asian'], []],
  ['Other Asian in words alone', [], [], 'Other Asian', ['other-asian'], []],
] as const)
  test(`race of US Core: ${what}`, () => {
    const part = (url: string) => (code: string) => ({ url, valueCoding: { code } });
    const url = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race';
    const said = [...categories.map(part('ombCategory')), ...details.map(part('detailed'))];
    const extension = [{ url, extension: [...said, { url: 'text', valueString: text }] }];
    const { mother, warnings } = withPatients({ extension }, {});
    assert.equal(mother.race, race ?? [...categories, ...details]);
    assert.equal(
      warnings.map(({ field }) => field),
      warned,
    );
  });

test('without categories, race is the text', () => {
  const extension = [
    {
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
      extension: [{ url: 'text', valueString: 'White' }],
    },
  ];
  assert.equal(motherOf({ extension }).race, ['White']);
});

const WHITE = { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2106-3', display: 'White' };

for (const [what, said, race, warned] of [
  ['a concept in its place', { valueCodeableConcept: { coding: [WHITE] } }, ['2106-3'], []],
  ['a coding in its place', { valueCoding: WHITE }, ['2106-3'], []],
  ['words in its place', { valueCodeableConcept: { text: 'White' } }, ['White'], []],
  [
    'a category as a concept',
    { extension: [{ url: 'ombCategory', valueCodeableConcept: { coding: [WHITE] } }] },
    ['2106-3'],
    [],
  ],
  [
    'a category as a code',
    { extension: [{ url: 'ombCategory', valueCode: '2106-3' }] },
    ['2106-3'],
    [],
  ],
  [
    'a category in words',
    { extension: [{ url: 'ombCategory', valueString: 'White' }] },
    ['White'],
    [],
  ],
  [
    'a category without a code',
    { extension: [{ url: 'ombCategory', valueCoding: { display: 'White' } }] },
    ['White'],
    [],
  ],
  [
    'a part of another name',
    { extension: [{ url: 'omb-category', valueCoding: WHITE }] },
    [],
    ['mother.race not-understood'],
  ],
  ['a boolean', { valueBoolean: true }, [], ['mother.race not-understood']],
  ['nothing', { extension: [{ url: 'ombCategory' }] }, [], []],
] as const)
  test(`race of US Core in another form: ${what}`, () => {
    const url = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race';
    const { mother, warnings } = withPatients({ extension: [{ url, ...said }] }, {});
    assert.equal(mother.race, race);
    assert.equal(
      warnings.map(({ field, id }) => `${field} ${id}`),
      warned,
    );
  });

test('an ethnicity that is not understood leaves a warning', () => {
  const url = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-ethnicity';
  const said = (code: string) => ({ url, extension: [{ url: 'category', valueCoding: { code } }] });
  const warned = (code: string) =>
    withPatients({ extension: [said(code)] }, {}).warnings.map(({ field, id }) => `${field} ${id}`);
  assert.equal(warned('2186-5'), ['mother.ethnicity not-understood']);
  assert.equal(warned('UNK'), []);
});

const ABSENT_DECLINED = {
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: 'asked-declined',
};
const NULL_FLAVOR = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';

/** A race extension with codings of a category, and a text. */
const raceOf = (text: string | null, ...codings: readonly JsonObject[]) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
      extension: [
        ...codings.map((valueCoding) => ({ url: 'ombCategory', valueCoding })),
        ...(text === null ? [] : [{ url: 'text', valueString: text }]),
      ],
    },
  ],
});

const ASKU = { system: NULL_FLAVOR, code: 'ASKU' };
const UNK = { system: NULL_FLAVOR, code: 'UNK' };

for (const [what, patient, race, reason] of [
  ['ASKU with a refusal as text', raceOf('Declined', ASKU), [], 'declined'],
  ['UNK with a refusal as text', raceOf('Prefer not to say', UNK), [], 'declined'],
  ['ASKU alone', raceOf(null, ASKU), [], 'asked but unknown'],
  ['UNK and its text', raceOf('Unknown', UNK), [], 'unknown'],
  ['PREFUS', raceOf(null, { code: 'PREFUS' }), [], 'declined'],
  [
    'a local code for a refusal',
    raceOf(null, { code: '7', display: 'Patient Refused' }),
    [],
    'declined',
  ],
  ['an absent coding', raceOf(null, { extension: [ABSENT_DECLINED] }), [], 'declined'],
  ['a refusal as text alone', raceOf('Patient declined to answer'), [], 'declined'],
  ['a text that says unknown', raceOf("Patient doesn't know"), [], 'asked but unknown'],
  ['a text that says nothing is known', raceOf('Not reported'), [], 'unknown'],
  ['a text that nobody was asked', raceOf('Not asked'), [], 'unknown'],
  [
    'a text that names a race too',
    raceOf('Declined, maybe Basque'),
    ['Declined, maybe Basque'],
    null,
  ],
  ['a text about no reason', raceOf('Other'), ['Other'], null],
  ...(
    [
      ['I prefer not to answer', 'declined'],
      ['Declined to self-identify', 'declined'],
      ['Wouldn’t say', 'declined'],
      ['Non-disclosed', 'declined'],
      ['I don’t know', 'asked but unknown'],
      ['Not on file', 'unknown'],
      ['Unable to provide', 'unknown'],
      ['Could not be determined', 'unknown'],
      ['Left blank', 'unknown'],
    ] as const
  ).map(([text, reason]) => [`“${text}”`, raceOf(text), [], reason] as const),
  ['a race beside UNK', raceOf('Declined', UNK, { code: '2106-3' }), ['2106-3'], null],
  ['a text beside UNK', raceOf('Basque', UNK), ['Basque'], null],
] as const)
  test(`race, and why it is absent: ${what}`, () => {
    const mother = motherOf(patient);
    assert.equal(mother.race, race);
    assert.is(mother.race_absent_reason, reason);
  });

const answerAs = (name: string, ...said: readonly JsonObject[]) => ({
  extension: [
    {
      url: `http://hl7.org/fhir/us/core/StructureDefinition/${name}`,
      ...(said.length === 1 && said[0]?.['url'] === undefined ? said[0] : { extension: said }),
    },
  ],
});
const category = (value: JsonObject) => ({ url: 'ombCategory', ...value });

for (const [what, said, race, warned] of [
  ['a concept', category({ valueCodeableConcept: { coding: [{ code: '2106-3' }] } }), '2106-3', []],
  ['a code', category({ valueCode: '2106-3' }), '2106-3', []],
  ['a coding of the extension itself', { valueCoding: { code: '2106-3' } }, '2106-3', []],
  ['a display alone', category({ valueCoding: { display: 'Basque' } }), 'Basque', []],
  ['a text', category({ valueString: 'Basque' }), 'Basque', []],
  ['a number', { url: 'text', valueString: 5 }, null, ['mother.race']],
  ['a part of another name', { url: 'category', valueCode: '2106-3' }, null, ['mother.race']],
  [
    'a text that is too long',
    { url: 'text', valueString: 'x'.repeat(1001) },
    null,
    ['mother.race'],
  ],
  ['an unknown code', category({ valueCoding: { code: 'MSK' } }), null, []],
  ['nothing', {}, null, []],
] as const)
  test(`race of US Core in another form: ${what}`, () => {
    const { mother, warnings } = withPatients(answerAs('us-core-race', said), {});
    assert.equal(mother.race, race === null ? [] : [race]);
    assert.equal(
      warnings.map(({ field }) => field),
      warned,
    );
  });

test('an ethnicity that cannot be read leaves a warning', () => {
  const sent = answerAs('us-core-ethnicity', { url: 'category', valueCode: '2135-2' });
  const { mother, warnings } = withPatients(sent, {});
  assert.is(mother.ethnicity, null);
  assert.equal(
    warnings.map(({ field, id }) => `${field} ${id}`),
    ['mother.ethnicity not-understood'],
  );
});

const sexAtBirth = (valueCode: string) => ({
  extension: [
    { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex', valueCode },
  ],
});

for (const [name, child, expected] of [
  ['gender', { gender: 'female' }, 'female'],
  ['birth sex without gender', sexAtBirth('M'), 'male'],
  ['birth sex UNK gives way to gender', { ...sexAtBirth('UNK'), gender: 'female' }, 'female'],
  ['birth sex UNK alone', sexAtBirth('UNK'), 'unknown'],
  ['other', { gender: 'other' }, 'other'],
  ['a letter', { gender: 'f' }, 'female'],
  ['anything else is null', { gender: 'neither' }, null],
  ['nothing is null', {}, null],
] as const) {
  test(`sex: ${name}`, () => {
    assert.is(childOf(child).sex, expected);
  });
}

const bornAt = (valueDateTime: unknown) => ({
  _birthDate: {
    extension: [
      { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime },
    ],
  },
});

for (const [name, child, date, time] of [
  ['a date alone', { birthDate: '2026-03-12' }, '2026-03-12', null],
  [
    'a time without offset stays local',
    { birthDate: '2026-03-12', ...bornAt('2026-03-12T04:31:00') },
    '2026-03-12',
    '2026-03-12T04:31:00',
  ],
  [
    'a child without a usable date takes the date of its birth time',
    { birthDate: '', ...bornAt('2026-03-12T04:31:00-05:00') },
    '2026-03-12',
    '2026-03-12T04:31:00-05:00',
  ],
  [
    'an impossible date too',
    { birthDate: '2026-02-30', ...bornAt('2026-03-02T04:31:00Z') },
    '2026-03-02',
    '2026-03-02T04:31:00Z',
  ],
  ['a blank date is null', { birthDate: ' ' }, null, null],
  ['an unparseable date is null', { birthDate: 'tomorrow' }, null, null],
  ['a partial date is null', { birthDate: '2026-02' }, null, null],
  [
    'an impossible time is null',
    { birthDate: '2026-03-12', ...bornAt('2026-03-12T25:00:00Z') },
    '2026-03-12',
    null,
  ],
] as const) {
  test(`birth: ${name}, and the record stands`, () => {
    const born = childOf(child);
    assert.equal([born.birth_date, born.birth_time], [date, time]);
  });
}

test('a partial or impossible date leaves a warning, a blank one none', () => {
  const warned = withPatients({}, { birthDate: '2026-02' }).warnings;
  assert.equal(warned, [
    {
      field: 'children.birth_date',
      child: 0,
      raw: '2026-02',
      id: 'date-impossible',
      reason: 'The date is partial or impossible',
    },
  ]);
  assert.equal(withPatients({}, { birthDate: '' }).warnings, []);
});

test('age at delivery is whole years at the first dated child’s birth, in both lanes', () => {
  for (const lane of ['native', 'partner'] as const) {
    const course = courseOf(
      birthBundle({
        mother: { birthDate: '1994-03-13' },
        children: [
          { birthDate: null, birthTime: null },
          { birthDate: '2026-03-12', birthTime: null },
        ],
      }),
      lane,
    );
    assert.is(course.mother.age_at_delivery, 31);
  }
});

test('an age that is not possible is left out with a warning', () => {
  const course = courseOf(birthBundle({ mother: { birthDate: '2027-01-01' } }));
  assert.is(course.mother.age_at_delivery, null);
  assert.is(course.warnings[0]?.field, 'mother.age_at_delivery');
});

test('birth order and plurality come from the multiple birth', () => {
  const twin = {
    multipleBirthInteger: 2,
    _multipleBirthInteger: {
      extension: [
        {
          url: 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal',
          valuePositiveInt: 2,
        },
      ],
    },
  };
  assert.is(childOf(twin).birth_order, 2);
  assert.is(withPatients({}, twin).plurality, 2);
  assert.is(childOf({ multipleBirthBoolean: false }).birth_order, 1);
  assert.is(withPatients({}, { multipleBirthBoolean: false }).plurality, 1);
  assert.is(childOf({ multipleBirthInteger: -1 }).birth_order, null);
});

test('a fetus profile or the fetal death extension is a fetal death', () => {
  const fetus = courseOf(
    birthBundle({ children: [{ profile: 'http://x.org/Patient-decedent-fetus' }] }),
  );
  assert.is(fetus.children[0]?.fetal_death, true);
  const stated = childOf({
    deceasedBoolean: true,
    _deceasedBoolean: {
      extension: [{ url: `${VRCL}/Extension-patient-fetal-death-vr`, valueBoolean: true }],
    },
  });
  assert.equal([stated.fetal_death, stated.living], [true, false]);
  assert.equal([childOf({}).fetal_death, childOf({}).living], [false, null]);
});

// Merged records of one person.

const person = (id: string, role: string | null, more: JsonObject = {}): JsonObject => ({
  resourceType: 'Patient',
  id,
  ...(role === null ? {} : { meta: { profile: [`${VRCL}/Patient-${role}-vr`] } }),
  name: [{ family: id.toUpperCase() }],
  ...more,
});
const link = (type: string, id: string) => ({ type, other: { reference: `Patient/${id}` } });
const by = (id: string) => ({ active: false, link: [link('replaced-by', id)] });

for (const [what, patients, names, warned] of [
  ['a link of the old one', [person('a', 'mother', by('b')), person('b', 'mother')], ['B'], [null]],
  [
    'links of both',
    [person('a', 'mother', by('b')), person('b', 'mother', { link: [link('replaces', 'a')] })],
    ['B'],
    [null],
  ],
  [
    'a link of the new one',
    [
      person('a', 'mother', { active: false }),
      person('b', 'mother', { link: [link('replaces', 'a')] }),
    ],
    ['B'],
    [null],
  ],
  [
    'a chain',
    [person('a', 'mother', by('b')), person('b', 'mother', by('c')), person('c', 'mother')],
    ['C'],
    [null, null],
  ],
  [
    'a circle with one that is active',
    [
      person('a', 'mother', by('b')),
      person('b', 'mother', { link: [link('replaced-by', 'c')] }),
      person('c', 'mother', by('a')),
    ],
    ['B'],
    [null, null],
  ],
  ['a new one without a role', [person('a', 'mother', by('b')), person('b', null)], ['B'], [null]],
  ['a new one that is not there', [person('a', 'mother', by('b'))], ['A'], ['replacement-missing']],
  ['no link', [person('a', 'mother', { active: false })], ['A'], ['replacement-missing']],
  [
    'no link, in quotes',
    [person('a', 'mother', { active: 'false' })],
    ['A'],
    ['replacement-missing'],
  ],
  [
    'a link to itself',
    [person('a', 'mother', { link: [link('replaced-by', 'a')] })],
    ['A'],
    ['replacement-missing'],
  ],
  [
    'other links',
    [person('a', 'mother', { link: [link('seealso', 'b'), link('refer', 'b')] })],
    ['A'],
    [],
  ],
] as const)
  test(`the mother after a merge, by ${what}`, () => {
    const { mother, warnings } = courseOf(birthBundle({ mother: null, more: patients }));
    assert.equal([mother.family_name], names);
    assert.equal(
      warnings.map(({ field, id }) => `${field} ${id}`),
      warned.map((id) => `Patient.link ${id ?? 'person-replaced'}`),
    );
  });

test('a child that was merged into another is no twin, and its Observations are of the other', () => {
  const { children, warnings } = courseOf(
    birthBundle({
      children: [],
      more: [
        person('a', 'child', { ...by('b'), birthDate: '2026-03-12' }),
        person('b', 'child', { birthDate: '2026-03-12' }),
        person('c', 'child', { birthDate: '2026-03-12' }),
        observation('8339-4', { valueQuantity: { value: 3100, code: 'g' } }, 'Patient/a'),
      ],
    }),
  );
  assert.equal(
    children.map(({ family_name, birth_weight_grams }) => [family_name, birth_weight_grams]),
    [
      ['B', 3100],
      ['C', null],
    ],
  );
  assert.equal(
    warnings.map(({ child, id }) => [child, id]),
    [[0, 'person-replaced']],
  );
});

test('a child is not replaced by its mother', () => {
  const mother = person('m', 'mother');
  const { children, warnings } = courseOf(
    birthBundle({ mother: null, children: [], more: [mother, person('a', 'child', by('m'))] }),
  );
  assert.equal(
    [...children.map(({ family_name }) => family_name), ...warnings.map(({ id }) => id)],
    ['A', 'replacement-missing'],
  );
});

test.run();
