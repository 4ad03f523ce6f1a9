import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../support/bundles.ts';
import { BORN, mapped, mappedIn, motherChart, newbornChart, offered } from '../support/charts.ts';

const mapper = suite('a chart’s Patient');

// Who was launched

for (const [gender, birthDate, expected] of [
  ['female', BORN, 'newborn'],
  ['male', '2025-07-01', 'newborn'],
  ['female', '2025-05-14', 'newborn'],
  ['female', '2027-01-01', null],
  ['male', '2025', 'newborn'],
  ['female', '1994-06-17', 'mother'],
  ['female', '1994', 'mother'],
  ['male', '1994-06-17', null],
  ['female', '1940-01-01', null],
  ['female', '2020-01-01', 'newborn'],
  ['female', undefined, null],
  ['female', '2026-13-45', null],
] as const)
  mapper(`a ${gender} born ${birthDate} seems to be: ${expected}`, () => {
    const patient = { resourceType: 'Patient', id: 'm', gender, birthDate };
    assert.is(mapped(motherChart({ patient })).launched, expected);
  });

// The Patient

const named = (...names: readonly object[]) =>
  mapped(
    motherChart({
      patient: {
        resourceType: 'Patient',
        id: 'm',
        gender: 'female',
        birthDate: '1994',
        name: names,
      },
    }),
  );

mapper(
  'the official name wins, a former one never, a maiden name is the one before marriage',
  () => {
    const { asMother } = named(
      { use: 'old', family: 'Former' },
      { use: 'maiden', family: 'Sørensen' },
      { use: 'usual', family: 'Usual' },
      { use: 'official', family: 'Brandvold', given: ['Ana', 'UNK'] },
    );
    assert.equal(offered(asMother, 'mother.family_name'), ['Brandvold']);
    assert.equal(offered(asMother, 'mother.given_names'), [['Ana']]);
    assert.equal(offered(asMother, 'mother.birth_surname'), ['Sørensen']);
  },
);

mapper('the suffix of a name is offered for its own field', () => {
  for (const name of [{ family: 'Stone', suffix: ['Jr'] }, { family: 'Stone, Jr' }]) {
    const { asMother, person } = named({ ...name, given: ['Ana'] });
    assert.equal(offered(asMother, 'mother.family_name'), ['Stone']);
    assert.equal(offered(asMother, 'mother.suffix'), ['Jr']);
    assert.is(person.name, 'Ana Stone Jr');
  }
});

mapper('a name whose period is over is a former one', () => {
  const { asMother } = named(
    { use: 'official', family: 'Former', period: { end: '2020-01-01' } },
    { family: 'Current', period: { end: '2040-01-01' } },
  );
  assert.equal(offered(asMother, 'mother.family_name'), ['Current']);
  assert.equal(offered(named({ use: 'old', family: 'Former' }).asMother, 'mother.family_name'), []);
});

mapper(
  'characters that show nothing in a name are pointed out, and a name that is too long',
  () => {
    const { asMother } = named({ family: 'St\u0007one', given: ['Ida', 'x'.repeat(300)] });
    assert.equal(offered(asMother, 'mother.family_name'), ['St one']);
    assert.equal(
      asMother.values['mother.family_name']?.map(({ caution }) => caution),
      ['Characters that show nothing were dropped from the text, or replaced within it.'],
    );
    assert.equal(
      asMother.notTaken.slice(0, 1).map(({ what, why }) => [what, why]),
      [['Name', 'The text is too long.']],
    );
  },
);

