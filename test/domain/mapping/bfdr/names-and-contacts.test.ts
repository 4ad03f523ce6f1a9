import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { readProviderIdentity } from '../../../../domain/mapping/bfdr/practitioners.ts';
import { birthBundle, courseOf, mapBundle } from '../../../support/bundles.ts';

const sent = (file: string): JsonObject =>
  JSON.parse(readFileSync(`test/fixtures/reading/${file}`, 'utf8'));

const readMother = (file: string) => courseOf(sent(file)).mother;

test('a former name that stands first is not the name of the mother', () => {
  assert.is(readMother('02a-old-name-first.json').family_name, 'Now');
});

test('a name without a use is the name of the mother', () => {
  assert.is(readMother('02b-current-name-alone.json').family_name, 'Now');
});

test('a nickname that stands first is not the name of the mother', () => {
  const { family_name, given_names } = readMother('02c-nickname-first.json');
  assert.equal([family_name, given_names], ['Now', ['Ida']]);
});

test('a former phone and a former number that stand first are not those of the mother', () => {
  const { phone, medical_record_number } = readMother('03a-old-phone-and-number-first.json');
  assert.equal([phone, medical_record_number], ['555-0199', 'NEW-2']);
});

const BORN = '2026-05-01';

interface SentBirth {
  readonly child?: JsonObject;
  readonly stamp?: JsonObject;
  readonly more?: readonly JsonObject[];
}

/** A Bundle of a mother with these parts, stamped on the day after the birth. */
const withMother = (
  parts: JsonObject,
  { child = {}, stamp = { meta: AFTER_BIRTH }, more = [] }: SentBirth = {},
): JsonObject => ({
  resourceType: 'Bundle',
  ...stamp,
  entry: [
    patient('mother-vr', parts),
    patient('child-vr', { birthDate: BORN, ...child }),
    ...more.map((resource) => ({ resource })),
    {
      resource: {
        resourceType: 'Encounter',
        location: [{ location: { reference: 'Location/l' } }],
      },
    },
    {
      resource: {
        resourceType: 'Location',
        id: 'l',
        type: [{ coding: [{ code: '22232009' }] }],
      },
    },
  ],
});

const AFTER_BIRTH = { lastUpdated: '2026-05-02T08:00:00Z' };

const patient = (profile: string, parts: JsonObject): JsonObject => ({
  resource: {
    resourceType: 'Patient',
    meta: { profile: [`http://example.org/Patient-${profile}`] },
    ...parts,
  },
});

const named = (family: string, use?: string, period?: JsonObject): JsonObject => ({
  family,
  ...(use === undefined ? {} : { use }),
  ...(period === undefined ? {} : { period }),
});

const partOf = (name: string, valueString: string): JsonObject => ({
  url: `http://hl7.org/fhir/StructureDefinition/humanname-${name}`,
  valueString,
});
const inParts = (...extension: readonly JsonObject[]): JsonObject => ({ _family: { extension } });

for (const [what, name, expected] of [
  ['a list of one', { family: ['Stone'] }, 'Stone'],
  ['a list of several, as in DSTU2', { family: ['Stone', 'Reyes'] }, 'Stone Reyes'],
  ['a list with what is no text', { family: [null, 'Stone', 7, ' '] }, 'Stone'],
  ['the name of the father’s family', inParts(partOf('fathers-family', 'Reyes')), 'Reyes'],
  [
    'the names of both families',
    inParts(partOf('mothers-family', 'Luna'), partOf('fathers-family', 'Reyes')),
    'Reyes Luna',
  ],
  [
    'a prefix and an own name',
    inParts(partOf('own-name', 'Dijk'), partOf('own-prefix', 'van')),
    'van Dijk',
  ],
  ['parts beside a blank', { family: ' ', ...inParts(partOf('own-name', 'Dijk')) }, 'Dijk'],
] as const)
  test(`a family name is put together, with a warning: ${what}`, () => {
    const course = courseOf(
      withMother(
        {
          name: [
            { ...name, use: 'maiden' },
            { ...name, given: ['Ida'] },
          ],
        },
        { child: { name: [name] } },
      ),
    );
    const { mother, children, warnings } = course;
    assert.equal(
      [mother.family_name, mother.birth_surname, children[0]?.family_name],
      [expected, expected, expected],
    );
    assert.equal(
      warnings.map(({ field, id }) => `${field} ${id}`),
      ['mother.family_name', 'mother.birth_surname', 'children.family_name'].map(
        (field) => `${field} other-form`,
      ),
    );
  });

