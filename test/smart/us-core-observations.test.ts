import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { READING_REASONS } from '../../domain/fhir/readings.ts';
import { condition, observation, quantity } from '../../scripts/ehr-simulator/resources.ts';
import {
  apgar5,
  apgarOfMother,
  BORN,
  birthWeight,
  dueDate,
  fromMotherChart,
  fromNewbornChart,
  gestation,
  gestationalAge,
  ISSUER,
  mapped,
  mappedIn,
  motherChart,
  newbornChart,
  offered,
  twins,
} from '../support/charts.ts';

const mapper = suite('a chart’s Observations');

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
    assert.is(
      offered(fromNewbornChart([birthWeight(value)]), 'children.0.birth_weight_grams')[0],
      grams,
    );
  });

const weight = (id: string, at: string, kg: number) =>
  observation({ id, patient: 'c', code: ['29463-7', 'Weight'], at }, quantity(kg, 'kg'));

mapper('without a birth weight the first weight within a day of the birth stands for it', () => {
  const prefill = fromNewbornChart([
    weight('late', '2026-05-14', 3.2),
    weight('second', `${BORN}T15:00:00-05:00`, 3.4),
    weight('first', `${BORN}T10:00:00-05:00`, 3.5),
  ]);
  const [taken] = prefill.values['children.0.birth_weight_grams'] ?? [];
  assert.equal([taken?.value, taken?.from.resource], [3500, 'Observation/first']);
  assert.ok(taken?.derived);
  assert.equal(
    offered(fromNewbornChart([weight('late', '2026-05-14', 3.2)]), 'children.0.birth_weight_grams'),
    [],
  );
  assert.equal(
    offered(
      fromNewbornChart([birthWeight(quantity(3410, 'g')), weight('w', BORN, 3.5)]),
      'children.0.birth_weight_grams',
    ),
    [3410],
  );
});

const WEST = 'America/Los_Angeles';
const EAST = 'America/New_York';

for (const [at, timeZone, grams] of [
  ['2026-05-13T05:30:00Z', WEST, [3100]],
  ['2026-05-13T05:30:00.250Z', WEST, [3100]],
  ['2026-05-13T05:30:00+00:00', WEST, [3100]],
  ['2026-05-13T05:30:00Z', EAST, []],
  ['2026-05-13T03:30:00Z', EAST, [3100]],
  ['2026-05-12T03:30:00Z', EAST, []],
  ['2026-05-12T04:30:00Z', EAST, [3100]],
  // Where the sender says its own offset, the day is the sender's.
  ['2026-05-13T00:30:00-04:00', WEST, []],
  ['2026-05-12T23:30:00-07:00', EAST, [3100]],
  // A day, as many EHRs write it.
  ['2026-05-12T00:00:00Z', WEST, [3100]],
  ['2026-05-13T00:00:00Z', WEST, []],
] as const)
  mapper(
    `a weight at ${at} is ${grams.length > 0 ? 'of' : 'not of'} that day in ${timeZone}`,
    () => {
      const chart = newbornChart({ observations: [weight('w', at, 3.1)] });
      const { asNewborn } = mappedIn(timeZone, chart);
      assert.equal(offered(asNewborn, 'children.0.birth_weight_grams'), grams);
    },
  );

for (const [at, timeZone, expected] of [
  ['2026-05-13T02:00:00Z', EAST, '38w6d'],
  ['2026-05-13T05:00:00Z', EAST, '39w0d'],
  ['2026-05-13T05:00:00Z', WEST, '38w6d'],
  ['2026-05-13T09:59:00Z', 'Pacific/Honolulu', '38w6d'],
  ['2026-05-12T14:00:00Z', 'Pacific/Guam', '39w0d'],
] as const)
  mapper(`a due date counts the days to ${at} in ${timeZone} as ${expected}`, () => {
    const apgar = observation(
      { id: 'a', patient: 'm', code: ['9274-2', '5 minute Apgar'], at },
      quantity(9, '{score}'),
    );
    const chart = motherChart({ observations: [apgar, dueDate('2026-05-20')] });
    assert.equal(gestation(mappedIn(timeZone, chart).asMother), [expected]);
  });

mapper('the mother’s own weight is never a birth weight', () => {
  const own = observation(
    { id: 'w', patient: 'm', code: ['29463-7', 'Weight'], at: BORN },
    quantity(4, 'kg'),
  );
  assert.equal(fromMotherChart([own]).values, fromMotherChart([]).values);
});

// What counts