mapper(
  'a time that was sent with a date of birth is pointed out, unless it is that of the birth',
  () => {
    const cautionsOf = (chart: typeof motherChart, birthDate: string) => {
      const id = chart === motherChart ? 'm' : 'c';
      const read = mapped(chart({ patient: { resourceType: 'Patient', id, birthDate } }));
      const values =
        chart === motherChart
          ? read.asMother.values['mother.birth_date']
          : read.asNewborn.values['children.0.birth_date'];
      return values?.map(({ value, caution }) => [value, caution]);
    };
    const dropped = 'The field holds a date: the time that was sent with it was dropped.';
    assert.equal(cautionsOf(motherChart, '1994-06-17T10:00:00Z'), [['1994-06-17', dropped]]);
    assert.equal(cautionsOf(newbornChart, `${BORN}T00:00:00Z`), [[BORN, dropped]]);
    assert.equal(cautionsOf(newbornChart, `${BORN}T14:05:00-05:00`), [[BORN, null]]);
  },
);

mapper('an address in words is named, and one that says nothing hides no other', () => {
  const read = (...address: readonly object[]) =>
    mapped(motherChart({ patient: { resourceType: 'Patient', id: 'm', address } })).asMother;
  assert.equal(
    read({ text: '12 Elm Street, Eugene' }).notTaken.map(({ what, said }) => [what, said]),
    [['Street address', '12 Elm Street, Eugene']],
  );
  const second = read({ use: 'home' }, { use: 'home', line: ['1 Road'] });
  assert.equal(offered(second, 'mother.address.line'), ['1 Road']);
});

mapper('a race or ethnicity that is not understood is named', () => {
  const said = (name: string) => ({
    url: `http://hl7.org/fhir/us/core/StructureDefinition/${name}`,
    extension: [{ url: 'category', valueCoding: { code: '2106-3' } }],
  });
  const extension = [said('us-core-race'), said('us-core-ethnicity')];
  const patient = { resourceType: 'Patient', id: 'm', extension };
  const { asMother } = mapped(motherChart({ patient }));
  assert.equal(
    asMother.notTaken.map(({ what }) => what),
    ['Race', 'Ethnicity'],
  );
});