test('the parts of family names that are a list are put together', () => {
  const { _family: one } = inParts(partOf('own-name', 'Dijk'));
  const { _family: other } = inParts(partOf('own-name', 'Luna'));
  const name = [{ family: [null, null], _family: [one, other], given: ['Ida'] }];
  assert.is(courseOf(withMother({ name })).mother.family_name, 'Dijk Luna');
});

for (const [what, name] of [
  ['an empty list', { family: [] }],
  ['a list that says it is unknown', { family: ['UNK'] }],
  [
    'an absent name with parts',
    inParts(partOf('own-name', 'Dijk'), {
      url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
      valueCode: 'unknown',
    }),
  ],
  ['a name beside its parts', { family: 'Stone', ...inParts(partOf('own-name', 'Dijk')) }],
] as const)
  test(`a family name is not put together: ${what}`, () => {
    const { mother, warnings } = courseOf(withMother({ name: [{ ...name, given: ['Ida'] }] }));
    assert.is(mother.family_name, 'family' in name && name.family === 'Stone' ? 'Stone' : null);
    assert.equal(warnings, []);
  });

for (const [what, name, expected, warned] of [
  ['alone', { family: 'Stone', suffix: ['Jr'] }, ['Stone', 'Jr'], false],
  ['that is no list', { family: 'Stone', suffix: 'Jr' }, ['Stone', 'Jr'], false],
  ['of several', { family: 'Stone', suffix: ['III', 'MD'] }, ['Stone', 'III MD'], false],
  ['of an unknown one', { family: 'Stone', suffix: ['UNK'] }, ['Stone', null], false],
  ['in the family name', { family: 'Stone Jr' }, ['Stone', 'Jr'], true],
  ['behind a comma', { family: 'Stone, Jr.' }, ['Stone', 'Jr.'], true],
  ['behind a comma alone', { family: 'STONE,SR' }, ['STONE', 'SR'], true],
  ['in a list', { family: ['Van', 'Stone', 'III'] }, ['Van Stone', 'III'], true],
  ['II', { family: 'Stone II' }, ['Stone', 'II'], true],
  ['IV', { family: 'De Stone IV' }, ['De Stone', 'IV'], true],
  ['V', { family: 'Stone V' }, ['Stone', 'V'], true],
  ['in both places', { family: 'Stone Jr.', suffix: ['JR'] }, ['Stone', 'JR'], false],
  ['unlike the other', { family: 'Stone III', suffix: ['MD'] }, ['Stone III', 'MD'], false],
  ['that stands alone', { family: 'V' }, ['V', null], false],
  ['behind nothing', { family: ', Jr' }, [', Jr', null], false],
  ['that is an abbreviation', { family: 'García V.' }, ['García V.', null], false],
  ['that is a name', { family: 'Silva Junior' }, ['Silva Junior', null], false],
  ['that is another name', { family: 'Nguyen Vi' }, ['Nguyen Vi', null], false],
  ['within a word', { family: 'Stonejr' }, ['Stonejr', null], false],
  ['of no family name', { suffix: ['Jr'] }, [null, 'Jr'], false],
] as const)
  test(`a suffix has its own field: ${what}`, () => {
    const { mother, children, warnings } = courseOf(
      withMother({ name: [name] }, { child: { name: [name] } }),
    );
    for (const person of [mother, children[0]])
      assert.equal([person?.family_name, person?.suffix], expected);
    const ofSuffixes = warnings.filter(({ field }) => field.endsWith('.suffix'));
    assert.equal(
      ofSuffixes.map(({ field, id }) => `${field} ${id}`),
      warned ? ['mother.suffix other-form', 'children.suffix other-form'] : [],
    );
  });

