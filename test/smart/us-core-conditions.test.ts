import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { READING_REASONS } from '../../domain/fhir/readings.ts';
import { condition } from '../../scripts/ehr-simulator/resources.ts';
import {
  apgarOfMother,
  BORN,
  fromMotherChart,
  mapped,
  motherChart,
  offered,
  stay,
} from '../support/charts.ts';

const mapper = suite('a chart’s Conditions and Encounters');

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
    const prefill = fromMotherChart(
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
  fromMotherChart(
    [apgarOfMother],
    [
      condition({
        id: 'x',
        patient: 'm',
        code,
        text: 'As the EHR says it',
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

const TOXEMIA = ['Toxemia'];
const LOCAL = { system: 'urn:local', code: 'T9', display: 'Toxemia' };

for (const [what, code, day, expected] of [
  ['a text alone', { text: 'Toxemia' }, undefined, TOXEMIA],
  ['a text alone', { text: 'Toxemia' }, '2026', TOXEMIA],
  ['a text alone', { text: 'Toxemia' }, '2026-02-01', TOXEMIA],
  ['a text alone', { text: 'Toxemia' }, '2012-02-01', []],
  ['a display alone', { coding: [{ display: 'Toxemia' }] }, undefined, TOXEMIA],
  ['a code of the EHR’s own', { coding: [LOCAL] }, undefined, TOXEMIA],
  ['no words', { text: ' ' }, undefined, []],
] as const)
  mapper(`a diagnosis of ${day} with ${what} is shown for review as ${expected}`, () => {
    const one = condition({
      id: 'x',
      patient: 'm',
      code: '',
      text: '',
      ...(day && { onset: day }),
    });
    const { hints } = fromMotherChart([apgarOfMother], [{ ...one, code }]);
    assert.equal(
      hints.map(({ text }) => text),
      expected,
    );
  });

mapper('a diagnosis without a date is not shown if its code says that it is another one', () => {
  assert.equal(shown('L20.9', undefined), []);
  assert.equal(shown('24079001', undefined), []);
});

// Encounters

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

mapper('a canceled stay is none; the launch’s own wins over another', () => {
  assert.equal(hintsOf([stay('no', '2026-05-11', { status: 'cancelled' })]), []);
  assert.equal(hintsOf([stay('a', '2026-05-11'), stay('b', '2026-05-12')], 'b')[0], 'Place of b');
});

mapper('a planned stay names no attendant, and gives way to one that took place', () => {
  const planned = stay('plan', '2026-05-11', { status: 'planned' });
  assert.equal(hintsOf([planned], 'plan'), ['Place of plan']);
  assert.equal(hintsOf([planned, stay('it', '2026-05-11')], 'plan')[0], 'Place of it');
});

mapper('where she planned to be gives way to where she was', () => {
  const location = [
    { status: 'planned', location: { display: 'Home' } },
    { status: 'completed', location: { display: 'County Hospital' } },
  ];
  assert.equal(hintsOf([stay('it', '2026-05-11', { location })])[0], 'County Hospital');
  const [planned] = location;
  assert.equal(hintsOf([stay('it', '2026-05-11', { location: [planned] })])[0], 'Home');
});

mapper('what has an unknown modifier extension is left out of a chart, and counted', () => {
  const modifierExtension = [{ url: 'http://x.org/not', valueBoolean: true }];
  const it = stay('it', '2026-05-11', { modifierExtension });
  const chart = { observations: [apgarOfMother], encounters: [it] };
  assert.equal(hintsOf([it]), []);
  assert.is(mapped(motherChart(chart)).asMother.leftOut, 1);
  const location = [{ location: { display: 'Wrong' }, modifierExtension }];
  assert.not.ok(hintsOf([stay('it', '2026-05-11', { location })]).includes('Wrong'));
});

mapper('the launch’s own encounter is the delivery’s even with a local class', () => {
  for (const code of ['LDR', 'obs-inpatient', '10', undefined])
    assert.equal(
      hintsOf([stay('it', '2026-05-11', { class: { system: 'urn:local', code } })], 'it')[0],
      'Place of it',
    );
  for (const [code, launchedIn] of [
    ['AMB', 'it'],
    ['LDR', null],
  ] as const)
    assert.equal(hintsOf([stay('it', '2026-05-11', { class: { code } })], launchedIn), []);
});

mapper('the start of a stay is no time of birth', () => {
  const prefill = mapped(
    motherChart({ encounters: [stay('it', '2026-05-11')], encounterId: 'it' }),
  );
  assert.equal(offered(prefill.asMother, 'children.0.birth_date'), []);
});

for (const [system, code, texts, why] of [
  ['http://snomed.info/sct/731000124108', '11687002', ['Gestational diabetes'], undefined],
  ['SNOMED CT', '11687002', ['Gestational diabetes'], undefined],
  ['I10C', 'O24.410', ['Gestational diabetes'], undefined],
  ['urn:local', '11687002', [], `${READING_REASONS['system-unknown']}.`],
  ['urn:local', 'O24.410', [], `${READING_REASONS['system-unknown']}.`],
] as const)
  mapper(`the diagnosis ${code} of ${system}: ${texts.join() || why}`, () => {
    const of = condition({ id: 'x', patient: 'm', code, text: code, onset: BORN });
    const prefill = fromMotherChart(
      [apgarOfMother],
      [{ ...of, code: { coding: [{ system, code }] } }],
    );
    assert.equal(
      prefill.hints.flatMap(({ kind, text }) => (kind === 'condition' ? [text] : [])),
      texts,
    );
    assert.is(prefill.notTaken[0]?.why, why);
  });

mapper.run();
