import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapChart } from '../../domain/us-core/map-chart.ts';
import {
  condition,
  encounter,
  observation,
  quantity,
} from '../../scripts/ehr-simulator/resources.ts';
import {
  BORN,
  gestation,
  ISSUER,
  mapped,
  motherChart,
  newbornChart,
  offered,
  TODAY,
} from '../support/charts.ts';

const mapper = suite('the US Core mapper');

const bw = (
  value: object,
  more: Readonly<Record<string, unknown>> = {},
  at: string | undefined = `${BORN}T09:30:00-05:00`,
) =>
  observation(
    {
      id: 'bw',
      patient: 'c',
      code: ['8339-4', 'Birth weight'],
      ...(at === undefined ? {} : { at }),
    },
    { ...value, ...more },
  );

const apgar5 = (
  id: string,
  score: number,
  at: string,
  more: Readonly<Record<string, unknown>> = {},
  patient = 'c',
) =>
  observation(
    { id, patient, code: ['9274-2', '5 minute Apgar'], at: `${BORN}T${at}:00-05:00` },
    { ...quantity(score, '{score}'), ...more },
  );

const child = (observations: readonly unknown[]) =>
  mapped(newbornChart({ observations })).asNewborn;
const mother = (observations: readonly unknown[], conditions: readonly unknown[] = []) =>
  mapped(motherChart({ observations, conditions })).asMother;

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

mapper('a name whose period is over is a former one', () => {
  const { asMother } = named(
    { use: 'official', family: 'Former', period: { end: '2020-01-01' } },
    { family: 'Current', period: { end: '2040-01-01' } },
  );
  assert.equal(offered(asMother, 'mother.family_name'), ['Current']);
  assert.equal(offered(named({ use: 'old', family: 'Former' }).asMother, 'mother.family_name'), []);
});

mapper('a name in one piece is kept whole, with a word of caution', () => {
  const { asMother, person } = named({ text: 'Ottilie Fairweather' });
  assert.equal(offered(asMother, 'mother.family_name'), ['Ottilie Fairweather']);
  assert.ok(asMother.values['mother.family_name']?.[0]?.caution);
  assert.is(person.name, 'Ottilie Fairweather');
});

mapper('of a date of birth that is known in part nothing is invented', () => {
  const { asMother, person } = named();
  assert.equal(offered(asMother, 'mother.birth_date'), []);
  assert.equal(
    asMother.notTaken.map(({ what, said }) => [what, said]),
    [['Date of birth', '1994']],
  );
  assert.is(person.birthDate, '1994');
});