test('a name from before the child had one stays, with a warning', () => {
  const of = (name: JsonObject) =>
    courseOf(withMother({ name: [named('Stone')] }, { child: { name: [name] } }));
  const { children, warnings } = of({ family: 'Stone', given: ['Babygirl'] });
  assert.equal(children[0]?.given_names, ['Babygirl']);
  assert.equal(
    warnings.map(({ field, child, raw, id }) => [field, child, raw, id]),
    [['children.given_names', 0, null, 'placeholder-name']],
  );
  assert.equal(
    of({ text: 'Baby Girl Stone' }).warnings.map(({ field }) => field),
    ['children.family_name'],
  );
  assert.equal(of({ family: 'Stone', given: ['Lena'] }).warnings, []);
});

test('control characters within a name become spaces, and a warning names them', () => {
  const name = [{ family: 'Sto\tne', given: ['I\u0007da', 'Ma\ud800ri'], suffix: ['J\u0000r'] }];
  const maiden = { use: 'maiden', family: ['Re\u0085yes', 'Luna'] };
  const { mother, warnings } = courseOf(withMother({ name: [...name, maiden] }));
  const { family_name, given_names, suffix, birth_surname } = mother;
  assert.equal(
    [family_name, given_names, suffix, birth_surname],
    ['Sto ne', ['I da', 'Ma\ufffdri'], 'J r', 'Re yes Luna'],
  );
  assert.equal(
    warnings.filter(({ id }) => id !== 'other-form').map(({ field, raw, id }) => [field, raw, id]),
    [
      ['mother.family_name', 'U+0009'],
      ['mother.suffix', 'U+0000'],
      ['mother.given_names', 'U+0007, U+D800'],
      ['mother.birth_surname', 'U+0085'],
    ].map((warned) => [...warned, 'invisible-characters']),
  );
});

test('white space around a name is no change', () => {
  const { mother, warnings } = courseOf(
    withMother({ name: [{ family: '\tStone\r\n', given: ['Ida\n', 'May'] }] }),
  );
  assert.equal([mother.family_name, warnings], ['Stone', []]);
});

test('the invisible characters of a suffix are named, and a long one is left out', () => {
  const warned = (suffix: string) =>
    courseOf(withMother({ name: [{ family: 'Stone', suffix: [suffix] }] })).warnings.map(
      ({ field, raw, id }) => [field, raw, id],
    );
  assert.equal(warned('J\u200br'), [['mother.suffix', 'U+200B', 'invisible-characters']]);
  assert.equal(warned('x'.repeat(151)), [['mother.suffix', null, 'text-too-long']]);
});

for (const [what, names, expected] of [
  ['official before usual', [named('U', 'usual'), named('O', 'official')], 'O'],
  ['usual before none', [named('N'), named('U', 'usual')], 'U'],
  ['none before a temporary one', [named('T', 'temp'), named('N')], 'N'],
  ['a temporary one before a former one', [named('F', 'old'), named('T', 'temp')], 'T'],
  ['a former one alone', [named('F', 'old')], 'F'],
  ['a use in capitals', [named('F', 'OLD'), named('N')], 'N'],
  ['a use that nobody knows is as none', [named('T', 'temp'), named('L', 'legal')], 'L'],
  [
    'one whose period is over behind one that holds',
    [named('Over', 'official', { end: '2026-04-30' }), named('Now', 'usual')],
    'Now',
  ],
  [
    'one that ends on the day of the stamp holds',
    [named('Today', 'official', { end: '2026-05-02' }), named('Usual', 'usual')],
    'Today',
  ],
  [
    'one that begins later behind one that holds',
    [named('Later', 'official', { start: '2026-06' }), named('Now', 'usual')],
    'Now',
  ],
  [
    'one that is over before one marked as former',
    [named('Former', 'old'), named('Over', 'usual', { end: '2020' })],
    'Over',
  ],
  [
    'one that says nothing behind one that does',
    [{ use: 'official', family: 'UNK' }, named('Usual', 'usual')],
    'Usual',
  ],
  ['a former one before that before marriage', [named('M', 'maiden'), named('F', 'old')], 'F'],
  ['the one before marriage alone', [named('M', 'maiden')], 'M'],
] as const)
  test(`the name of the mother: ${what}`, () => {
    assert.is(courseOf(withMother({ name: names })).mother.family_name, expected);
  });

test('the name before marriage is the birth surname, although its time is over', () => {
  const { family_name, birth_surname } = courseOf(
    withMother({ name: [named('Born', 'maiden', { end: '2019-06-01' }), named('Now')] }),
  ).mother;
  assert.equal([family_name, birth_surname], ['Now', 'Born']);
});