mapper('a refusal to state a race is offered as the reason, not as a race', () => {
  const race = [
    { url: 'ombCategory', valueCoding: { code: 'ASKU' } },
    { url: 'text', valueString: 'Declined' },
  ];
  const extension = [
    { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race', extension: race },
  ];
  const patient = { resourceType: 'Patient', id: 'm', birthDate: '1994', extension };
  const { asMother } = mapped(motherChart({ patient }));
  assert.equal(offered(asMother, 'mother.race'), []);
  assert.equal(offered(asMother, 'mother.race_absent_reason'), ['declined']);
});

mapper('a race that cannot be read is named, like one beside a category', () => {
  for (const part of [
    { url: 'text', valueString: 5 },
    { url: 'detailed', valueCoding: { code: '1586-7' } },
  ]) {
    const parts = [
      ...(part.url === 'text' ? [] : [{ url: 'ombCategory', valueCoding: { code: '1002-5' } }]),
      part,
    ];
    const url = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race';
    const extension = [{ url, extension: parts }];
    const patient = { resourceType: 'Patient', id: 'm', birthDate: '1994-06-02', extension };
    const { notTaken } = mapped(motherChart({ patient })).asMother;
    assert.equal(
      notTaken.map(({ what }) => what),
      ['Race'],
    );
  }
});

for (const [given, isDoubted] of [
  [['Babygirl'], true],
  [['Girl'], true],
  [['Boy'], true],
  [['Ondine Girl A'], true],
  [['Ondine', 'Girl', 'A'], true],
  [['Ondinesgirl'], true],
  [['Ondine’s Boy'], true],
  [['Twin B'], true],
  [['Twin', 'B'], true],
  [['Baby Boy 2'], true],
  [['Girl Ondine'], true],
  [['BB'], true],
  [['Babygirl1'], true],
  [['TwinA'], true],
  [['Newborn', 'Ondine'], true],
  [['Baby', 'Girl', 'Ondine', 'Two'], true],
  [['Idababygirl'], true],
  [['Babygirlington'], false],
  [['Marisol'], false],
  [['Beau'], false],
  [['Luz', 'Ana'], false],
  [['Boyd'], false],
  [['Mary', 'Babette'], false],
] as const)
  mapper(`the name of a newborn ${given.join(' ')} is doubted: ${isDoubted}`, () => {
    const patient = { resourceType: 'Patient', id: 'n', birthDate: BORN, name: [{ given }] };
    const { asNewborn } = mapped(newbornChart({ patient }));
    const caution = asNewborn.values['children.0.given_names']?.[0]?.caution ?? null;
    assert.is(caution !== null, isDoubted);
  });

for (const [name, isDoubted] of [
  ['Boy Ondine', true],
  ['Baby Vik', true],
  ['Boy Willem', false],
] as const)
  mapper(`a word that may be a name is doubted beside the mother’s: ${name}`, () => {
    const contact = [{ relationship: [{ text: 'Mother' }], name: { given: ['Ondine'] } }];
    const named = [{ given: [name], family: 'Vik' }];
    const patient = { resourceType: 'Patient', id: 'n', birthDate: BORN, name: named, contact };
    const [offer] =
      mapped(newbornChart({ patient })).asNewborn.values['children.0.given_names'] ?? [];
    assert.is(offer?.caution !== null, isDoubted);
  });

mapper('a name in one piece is kept whole, with a word of caution', () => {
  const { asMother, person } = named({ text: 'Ottilie Fairweather' });
  assert.equal(offered(asMother, 'mother.family_name'), ['Ottilie Fairweather']);
  assert.ok(asMother.values['mother.family_name']?.[0]?.caution);
  assert.is(person.name, 'Ottilie Fairweather');
});

mapper('of a date of birth that is known in part, that part is offered', () => {
  const { asMother, person } = named();
  assert.equal(offered(asMother, 'mother.birth_date'), ['1994']);
  assert.equal(asMother.notTaken, []);
  assert.is(person.birthDate, '1994');
});

mapper('the record number is the usual MR, never a social security number or a former one', () => {
  const number = (code: string, value: string, more: Readonly<Record<string, unknown>> = {}) => ({
    type: { coding: [{ code }] },
    value,
    ...more,
  });
  const patient = (identifier: readonly object[]) => ({
    resourceType: 'Patient',
    id: 'm',
    identifier,
  });
  const read = (...identifiers: readonly object[]) =>
    offered(
      mapped(motherChart({ patient: patient(identifiers) })).asMother,
      'mother.medical_record_number',
    );
  assert.equal(read(number('SS', '999'), number('MR', 'A'), number('MR', 'B', { use: 'usual' })), [
    'B',
  ]);
  assert.equal(read(number('SS', '999')), []);
  assert.equal(read(number('MR', 'A', { use: 'old' }), number('MR', 'C')), ['C']);
});

mapper('the address is the home that is not over; its parts go to fields of their own', () => {
  const address = (
    use: string | undefined,
    city: string,
    more: Readonly<Record<string, unknown>> = {},
  ) => ({
    use,
    city,
    line: ['1 Road', 'Apt 2'],
    district: 'Lane',
    state: 'OR',
    postalCode: '97401',
    ...more,
  });
  const read = (...addresses: readonly object[]) =>
    mapped(motherChart({ patient: { resourceType: 'Patient', id: 'm', address: addresses } }))
      .asMother;
  const both = read(
    address('home', 'Past', { period: { end: '2021-01' } }),
    address('work', 'Work'),
    address('home', 'Eugene'),
  );
  assert.equal(offered(both, 'mother.address.city'), ['Eugene']);
  assert.equal(offered(both, 'mother.address.line'), ['1 Road, Apt 2']);
  assert.equal(offered(both, 'mother.address.county'), ['Lane']);
  assert.equal(offered(read(address('billing', 'Bills')), 'mother.address.city'), []);
});

mapper('a newborn’s chart gives the child, and its mother’s name without a date of birth', () => {
  const { asNewborn } = mapped(
    newbornChart({
      patient: {
        resourceType: 'Patient',
        id: 'c',
        gender: 'unknown',
        birthDate: BORN,
        name: [{ family: 'Ashgrove', given: ['Boy', 'A'] }],
        extension: [
          {
            url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex',
            valueCode: 'M',
          },
          {
            url: 'http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName',
            valueString: 'Hawthorne',
          },
        ],
        _birthDate: {
          extension: [
            {
              url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
              valueDateTime: '2026-05-12T09:11:00-05:00',
            },
          ],
        },
        multipleBirthInteger: 2,
        deceasedBoolean: false,
        contact: [
          { relationship: [{ coding: [{ code: 'FTH' }] }], name: { family: 'Father' } },
          {
            relationship: [{ coding: [{ code: 'MTH' }] }],
            name: { family: 'Ashgrove', given: ['Temperance'] },
          },
        ],
      },
    }),
  );
  assert.equal(
    Object.fromEntries(
      Object.keys(asNewborn.values).map((path) => [path, offered(asNewborn, path)[0]]),
    ),
    {
      'children.0.family_name': 'Ashgrove',
      'children.0.given_names': ['Boy', 'A'],
      'children.0.birth_date': BORN,
      'children.0.birth_time': '2026-05-12T09:11:00-05:00',
      'children.0.sex': 'male',
      'children.0.birth_order': 2,
      'children.0.living': true,
      'mother.family_name': 'Ashgrove',
      'mother.given_names': ['Temperance'],
      'mother.birth_surname': 'Hawthorne',
    },
  );
  const subjects = Object.entries(asNewborn.values).map(([path, [value]]) => [
    path.startsWith('children.'),
    value?.subject,
    value?.child,
  ]);
  for (const [isChild, subject, row] of subjects)
    assert.equal([subject, row], isChild ? ['child', 0] : ['mother', null]);
});

// One rule for the time of birth in both lanes

const TIME = '2026-03-12T04:31:00-05:00';
const timed = (valueDateTime: unknown) => ({
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime }],
});
const ABSENT = {
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: 'unknown',
};