mapper('values that contradict each other are offered both, the latest first', () => {
  const prefill = fromNewbornChart([
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
  ['absent', { valueQuantity: undefined, dataAbsentReason: { text: 'unknown' } }],
  ['someone else’s', { subject: { reference: 'Patient/other' } }],
  ['nobody’s', { subject: undefined }],
  ['of another type', { subject: { reference: 'Group/c' } }],
  ['at another EHR', { subject: { reference: 'https://other.example/fhir/Patient/c' } }],
  ['about a sibling', { focus: [{ reference: 'Patient/sibling' }] }],
] as const)
  mapper(`what is ${said} is left out, and counted`, () => {
    const prefill = fromNewbornChart([apgar5('a', 3, '09:16', more)]);
    assert.equal(offered(prefill, 'children.0.apgar_five_minute'), []);
    assert.is(prefill.leftOut, 1);
  });

mapper('a value that is said to be absent is shown, as in a Bundle', () => {
  const absent = { dataAbsentReason: { text: 'unknown' } };
  const { notTaken, leftOut } = fromNewbornChart([apgar5('a', 3, '09:16', absent)]);
  assert.equal([notTaken[0]?.why, leftOut], [`${READING_REASONS['said-absent']}.`, 0]);
});

for (const reference of [`${ISSUER}/Patient/c`, 'Patient/c/_history/4'])
  mapper(`${reference} is the patient too`, () => {
    const prefill = fromNewbornChart([apgar5('a', 9, '09:16', { subject: { reference } })]);
    assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
  });

mapper('a correction stands for what was final at that moment, and for what it replaces', () => {
  const corrected = apgar5('b', 8, '09:16', { status: 'corrected' });
  assert.equal(
    offered(fromNewbornChart([apgar5('a', 3, '09:16'), corrected]), 'children.0.apgar_five_minute'),
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
    offered(fromNewbornChart([apgar5('a', 3, '09:16'), replacing]), 'children.0.apgar_five_minute'),
    [8],
  );
});

mapper('of a resource that came twice the newer version counts', () => {
  const version = (score: number, lastUpdated: string) =>
    apgar5('a', score, '09:16', { meta: { lastUpdated } });
  const prefill = fromNewbornChart([
    version(9, '2026-05-13T00:00:00Z'),
    version(3, '2026-05-12T00:00:00Z'),
  ]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
});

mapper('an impossible value is not taken, and said why', () => {
  const prefill = fromNewbornChart([apgar5('a', 14, '09:16')]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), []);
  assert.equal(prefill.notTaken[0], {
    what: 'Apgar score at 5 minutes',
    said: '14 {score}',
    why: 'The number is outside the possible range.',
    from: {
      resource: 'Observation/a',
      code: '9274-2',
      display: '5 minute Apgar',
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
  const prefill = fromNewbornChart([panel]);
  assert.equal(offered(prefill, 'children.0.apgar_one_minute'), [8]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), [9]);
});

mapper('a code of another system is not LOINC', () => {
  const local = apgar5('a', 9, '09:16', {
    code: { coding: [{ system: 'urn:local', code: '9274-2' }] },
  });
  assert.equal(offered(fromNewbornChart([local]), 'children.0.apgar_five_minute'), []);
});

// Gestational age

for (const [name, one, expected] of [
  ['days at birth', gestationalAge('76516-4', quantity(236, 'd'), BORN), ['33w5d']],
  [
    'weeks around the birth',
    gestationalAge('11884-4', quantity(39, 'wk'), '2026-05-10'),
    ['39w0d'],
  ],
  ['fractions of weeks', gestationalAge('18185-9', quantity(39.5, 'wk'), BORN), ['39w4d']],
  ['words', gestationalAge('18185-9', { valueString: '39w 3d' }, BORN), ['39w3d']],
  ['a code that means days', gestationalAge('49052-4', { valueInteger: 270 }, BORN), ['38w4d']],
  ['one without a date', gestationalAge('18185-9', quantity(39, 'wk'), undefined), ['39w0d']],
  ['a prenatal one', gestationalAge('18185-9', quantity(31, 'wk'), '2026-03-12'), []],
  ['an impossible one', gestationalAge('18185-9', quantity(60, 'wk'), BORN), []],
  ['an impossible one in words', gestationalAge('18185-9', { valueString: '60 weeks' }, BORN), []],
] as const)
  mapper(`gestational age: ${name}`, () => {
    assert.equal(gestation(fromNewbornChart([one])), expected);
  });

mapper('without one it is worked out from the due date and the day of birth', () => {
  const prefill = fromMotherChart([dueDate('2026-05-15'), apgarOfMother]);
  assert.equal(gestation(prefill), ['39w4d']);
  assert.ok(prefill.values['children.0.gestational_age_weeks']?.[0]?.derived);
});

mapper('a stated one wins over the due date; without a day of birth nothing is worked out', () => {
  const stated = gestationalAge('11884-4', quantity(38, 'wk'), BORN, 'm');
  assert.equal(gestation(fromMotherChart([dueDate('2026-05-15'), apgarOfMother, stated])), [
    '38w0d',
  ]);
  const alone = fromMotherChart([
    dueDate('2026-05-15'),
    gestationalAge('18185-9', quantity(31, 'wk'), '2026-03-12', 'm'),
  ]);
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
  const prefill = fromMotherChart([
    apgarOfMother,
    ofMother('v1', '68493-6', '2026-03-01', { valueInteger: 6 }),
    ofMother('v2', '68493-6', '2026-05-01', { valueInteger: 11 }),
    ofMother('v3', '68493-6', '2026-05-01', { valueInteger: 12 }),
  ]);
  assert.equal(offered(prefill, 'prenatal_visits'), [11, 12]);
});

mapper('what was noted in an earlier pregnancy is not taken', () => {
  const prefill = fromMotherChart([
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
  const prefill = fromMotherChart([
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
    const late = fromMotherChart(longAgo);
    assert.equal(offered(late, 'children.0.birth_weight_grams'), [2900]);
    assert.ok(late.values['children.0.birth_weight_grams']?.[0]?.caution);
    assert.equal(offered(late, 'last_menstrual_period'), ['2020-09-13']);
    const again = fromMotherChart([...longAgo, dueDate('2026-05-15')]);
    assert.equal(offered(again, 'children.0.birth_weight_grams'), []);
    assert.equal(offered(again, 'last_menstrual_period'), []);
    assert.is(again.notTaken.length, 2);
  },
);

mapper('births that were counted after the birth come with a word of caution', () => {
  const count = (at: string) =>
    fromMotherChart([apgarOfMother, ofMother('n', '11638-4', at, { valueInteger: 2 })]).values[
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
const single = condition({ id: 's', patient: 'm', code: 'Z37.0', text: 'Single', onset: BORN });

mapper('twins under the mother are told apart by the focus of a value', () => {
  const prefill = fromMotherChart([weighed('a', 2480, 'one'), weighed('b', 2350, 'two')], [twins]);
  assert.is(prefill.children, 2);
  const weights = [0, 1].map((row) => offered(prefill, `children.${row}.birth_weight_grams`));
  assert.equal(weights.flat().sort(), [2350, 2480]);
  assert.equal(offered(prefill, 'plurality'), [2]);
});

mapper('a value of several children that says of none is not assigned', () => {
  const told = fromMotherChart([weighed('a', 2480, null)], [twins]);
  assert.equal(offered(told, 'children.0.birth_weight_grams'), []);
  assert.is(told.notTaken.length, 1);
  const untold = fromMotherChart([weighed('a', 2480, null), weighed('b', 2350, null)]);
  assert.equal(offered(untold, 'children.0.birth_weight_grams'), []);
  assert.equal(
    offered(fromMotherChart([weighed('a', 2480, null)], [single]), 'children.0.birth_weight_grams'),
    [2480],
  );
});

mapper('in a mother’s chart without any child there is no row', () => {
  assert.is(fromMotherChart([]).children, 0);
});

// Values as they are really sent

for (const [name, value, expected] of [
  ['a text with weeks and days', { valueString: '39w2d' }, [39, 2]],
  ['sevenths', { valueString: '39 2/7' }, [39, 2]],
  ['a plus sign', { valueString: '39+2' }, [39, 2]],
  ['a number in quotes', { valueQuantity: { value: '39', code: 'wk' } }, [39, 0]],
  [
    'days in a component of its own code',
    {
      ...quantity(39, 'wk'),
      component: [{ code: { coding: [{ code: '11884-4' }] }, ...quantity(2, 'd') }],
    },
    [39, 2],
  ],
] as const)
  mapper(`a gestational age as ${name} is read`, () => {
    const prefill = fromNewbornChart([
      observation({ id: 'age', patient: 'c', code: ['11884-4', 'Age'], at: BORN }, value),
    ]);
    assert.equal(
      [
        offered(prefill, 'children.0.gestational_age_weeks')[0],
        offered(prefill, 'children.0.gestational_age_days')[0],
      ],
      expected,
    );
    assert.equal(prefill.notTaken, []);
  });

mapper('99 prenatal visits are not known, and the page says so', () => {
  const prefill = fromMotherChart([
    birthWeight(quantity(3410, 'g')),
    observation(
      { id: 'v', patient: 'm', code: ['68493-6', 'Visits'], at: BORN },
      { valueInteger: 99 },
    ),
  ]);
  assert.equal(offered(prefill, 'prenatal_visits'), []);
  assert.ok(prefill.notTaken.some(({ why }) => why.includes('national code')));
});

const delivered = (id: string, code: string, valueInteger: number) =>
  observation({ id, patient: 'c', code: [code, id], at: BORN }, { valueInteger });

mapper('live births and fetal deaths are the plurality together, neither is alone', () => {
  const [live, dead] = [delivered('live', '73773-4', 1), delivered('dead', '73772-6', 1)];
  assert.equal(offered(fromNewbornChart([live, dead]), 'plurality'), [2]);
  for (const one of [live, dead]) {
    const prefill = fromNewbornChart([one]);
    assert.equal(offered(prefill, 'plurality'), []);
    assert.is(prefill.notTaken.length, 1);
  }
});

for (const [system, grams, why] of [
  ['http://loinc.org/', [3410], undefined],
  ['LOINC', [3410], undefined],
  ['http://example.org/codes', [], `${READING_REASONS['system-unknown']}.`],
] as const)
  mapper(`a birth weight with its code from ${system}: ${grams.join() || why}`, () => {
    const coding = [{ system, code: '8339-4' }];
    const prefill = fromNewbornChart([{ ...birthWeight(quantity(3410, 'g')), code: { coding } }]);
    assert.equal(offered(prefill, 'children.0.birth_weight_grams'), grams);
    assert.is(prefill.notTaken[0]?.why, why);
  });

mapper('a panel without a value of its own keeps its components', () => {
  const dataAbsentReason = { text: 'unknown' };
  const panel = {
    ...birthWeight({ dataAbsentReason }),
    code: { text: 'Apgar panel' },
    component: [
      { code: { coding: [{ code: '9272-6' }] }, valueInteger: 8 },
      { code: { coding: [{ code: '9274-2' }] }, valueInteger: 9, dataAbsentReason },
    ],
  };
  const prefill = fromNewbornChart([panel]);
  assert.equal(offered(prefill, 'children.0.apgar_one_minute'), [8]);
  assert.equal(offered(prefill, 'children.0.apgar_five_minute'), []);
  assert.equal(
    prefill.notTaken.map(({ what }) => what),
    ['Apgar score at 5 minutes'],
  );
});

mapper('a weight without a value of its own keeps its parts', () => {
  const weight = {
    ...birthWeight({ dataAbsentReason: { text: 'unknown' } }),
    component: [quantity(7, '[lb_av]'), quantity(8, '[oz_av]')],
  };
  assert.equal(offered(fromNewbornChart([weight]), 'children.0.birth_weight_grams'), [3401.942775]);
});

for (const [what, more, gap] of [
  ['a number in a list', { valueQuantity: { value: [3410], unit: 'g' } }, 'other-type'],
  ['a status that FHIR does not have', { status: 'done' }, 'other-type'],
  ['its subject as a text', { subject: 'Patient/c' }, 'other-type'],
  ['a modifier', { modifierExtension: [{ url: 'urn:x:wrong' }] }, 'modified'],
] as const)
  mapper(`a birth weight with ${what} is named as what to compare with the chart`, () => {
    const weight = { ...birthWeight(quantity(3410, 'g')), ...more };
    const { unread } = mapped(newbornChart({ observations: [weight] }));
    assert.equal(unread, [{ part: 'Observation', why: gap, of: ['Birth weight'] }]);
  });

mapper('an Observation is named by its parts, and not at all if none of them is read', () => {
  const panel = (code: string) => ({
    ...birthWeight({}),
    code: { text: 'Panel' },
    component: [{ code: { coding: [{ code }] }, valueInteger: [8] }],
  });
  const unreadOf = (observation: object) =>
    mapped(newbornChart({ observations: [observation] })).unread;
  assert.equal(unreadOf(panel('9272-6')), [
    { part: 'Observation', why: 'other-type', of: ['Apgar score at 1 minute'] },
  ]);
  assert.equal(unreadOf(panel('8480-6')), []);
  const codeless = { ...birthWeight(quantity(3410, 'g')), code: '8339-4' };
  assert.equal(unreadOf(codeless), [{ part: 'Observation', why: 'other-type' }]);
});

mapper('a method of delivery that is not in the table is shown, not offered', () => {
  const { values, notTaken } = fromMotherChart([
    observation(
      { id: 'd', patient: 'm', code: ['73762-7', 'Method'], at: BORN },
      { valueCodeableConcept: { coding: [{ code: '12345' }] } },
    ),
  ]);
  assert.is(values['delivery_method'], undefined);
  assert.equal(
    notTaken.map(({ what, why }) => [what, why]),
    [['Method of delivery', 'The value is not understood.']],
  );
});

mapper.run();