test('without a stamp, names are held against the day of birth', () => {
  const names = [
    named('Before', 'official', { end: '2026-04-30' }),
    named('Now', 'usual', { end: '2026-05-01' }),
  ];
  assert.is(courseOf(withMother({ name: names }, { stamp: {} })).mother.family_name, 'Now');
});

test('a child’s official name stands before the one from before it had a name', () => {
  const name = [
    { use: 'temp', given: ['Babygirl'] },
    { use: 'official', given: ['Ondine'] },
  ];
  const course = courseOf(withMother({}, { child: { name } }));
  assert.equal(course.children[0]?.given_names, ['Ondine']);
});

for (const [what, telecom, expected] of [
  ['a mobile number before one without a use', [{}, { use: 'mobile' }], 1],
  [
    'the sender’s rank before the use',
    [
      { use: 'mobile', rank: 2 },
      { use: 'home', rank: 1 },
    ],
    1,
  ],
  ['one at work last', [{ use: 'work', rank: 1 }, {}], 1],
  ['one at work alone', [{ use: 'work' }], 0],
  ['one that is over behind one at work', [{ period: { end: '2025' } }, { use: 'work' }], 1],
  ['a former one alone', [{ use: 'old' }], 0],
] as const)
  test(`the phone of the mother: ${what}`, () => {
    const numbers = telecom.map((one, index) => ({
      system: 'phone',
      value: `555-${index}`,
      ...one,
    }));
    const { phone } = courseOf(withMother({ telecom: numbers })).mother;
    assert.is(phone, `555-${expected}`);
  });

for (const [what, addresses, expected] of [
  ['the home before another', [{ use: 'work' }, { use: 'home' }], 1],
  [
    'a home that is over behind one without a use',
    [{ use: 'home', period: { end: '2024' } }, {}],
    1,
  ],
  [
    'the home where she lives before that for mail',
    [{ use: 'home', type: 'postal' }, { use: 'home' }],
    1,
  ],
  ['one for bills behind one of work', [{ use: 'billing' }, { use: 'work' }], 1],
  ['one for bills before a former home', [{ use: 'old' }, { use: 'billing' }], 1],
  ['a former one alone', [{ use: 'old' }], 0],
] as const)
  test(`the address of the mother: ${what}`, () => {
    const sentAddresses = addresses.map((one, index) => ({ city: `City ${index}`, ...one }));
    const { address } = courseOf(withMother({ address: sentAddresses })).mother;
    assert.is(address.city, `City ${expected}`);
  });

const MR = { coding: [{ code: 'MR' }] };

for (const [what, identifiers, expected] of [
  ['the usual one first', [{ use: 'official' }, { use: 'usual' }], 1],
  [
    'one that is over behind one that holds',
    [{ use: 'usual', period: { end: '2025-01-01' } }, {}],
    1,
  ],
  ['a former one behind a temporary one', [{ use: 'old' }, { use: 'temp' }], 1],
] as const)
  test(`the medical record number: ${what}`, () => {
    const identifier = identifiers.map((one, index) => ({ type: MR, value: `N-${index}`, ...one }));
    const { mother } = courseOf(withMother({ identifier }));
    assert.is(mother.medical_record_number, `N-${expected}`);
  });

const providersOf = (bundle: JsonObject) => {
  const mapped = mapBundle(bundle, 'partner');
  if (mapped.kind !== 'course') throw new Error(mapped.kind);
  return mapped.providers;
};

test('an NPI whose system is named NPI is no key of its provider', () => {
  const [attendant] = providersOf(sent('11a-system-npi-partner.json'));
  assert.equal([attendant?.identity, attendant?.npi], ['pa', '1000000004']);
});