mapper('a newborn without a date of birth was born on the day of the practice’s clock', () => {
  const chart = newbornChart({
    patient: { resourceType: 'Patient', id: 'c', _birthDate: timed('2026-05-12T05:10:00Z') },
  });
  for (const [timeZone, date] of [
    ['America/New_York', '2026-05-12'],
    ['America/Los_Angeles', '2026-05-11'],
  ] as const)
    assert.equal(offered(mappedIn(timeZone, chart).asNewborn, 'children.0.birth_date'), [date]);
});

for (const [name, child, date, time, isLeftOut] of [
  ['beside the date', { birthDate: '2026-03-12', _birthDate: timed(TIME) }, '2026-03-12', TIME],
  ['on the Patient', { birthDate: '2026-03-12', ...timed(TIME) }, '2026-03-12', TIME],
  ['without a date gives it', { _birthDate: timed(TIME) }, '2026-03-12', TIME],
  ['on the Patient without a date gives it', timed(TIME), '2026-03-12', TIME],
  ['in the date itself', { birthDate: TIME }, '2026-03-12', TIME],
  ['in the date and beside it', { birthDate: TIME, _birthDate: timed(TIME) }, '2026-03-12', TIME],
  [
    'beside a date that is said to be absent gives none',
    { _birthDate: { extension: [ABSENT, ...timed(TIME).extension] } },
    null,
    TIME,
  ],
  ['of a day alone gives the day', { _birthDate: timed('2026-03-12') }, '2026-03-12', null, true],
  [
    'that is impossible',
    { birthDate: '2026-03-12', _birthDate: timed('2026-03-12T25:00:00Z') },
    '2026-03-12',
    null,
    true,
  ],
  [
    'that is no text',
    { birthDate: '2026-03-12', _birthDate: timed(20260312) },
    '2026-03-12',
    null,
    true,
  ],
] as const)
  mapper(`a time of birth ${name}, in a chart as in a Bundle`, () => {
    const patient = { resourceType: 'Patient', id: 'c', ...child };
    const { asNewborn } = mapped(newbornChart({ patient }));
    const meta = { profile: ['Patient-child-vr'] };
    const course = courseOf(birthBundle({ children: [], more: [{ ...patient, meta }] }));
    const inBundle = course.children[0];
    const expected = [date ?? null, time];
    assert.equal([inBundle?.birth_date, inBundle?.birth_time], expected, 'Bundle');
    assert.equal(
      ['birth_date', 'birth_time'].map(
        (field) => offered(asNewborn, `children.0.${field}`)[0] ?? null,
      ),
      expected,
      'chart',
    );
    const warned = course.warnings.map(({ field }) => field);
    assert.equal(warned, isLeftOut === true ? ['children.birth_time'] : [], 'Bundle');
    assert.equal(
      asNewborn.notTaken.map(({ what }) => what),
      isLeftOut === true ? ['Time of birth'] : [],
      'chart',
    );
  });