mapper('the record number is the usual MR, never a social security number or a former one', () => {
  const number = (code: string, value: string, more: Readonly<Record<string, unknown>> = {}) => ({
    ...{ type: { coding: [{ code }] }, value },
    ...more,
  });
  const patient = (identifier: readonly object[]) => ({
    ...{ resourceType: 'Patient', id: 'm', identifier },
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
    ...{ use, city, line: ['1 Road', 'Apt 2'], district: 'Lane', state: 'OR', postalCode: '97401' },
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
        ...{ resourceType: 'Patient', id: 'c', gender: 'unknown', birthDate: BORN },
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

// Weights

for (const [value, grams] of [
  [quantity(3410, 'g'), 3410],
  [quantity(3.41, 'kg'), 3410],
  [quantity(7.5, '[lb_av]'), 3401.942775],
  [quantity(120, '[oz_av]', 'oz'), 3401.942775],
  [{ valueInteger: 3410 }, 3410],
  [quantity(3410, 'mmol/L'), undefined],
  [quantity(34_100, 'g'), undefined],
  [{ valueQuantity: { value: 3410, code: 'g', comparator: '>' } }, undefined],
  [{ valueString: 'heavy' }, undefined],
] as const)
  mapper(`a birth weight of ${JSON.stringify(value)} is ${grams} g`, () => {
    assert.is(offered(child([bw(value)]), 'children.0.birth_weight_grams')[0], grams);
  });

const weight = (id: string, at: string, kg: number) =>
  observation({ id, patient: 'c', code: ['29463-7', 'Weight'], at }, quantity(kg, 'kg'));

mapper('without a birth weight the first weight within a day of the birth stands for it', () => {
  const prefill = child([
    weight('late', '2026-05-14', 3.2),
    weight('second', `${BORN}T15:00:00-05:00`, 3.4),
    weight('first', `${BORN}T10:00:00-05:00`, 3.5),
  ]);
  const [taken] = prefill.values['children.0.birth_weight_grams'] ?? [];
  assert.equal([taken?.value, taken?.from.resource], [3500, 'Observation/first']);
  assert.ok(taken?.derived);
  assert.equal(
    offered(child([weight('late', '2026-05-14', 3.2)]), 'children.0.birth_weight_grams'),
    [],
  );
  assert.equal(
    offered(
      child([bw(quantity(3410, 'g')), weight('w', BORN, 3.5)]),
      'children.0.birth_weight_grams',
    ),
    [3410],
  );
});

mapper('the mother’s own weight is never a birth weight', () => {
  const own = observation(
    { id: 'w', patient: 'm', code: ['29463-7', 'Weight'], at: BORN },
    quantity(4, 'kg'),
  );
  assert.equal(mother([own]).values, mother([]).values);
});

// What counts

mapper('values that contradict each other are offered both, the latest first', () => {
  const prefill = child([
    apgar5('a', 9, '09:16'),
    apgar5('b', 7, '09:20'),
    apgar5('c', 9, '09:30'),
  ]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9, 7]);
  assert.is(prefill.values['children.0.apgar_five_minute']?.[0]?.from.resource, 'Observation/c');
});

for (const [said, more] of [
  ['entered in error', { status: 'entered-in-error' }],
  ['cancelled', { status: 'cancelled' }],
  ['preliminary', { status: 'preliminary' }],
  ['absent', { dataAbsentReason: { text: 'unknown' } }],
  ['somebody else’s', { subject: { reference: 'Patient/other' } }],
  ['nobody’s', { subject: undefined }],
  ['of another type', { subject: { reference: 'Group/c' } }],
  ['at another EHR', { subject: { reference: 'https://other.example/fhir/Patient/c' } }],
  ['about a sibling', { focus: [{ reference: 'Patient/sibling' }] }],
] as const)
  mapper(`what is ${said} is left out, and counted`, () => {
    const prefill = child([apgar5('a', 3, '09:16', more)]);
    assert.equal(offered(prefill, 'children.0.apgar_five_minute'), []);
    assert.is(prefill.leftOut, 1);
  });

for (const reference of [`${ISSUER}/Patient/c`, 'Patient/c/_history/4'])
  mapper(`${reference} is the patient too`, () => {
    const prefill = child([apgar5('a', 9, '09:16', { subject: { reference } })]);
    assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
  });

mapper('a correction stands for what was final at that moment, and for what it replaces', () => {
  const corrected = apgar5('b', 8, '09:16', { status: 'corrected' });
  assert.equal(
    offered(child([apgar5('a', 3, '09:16'), corrected]), 'children.0.apgar_five_minute'),
    [8],
  );
  const replacing = apgar5('b', 8, '10:00', {
    extension: [
      {
        url: 'http://hl7.org/fhir/StructureDefinition/observation-replaces',
        valueReference: { reference: 'Observation/a' },
      },
    ],
  });
  assert.equal(
    offered(child([apgar5('a', 3, '09:16'), replacing]), 'children.0.apgar_five_minute'),
    [8],
  );
});

mapper('of a resource that came twice the newer version counts', () => {
  const version = (score: number, lastUpdated: string) =>
    apgar5('a', score, '09:16', { meta: { lastUpdated } });
  const prefill = child([version(9, '2026-05-13T00:00:00Z'), version(3, '2026-05-12T00:00:00Z')]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
});

mapper('an impossible value is not taken, and said why', () => {
  const prefill = child([apgar5('a', 14, '09:16')]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), []);
  assert.equal(prefill.notTaken[0], {
    what: 'Apgar score at 5 minutes',
    said: '14 {score}',
    why: 'The number is outside the possible range.',
    from: {
      ...{ resource: 'Observation/a', code: '9274-2', display: '5 minute Apgar' },
      date: `${BORN}T09:16:00-05:00`,
    },
  });
});

mapper('the parts of a panel count as values of their own', () => {
  const panel = observation(
    { id: 'panel', patient: 'c', code: ['48333-5', 'Apgar panel'], at: `${BORN}T09:20:00Z` },
    {
      component: [
        { code: { coding: [{ system: 'http://loinc.org', code: '9272-6' }] }, valueInteger: 8 },
        { code: { coding: [{ system: 'http://loinc.org', code: '9274-2' }] }, valueInteger: 9 },
      ],
    },
  );
  const prefill = child([panel]);
  assert.equal(offered(prefill, 'children.0.apgar_one_minute'), [8]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
});

mapper('a code of another system is not LOINC', () => {
  const local = apgar5('a', 9, '09:16', {
    code: { coding: [{ system: 'urn:local', code: '9274-2' }] },
  });
  assert.equal(offered(child([local]), 'children.0.apgar_five_minute'), []);
});

// Gestational age

const ga = (
  code: string,
  value: Readonly<Record<string, unknown>>,
  at: string | undefined,
  patient = 'c',
) =>
  observation(
    {
      ...{ id: `ga-${code}`, patient, code: [code, 'Gestational age'] as const },
      ...(at === undefined ? {} : { at }),
    },
    value,
  );

for (const [name, one, expected] of [
  ['days at birth', ga('76516-4', quantity(236, 'd'), BORN), ['33w5d']],
  ['weeks around the birth', ga('11884-4', quantity(39, 'wk'), '2026-05-10'), ['39w0d']],
  ['fractions of weeks', ga('18185-9', quantity(39.5, 'wk'), BORN), ['39w4d']],
  ['words', ga('18185-9', { valueString: '39w 3d' }, BORN), ['39w3d']],
  ['a code that means days', ga('49052-4', { valueInteger: 270 }, BORN), ['38w4d']],
  ['one without a date', ga('18185-9', quantity(39, 'wk'), undefined), ['39w0d']],
  ['a prenatal one', ga('18185-9', quantity(31, 'wk'), '2026-03-12'), []],
  ['an impossible one', ga('18185-9', quantity(60, 'wk'), BORN), []],
] as const)
  mapper(`gestational age: ${name}`, () => {
    assert.equal(gestation(child([one])), expected);
  });

const due = (date: string, patient = 'm') =>
  observation(
    { id: 'edd', patient, code: ['11778-8', 'Due date'], at: '2025-11-01' },
    { valueDateTime: date },
  );
const apgarOfMother = apgar5('a', 9, '09:16', {}, 'm');

mapper('without one it is worked out from the due date and the day of birth', () => {
  const prefill = mother([due('2026-05-15'), apgarOfMother]);
  assert.equal(gestation(prefill), ['39w4d']);
  assert.ok(prefill.values['children.0.gestational_age_weeks']?.[0]?.derived);
});

mapper('a stated one wins over the due date; without a day of birth nothing is worked out', () => {
  const stated = ga('11884-4', quantity(38, 'wk'), BORN, 'm');
  assert.equal(gestation(mother([due('2026-05-15'), apgarOfMother, stated])), ['38w0d']);
  const alone = mother([due('2026-05-15'), ga('18185-9', quantity(31, 'wk'), '2026-03-12', 'm')]);
  assert.equal(gestation(alone), []);
  assert.equal(
    alone.notTaken.map(({ what }) => what),
    ['Gestational age'],
  );
});

// The mother's chart

const ofMother = (id: string, code: string, at: string, value: Readonly<Record<string, unknown>>) =>
  observation({ id, patient: 'm', code: [code, code], at }, value);

mapper('what changes during pregnancy is taken from its latest day', () => {
  const prefill = mother([
    apgarOfMother,
    ofMother('v1', '68493-6', '2026-03-01', { valueInteger: 6 }),
    ofMother('v2', '68493-6', '2026-05-01', { valueInteger: 11 }),
    ofMother('v3', '68493-6', '2026-05-01', { valueInteger: 12 }),
  ]);
  assert.equal(offered(prefill, 'prenatal_visits'), [11, 12]);
});

mapper('what was noted in an earlier pregnancy is not taken', () => {
  const prefill = mother([
    apgarOfMother,
    ofMother('v0', '68493-6', '2023-03-01', { valueInteger: 9 }),
    ofMother('lmp', '8665-2', '2026-01-01', { valueDateTime: '2022-07-07' }),
    ofMother('h', '8302-2', '2019-01-01', quantity(170, 'cm')),
  ]);
  assert.equal(offered(prefill, 'prenatal_visits'), []);
  assert.equal(offered(prefill, 'last_menstrual_period'), []);
  assert.equal(offered(prefill, 'mother.height_cm'), [170]);
  assert.is(prefill.notTaken.length, 2);
});

mapper('an earlier child’s birth in the mother’s chart is not this one', () => {
  const prefill = mother([
    apgarOfMother,
    observation(
      { id: 'old', patient: 'm', code: ['8339-4', 'Birth weight'], at: '2025-06-20' },
      quantity(2900, 'g'),
    ),
  ]);
  assert.equal(offered(prefill, 'children.0.birth_weight_grams'), []);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
});

mapper(
  'a birth of long ago is offered with a word of caution, unless a later pregnancy is known',
  () => {
    const longAgo = [
      ofMother('lmp', '8665-2', '2020-11-01', { valueDateTime: '2020-09-13' }),
      observation(
        { id: 'old', patient: 'm', code: ['8339-4', 'Birth weight'], at: '2021-06-20' },
        quantity(2900, 'g'),
      ),
    ];
    const late = mother(longAgo);
    assert.equal(offered(late, 'children.0.birth_weight_grams'), [2900]);
    assert.ok(late.values['children.0.birth_weight_grams']?.[0]?.caution);
    assert.equal(offered(late, 'last_menstrual_period'), ['2020-09-13']);
    const again = mother([...longAgo, due('2026-05-15')]);
    assert.equal(offered(again, 'children.0.birth_weight_grams'), []);
    assert.equal(offered(again, 'last_menstrual_period'), []);
    assert.is(again.notTaken.length, 2);
  },
);

mapper('births that were counted after the birth come with a word of caution', () => {
  const count = (at: string) =>
    mother([apgarOfMother, ofMother('n', '11638-4', at, { valueInteger: 2 })]).values[
      'previous_births_living'
    ]?.[0];
  assert.is(count('2026-01-01')?.caution, null);
  assert.ok(count('2026-05-13')?.caution);
});

const weighed = (id: string, grams: number, focus: string | null) =>
  observation(
    { id, patient: 'm', code: ['8339-4', 'Birth weight'], at: `${BORN}T09:30:00Z` },
    {
      ...quantity(grams, 'g'),
      ...(focus === null ? {} : { focus: [{ reference: `Patient/${focus}` }] }),
    },
  );
const twins = condition({ id: 't', patient: 'm', code: 'Z37.2', text: 'Twins', onset: BORN });
const single = condition({ id: 's', patient: 'm', code: 'Z37.0', text: 'Single', onset: BORN });

mapper('twins under the mother are told apart by the focus of a value', () => {
  const prefill = mother([weighed('a', 2480, 'one'), weighed('b', 2350, 'two')], [twins]);
  assert.is(prefill.children, 2);
  const weights = [0, 1].map((row) => offered(prefill, `children.${row}.birth_weight_grams`));
  assert.equal(weights.flat().sort(), [2350, 2480]);
  assert.equal(offered(prefill, 'plurality'), [2]);
});

mapper('a value of several children that says of none is not assigned', () => {
  const told = mother([weighed('a', 2480, null)], [twins]);
  assert.equal(offered(told, 'children.0.birth_weight_grams'), []);
  assert.is(told.notTaken.length, 1);
  const untold = mother([weighed('a', 2480, null), weighed('b', 2350, null)]);
  assert.equal(offered(untold, 'children.0.birth_weight_grams'), []);
  assert.equal(
    offered(mother([weighed('a', 2480, null)], [single]), 'children.0.birth_weight_grams'),
    [2480],
  );
});

mapper('in a mother’s chart without any child there is no row', () => {
  assert.is(mother([]).children, 0);
});

// Conditions

for (const [code, plurality, method] of [
  ['Z37.0', [1], []],
  ['Z37.1', [1], []],
  ['Z37.3', [2], []],
  ['Z37.51', [3], []],
  ['Z37.64', [6], []],
  ['Z37.9', [], []],
  ['O80', [], ['700000006']],
  ['O82', [], ['11466000']],
  ['Z38.01', [1], ['11466000']],
  ['Z38.00', [1], []],
  ['Z38.62', [3], ['11466000']],
] as const)
  mapper(`the diagnosis ${code} says of the delivery what it says`, () => {
    const prefill = mother(
      [],
      [condition({ id: 'x', patient: 'm', code, text: code, onset: BORN })],
    );
    assert.equal(offered(prefill, 'plurality'), plurality);
    assert.equal(offered(prefill, 'delivery_method'), method);
  });

const shown = (
  code: string,
  onset: string | undefined,
  more: Readonly<Record<string, unknown>> = {},
) =>
  mother(
    [apgarOfMother],
    [
      condition({
        ...{ id: 'x', patient: 'm', code, text: 'As the EHR says it' },
        ...(onset === undefined ? {} : { onset }),
        ...more,
      }),
    ],
  )
    .hints.filter(({ kind }) => kind === 'condition')
    .map(({ text }) => text);

for (const [code, onset, more, expected] of [
  ['O24.410', '2026-02-01', {}, ['Gestational diabetes: As the EHR says it']],
  ['11687002', '2026-02-01', {}, ['Gestational diabetes: As the EHR says it']],
  ['O24.410', '2022-02-01', {}, []],
  ['O24.410', '2026-02-01', { verification: 'refuted' }, []],
  ['O24.410', '2026-02-01', { verification: 'entered-in-error' }, []],
  ['E11.9', '2015-02-01', {}, ['Diabetes before pregnancy: As the EHR says it']],
  ['I10', undefined, {}, ['Hypertension before pregnancy: As the EHR says it']],
  ['O14.03', '2026-05-01', {}, ['Gestational hypertension: As the EHR says it']],
  ['O15.1', BORN, {}, ['Eclampsia: As the EHR says it']],
  ['L20.9', '2026-02-01', {}, ['As the EHR says it']],
  ['L20.9', '2012-02-01', {}, []],
] as const)
  mapper(
    `the condition ${code} of ${onset} ${JSON.stringify(more)} is shown as ${expected}`,
    () => {
      assert.equal(shown(code, onset, more), expected);
    },
  );

// Encounters

const stay = (id: string, start: string, more: Readonly<Record<string, unknown>> = {}) =>
  encounter(
    { id, patient: 'm', kind: 'IMP', start, end: '2026-05-14' },
    {
      location: [{ location: { display: `Place of ${id}` } }],
      participant: [
        { type: [{ coding: [{ code: 'ATND' }] }], individual: { display: 'Tove Halvorsen' } },
        { type: [{ coding: [{ code: 'CON' }] }], individual: { display: 'Somebody else' } },
      ],
      ...more,
    },
  );

const hintsOf = (encounters: readonly unknown[], encounterId: string | null = null) =>
  mapped(motherChart({ observations: [apgarOfMother], encounters, encounterId }))
    .asMother.hints.filter(({ kind }) => kind === 'place' || kind === 'attendant')
    .map(({ text }) => text);

mapper('the stay that covers the birth says where and who; nothing is taken from it', () => {
  const hints = hintsOf([
    stay('other', '2025-03-01', { period: { start: '2025-03-01', end: '2025-03-04' } }),
    stay('it', '2026-05-11'),
  ]);
  assert.equal(hints, ['Place of it', 'Tove Halvorsen']);
});

mapper('a cancelled stay is none; the launch’s own wins over another', () => {
  assert.equal(hintsOf([stay('no', '2026-05-11', { status: 'cancelled' })]), []);
  assert.equal(hintsOf([stay('a', '2026-05-11'), stay('b', '2026-05-12')], 'b')[0], 'Place of b');
});

mapper('the start of a stay is no time of birth', () => {
  const prefill = mapped(
    motherChart({ encounters: [stay('it', '2026-05-11')], encounterId: 'it' }),
  );
  assert.equal(offered(prefill.asMother, 'children.0.birth_date'), []);
});

// Laws

mapper('any JSON gives an answer, as mother and as newborn', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const spoilt = <T extends object>(resource: T) =>
    fc
      .array(fc.tuple(fc.constantFrom(...Object.keys(resource)), json), { maxLength: 4 })
      .map((changes) => ({ ...resource, ...Object.fromEntries(changes) }));
  const part = fc.oneof(
    json,
    spoilt(bw(quantity(3410, 'g'))),
    spoilt(apgar5('a', 9, '09:16')),
    spoilt(ga('18185-9', { valueString: '39w' }, BORN)),
    spoilt(due('2026-05-15')),
    spoilt(twins),
    spoilt(stay('it', BORN)),
    spoilt({
      ...{ resourceType: 'Patient', id: 'c', name: [{ family: 'A' }], birthDate: BORN },
      ...{ identifier: [], address: [], telecom: [], contact: [], extension: [], _birthDate: {} },
      ...{
        multipleBirthInteger: 1,
        multipleBirthBoolean: false,
        deceasedBoolean: true,
        gender: 'f',
      },
    }),
  );
  const list = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(part, list, list, list, (patient, observations, conditions, encounters) => {
      for (const patientId of ['c', 'm']) {
        const chart = {
          ...newbornChart(),
          patientId,
          patient,
          observations,
          conditions,
          encounters,
        };
        const read = mapChart(chart, TODAY);
        // It can be kept, and what was kept is the same.
        assert.equal(JSON.parse(JSON.stringify(read)), read);
      }
    }),
    { numRuns: 400 },
  );
});

mapper('every value keeps its resource, and the order of entries does not matter', () => {
  const entries = [
    ...[bw(quantity(3410, 'g')), apgar5('a', 9, '09:16'), apgar5('b', 8, '09:17')],
    ga('76516-4', quantity(277, 'd'), BORN),
  ];
  const forwards = child(entries);
  assert.equal(child([...entries].reverse()).values, forwards.values);
  for (const candidates of Object.values(forwards.values))
    for (const { from } of candidates) assert.match(from.resource, /^(Patient|Observation)\/\w/);
});

mapper.run();