for (const identifier of [
  { system: 'NPI' },
  { system: 'npi' },
  { system: 'http://hl7.org/fhir/sid/us-npi/' },
  { system: 'https://hl7.org/fhir/sid/us-npi' },
  { system: 'HTTP://HL7.ORG/FHIR/SID/US-NPI' },
  { system: 'us-npi' },
  { system: 'us_npi' },
  { system: 'urn:us-npi' },
  { system: 'https://example.org/identifiers/npi' },
  { system: 'urn:oid:2.16.840.1.113883.4.6' },
  { system: 'URN:OID:2.16.840.1.113883.4.6' },
  { system: 'oid:2.16.840.1.113883.4.6' },
  { type: { coding: [{ code: 'NPI' }] } },
  { type: { coding: [{ code: 'npi' }] } },
  { type: { text: 'NPI' } },
  { type: { text: 'National Provider Identifier (NPI)' } },
  { type: { coding: [{ display: 'National provider identifier' }] } },
  { type: { text: 'NPI number' }, system: 'urn:ehr' },
])
  test(`an NPI by ${JSON.stringify(identifier)} is no key`, () => {
    const npi = { ...identifier, value: '1932304839' };
    assert.is(readProviderIdentity({ id: 'p', identifier: [npi, { value: 'EHR-7' }] }), 'EHR-7');
  });

for (const identifier of [
  { system: 'https://example.org/npi-requests' },
  { system: 'urn:example:snpi' },
  { type: { text: 'Non-NPI identifier' } },
  { type: { coding: [{ code: 'EI' }] } },
])
  test(`what is no NPI by ${JSON.stringify(identifier)} is a key`, () => {
    assert.is(
      readProviderIdentity({ id: 'p', identifier: [{ ...identifier, value: 'EHR-7' }] }),
      'EHR-7',
    );
  });

test('a provider goes by the name that holds, with the letters behind it', () => {
  const [provider] = providersOf(
    birthBundle({
      more: [
        {
          resourceType: 'Practitioner',
          id: 'p',
          name: [
            { use: 'old', family: 'Before', given: ['Avery'], suffix: ['RN'] },
            { use: 'usual', family: 'Now', given: ['Avery'], suffix: ['CNM'] },
          ],
        },
      ],
    }),
  );
  assert.equal([provider?.name, provider?.credentials], ['Avery Now', 'CNM']);
});

test('race and ethnicity of the worksheet stand before the extensions of the Patient', () => {
  const { race, ethnicity } = readMother('cdc-01-race-worksheet-and-extension.json');
  assert.equal([race, ethnicity], [['2106-3', '1002-5', 'other-asian'], '2135-2']);
});

test('one of four answers about ethnicity is not enough for “not Hispanic”', () => {
  assert.is(readMother('cdc-06-ethnicity-one-of-four-answers.json').ethnicity, null);
});

const answered = (
  answers: Readonly<Record<string, JsonObject>>,
  system = 'urn:any',
): JsonObject => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system, code: 'inputraceandethnicityMother' }] },
  component: Object.entries(answers).map(([code, value]) => ({
    code: { coding: [{ code }] },
    ...value,
  })),
});

const yes = { valueBoolean: true };
const no = { valueCodeableConcept: { coding: [{ code: 'N' }] } };
const hispanic = { valueCodeableConcept: { coding: [{ code: 'Y' }] } };
const NO_TO_ALL = {
  HispanicMexican: no,
  HispanicPuertoRican: no,
  HispanicCuban: no,
  HispanicOther: no,
};
const EXTENSIONS = [
  ['us-core-race', '2054-5'],
  ['us-core-ethnicity', '2135-2'],
].map(([name, code]) => ({
  url: `http://hl7.org/fhir/us/core/StructureDefinition/${name}`,
  extension: [{ url: 'ombCategory', valueCoding: { code } }],
}));

for (const [what, answers, expected] of [
  ['four answers no are not Hispanic', NO_TO_ALL, [['2054-5'], '2186-5']],
  ['one answer yes is Hispanic', { HispanicCuban: hispanic }, [['2054-5'], '2135-2']],
  ['a race without ethnicity leaves that of the Patient', { Samoan: yes }, [['2080-0'], '2135-2']],
  [
    'Other Asian is an answer of its own, whatever else is',
    { OtherAsian: yes, Chinese: yes },
    [['other-asian', '2034-7'], '2135-2'],
  ],
  [
    'answers that decide nothing leave those of the Patient',
    { HispanicCuban: no },
    [['2054-5'], '2135-2'],
  ],
] as const)
  test(`worksheet: ${what}`, () => {
    const bundle = withMother({ extension: EXTENSIONS }, { more: [answered(answers)] });
    const { race, ethnicity } = courseOf(bundle).mother;
    assert.equal([race, ethnicity], expected);
  });

const because = (code: string) => ({ valueCodeableConcept: { coding: [{ code }] } });