const newborn = (changes: JsonObject) =>
  mapped(newbornChart({ patient: { resourceType: 'Patient', id: 'c', ...changes } })).asNewborn;

const SEX = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-sex';
const TOTAL = 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal';

for (const [name, patient, path, expected] of [
  ['us-core-sex alone', { extension: [{ url: SEX, valueCode: '248152002' }] }, 'sex', 'female'],
  ['a birth order in quotes', { multipleBirthInteger: '2' }, 'birth_order', 2],
  ['a boolean in quotes', { deceasedBoolean: 'false' }, 'living', true],
] as const)
  mapper(`${name} is read`, () => {
    const prefill = newborn(patient);
    assert.equal(offered(prefill, `children.0.${path}`), [expected]);
    assert.equal(prefill.notTaken, []);
  });

mapper('the total is the plurality, never less than the birth order', () => {
  const total = (valuePositiveInt: number) => ({
    multipleBirthInteger: 2,
    _multipleBirthInteger: { extension: [{ url: TOTAL, valuePositiveInt }] },
  });
  assert.equal(offered(newborn(total(3)), 'plurality'), [3]);
  assert.equal(offered(newborn(total(1)), 'plurality'), []);
  assert.is(newborn(total(1)).notTaken.length, 1);
});

mapper('no multiple birth beside a total of several gives no order, and the page says so', () => {
  const prefill = newborn({
    multipleBirthBoolean: false,
    _multipleBirthBoolean: { extension: [{ url: TOTAL, valuePositiveInt: 2 }] },
  });
  assert.equal(offered(prefill, 'children.0.birth_order'), []);
  assert.equal(offered(prefill, 'plurality'), [2]);
  assert.equal(
    prefill.notTaken.map(({ what }) => what),
    ['Birth order'],
  );
});

mapper('a multiple birth beside a total of one is one child, and the page says so', () => {
  const prefill = newborn({
    multipleBirthBoolean: true,
    _multipleBirthBoolean: { extension: [{ url: TOTAL, valuePositiveInt: 1 }] },
  });
  assert.equal(offered(prefill, 'plurality'), [1]);
  assert.equal(
    prefill.notTaken.map(({ what, said }) => [what, said]),
    [['Children of this birth', 'A multiple birth']],
  );
});

for (const birthDate of ['0001-01-01', '9999-12-31'])
  mapper(`${birthDate} is no date of birth, and the page says so`, () => {
    const prefill = newborn({ birthDate });
    assert.equal(offered(prefill, 'children.0.birth_date'), []);
    assert.equal(
      prefill.notTaken.map(({ what }) => what),
      ['Date of birth'],
    );
  });

mapper('states and countries are read as in a Bundle', () => {
  const address = [{ use: 'home', state: 'Alabama', country: 'USA', postalCode: '99999' }];
  const { asMother } = mapped(
    motherChart({ patient: { resourceType: 'Patient', id: 'm', gender: 'female', address } }),
  );
  assert.equal(offered(asMother, 'mother.address.state'), ['AL']);
  assert.equal(offered(asMother, 'mother.address.country'), ['US']);
  assert.equal(offered(asMother, 'mother.address.postal_code'), []);
});

mapper('a street line in parts is put together', () => {
  const part = (name: string, valueString: string) => ({
    url: `http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-${name}`,
    valueString,
  });
  const _line = [
    { extension: [part('houseNumber', '13'), part('streetNameBase', 'Short Street')] },
  ];
  const { asMother } = mapped(
    motherChart({ patient: { resourceType: 'Patient', id: 'm', address: [{ _line }] } }),
  );
  assert.equal(offered(asMother, 'mother.address.line'), ['13 Short Street']);
});

for (const [what, more, unread] of [
  [
    'that another one replaced',
    { link: [{ type: 'replaced-by', other: { reference: 'Patient/2' } }] },
    [{ part: 'Patient', why: 'replaced' }],
  ],
  ['that is not active', { active: false }, [{ part: 'Patient', why: 'replaced' }]],
  ['that is not active, in quotes', { active: 'false' }, [{ part: 'Patient', why: 'replaced' }]],
  [
    'that others are linked to',
    { active: true, link: [{ type: 'seealso', other: { reference: 'Patient/2' } }] },
    [],
  ],
] as const)
  mapper(`a chart ${what} is read${unread.length > 0 ? ' with a caution' : ''}`, () => {
    const patient = { resourceType: 'Patient', id: 'm', name: [{ family: 'Marin' }], ...more };
    const chart = mapped(motherChart({ patient }));
    assert.equal(offered(chart.asMother, 'mother.family_name'), ['Marin']);
    assert.equal(chart.unread, unread);
  });

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const ethnicityOf = (code: string) => ({
  url: `${US_CORE}/us-core-ethnicity`,
  extension: [{ url: 'ombCategory', valueCoding: { code } }],
});

for (const [what, more, why, of] of [
  ['a record number as a number', { identifier: [{ value: 7 }] }, 'other-type', ['Record number']],
  ['an address as a text', { address: ['12 Elm Street'] }, 'other-type', ['Address']],
  ['a date of birth as a list', { birthDate: ['1994-06-17'] }, 'other-type', ['Date of birth']],
  [
    'a name and a phone as texts',
    { name: 'Rosa Marin', telecom: '503' },
    'other-type',
    ['Name', 'Phone'],
  ],
  [
    'two answers about ethnicity',
    { extension: [ethnicityOf('2135-2'), ethnicityOf('2186-5')] },
    'repeated',
    ['Ethnicity'],
  ],
] as const)
  mapper(`${what} is named as what to compare with the chart`, () => {
    const patient = { resourceType: 'Patient', id: 'm', ...more };
    assert.equal(mapped(motherChart({ patient })).unread, [{ part: 'Patient', why, of }]);
  });

mapper('an element with a modifier is not read, and is reported', () => {
  const address = [{ city: 'Eugene', modifierExtension: [{ url: 'urn:x:wrong' }] }];
  const patient = { resourceType: 'Patient', id: 'm', address };
  const { unread, asMother } = mapped(motherChart({ patient }));
  assert.equal(offered(asMother, 'mother.address.city'), []);
  assert.equal(unread, [{ part: 'Patient', why: 'modified' }]);
});

mapper('a mother’s maiden name that is no text is reported', () => {
  const extension = [{ url: 'http://x/patient-mothersMaidenName', valueString: 7 }];
  const { asNewborn } = mapped(
    newbornChart({ patient: { resourceType: 'Patient', id: 'c', extension } }),
  );
  assert.equal(
    asNewborn.notTaken.map(({ what, why }) => [what, why]),
    [['Birth surname of the mother', 'The value is not understood.']],
  );
});

mapper.run();