for (const [what, answers, extension, expected] of [
  ['a refusal', { RACEMVR: because('PREFUS') }, [], [[], 'declined']],
  ['asked, but unknown', { RACEMVR: because('ASKU') }, [], [[], 'asked but unknown']],
  ['unknown', { RACEMVR: because('UNK') }, [], [[], 'unknown']],
  ['a refusal as text', { RACEMVR: { valueString: 'Refused' } }, [], [[], 'declined']],
  ['no other code', { RACEMVR: because('2106-3') }, [], [[], null]],
  [
    'both, where both are said',
    { White: yes, RACEMVR: because('UNK') },
    [],
    [['2106-3'], 'unknown'],
  ],
  [
    'the race of the Patient as well',
    { RACEMVR: because('UNK') },
    EXTENSIONS,
    [['2054-5'], 'unknown'],
  ],
] as const)
  test(`worksheet, why no race is stated: ${what}`, () => {
    const bundle = withMother({ extension }, { more: [answered(answers)] });
    const { race, race_absent_reason } = courseOf(bundle).mother;
    assert.equal([race, race_absent_reason], expected);
  });

for (const [what, elements, reason, ids] of [
  [
    'as the absent reason of the answer',
    {
      component: [
        {
          code: { coding: [{ code: 'RACEMVR' }] },
          dataAbsentReason: { coding: [{ code: 'asked-declined' }] },
        },
      ],
    },
    'declined',
    [],
  ],
  [
    'as that of the worksheet',
    { dataAbsentReason: { coding: [{ code: 'asked-declined' }] } },
    'declined',
    [],
  ],
  ['as the value of the worksheet', { valueString: 'Refused' }, 'declined', []],
  [
    'as an answer that is not understood',
    { component: [{ code: { coding: [{ code: 'RACEMVR' }] }, valueCode: 'R' }] },
    null,
    ['not-understood'],
  ],
  [
    'as a number',
    { component: [{ code: { coding: [{ code: 'RACEMVR' }] }, valueInteger: 1 }] },
    null,
    ['not-understood'],
  ],
] as const)
  test(`worksheet, why no race is stated: ${what}`, () => {
    const { mother, warnings } = courseOf(
      withMother({}, { more: [{ ...answered({}), ...elements }] }),
    );
    assert.is(mother.race_absent_reason, reason);
    assert.equal(
      warnings.map(({ id }) => id),
      ids,
    );
  });

const warned = (bundle: JsonObject) =>
  courseOf(bundle).warnings.map(({ field, raw, id }) => [field, raw, id]);

for (const [invisible, name] of [
  ['\u200b', 'U+200B'],
  ['\u00ad', 'U+00AD'],
  ['\ufeff', 'U+FEFF'],
  ['\u202e', 'U+202E'],
  ['\u200d', 'U+200D'],
] as const)
  test(`${name} in a chart number and in texts is dropped, and a warning names it`, () => {
    const bundle = {
      ...withMother({
        name: [{ family: `Mar${invisible}in`, given: [`Ro${invisible}sa`] }],
        address: [{ city: `Eu${invisible}gene`, line: [`1${invisible} Elm`, 'Apt 2'] }],
        telecom: [{ system: 'phone', value: `555${invisible}-0100` }],
      }),
      identifier: { value: `MRN${invisible}-1` },
    };
    const { mother, chart_number } = courseOf(bundle);
    assert.equal([mother.family_name, mother.given_names], ['Marin', ['Rosa']]);
    assert.equal([mother.address.city, mother.address.line], ['Eugene', '1 Elm, Apt 2']);
    assert.equal([mother.phone, chart_number], ['555-0100', 'MRN-1']);
    assert.equal(
      warned(bundle),
      [
        'chart_number',
        'mother.family_name',
        'mother.given_names',
        'mother.address.line',
        'mother.address.city',
        'mother.phone',
      ].map((field) => [field, name, 'invisible-characters']),
    );
  });

test('a joiner that belongs to the spelling of a name stays, without a warning', () => {
  for (const family of ['می\u200cنا', 'ന്\u200d', '葛\u{e0100}城']) {
    const bundle = withMother({ name: [{ family }] });
    assert.is(courseOf(bundle).mother.family_name, family);
    assert.equal(warned(bundle), []);
  }
});

test.run();
