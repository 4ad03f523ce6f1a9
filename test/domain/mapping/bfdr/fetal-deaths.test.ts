import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf, observation } from '../../../support/bundles.ts';

/** Forms of saying that a birth was a fetal death, and what contradicts them. */

const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
const FETAL = { url: `${COMMON}/Extension-patient-fetal-death-vr` };
const FETUS = `${COMMON}/Patient-decedent-fetus-vr`;
const CHILD = `${COMMON}/Patient-child-vr`;

const patient = (id: string, profile: string, values: JsonObject = {}): JsonObject => ({
  resourceType: 'Patient',
  id,
  meta: { profile: [profile] },
  ...values,
});

/** Maps the children, with the warnings about fetal deaths. */
const read = (
  children: readonly JsonObject[],
  composition?: JsonObject,
  profile?: string,
  more: readonly JsonObject[] = [],
) => {
  const sent = birthBundle({
    children: [],
    more: [
      ...(composition === undefined ? [] : [{ resourceType: 'Composition', ...composition }]),
      ...children,
      ...more,
    ],
  });
  const meta = { profile: [`http://hl7.org/fhir/us/bfdr/StructureDefinition/${profile}`] };
  const { children: mapped, warnings } = courseOf(profile === undefined ? sent : { ...sent, meta });
  return {
    fetal: mapped.map(({ fetal_death }) => fetal_death),
    warned: warnings
      .filter(({ field }) => field === 'children.fetal_death')
      .map(({ id, child }) => `${id} ${child}`),
  };
};

const concept = (code: string): JsonObject => ({ valueCodeableConcept: { coding: [{ code }] } });
const CONTRADICTED = ['fetal-death-contradicted 0'];
const NOT_UNDERSTOOD = ['not-understood 0'];

for (const [what, value, fetal, warned] of [
  ['true', { valueBoolean: true }, true, []],
  ['a concept', concept('276507005'), true, []],
  ['a coding', { valueCoding: { code: '276507005' } }, true, []],
  ['a code', { valueCode: '276507005' }, true, []],
  ['stillbirth', concept('237364002'), true, []],
  ['words', { valueCodeableConcept: { text: 'Fetal death' } }, true, []],
  ['yes', { valueString: 'Yes' }, true, []],
  ['no', concept('N'), false, []],
  ['false', { valueBoolean: false }, false, []],
  ['another concept', concept('399347008'), null, NOT_UNDERSTOOD],
  ['a code of ICD-10', concept('P95'), true, []],
  ['the display of a coding', { valueCoding: { display: 'Fetal death' } }, true, []],
  ['the term of SNOMED CT', { valueString: 'Fetal death (event)' }, true, []],
  ['a fetal demise', { valueString: 'Intrauterine fetal demise' }, true, []],
  ['a still birth', { valueString: 'Still birth' }, true, []],
  ['other words', { valueString: 'No fetal death' }, null, NOT_UNDERSTOOD],
  ['that it is unknown', { valueCode: 'UNK' }, null, []],
  ['nothing', {}, null, NOT_UNDERSTOOD],
  ['something inside', { extension: [{ url: 'value', valueBoolean: true }] }, null, NOT_UNDERSTOOD],
] as const) {
  const extension = [{ ...FETAL, ...value }];
  for (const [where, values] of [
    ['the Patient', { extension }],
    ['its death', { deceasedBoolean: true, _deceasedBoolean: { extension } }],
    ['its time of death', { _deceasedDateTime: { extension } }],
  ] as const)
    test(`the extension of ${where} says ${what}`, () => {
      assert.equal(read([patient('c', CHILD, values)]), { fetal: [fetal], warned });
    });
}

const report = (code: string, subject?: string): JsonObject => ({
  type: { coding: [{ system: 'http://loinc.org', code }] },
  ...(subject === undefined ? {} : { subject: { reference: `Patient/${subject}` } }),
});

for (const code of ['69045-3', '92010-8'])
  test(`a report of type ${code} about a child that is said to be live-born`, () => {
    const expected = { fetal: [true], warned: CONTRADICTED };
    assert.equal(read([patient('c', CHILD)], report(code, 'c')), expected);
    assert.equal(read([patient('c', CHILD)], report(code)), expected);
    assert.equal(read([patient('c', FETUS)], report(code, 'c')), { fetal: [true], warned: [] });
  });

test('a profile of the Bundle or of the Composition says what is reported', () => {
  const expected = { fetal: [true], warned: CONTRADICTED };
  const children = [patient('c', CHILD)];
  assert.equal(read(children, undefined, 'Bundle-document-fetal-death-report|2.0.0'), expected);
  const profile = ['http://x.org/Composition-jurisdiction-fetal-death-report'];
  assert.equal(read(children, { meta: { profile } }), expected);
});

for (const [what, type, fetal] of [
  ['a text', { text: 'Report of fetal death' }, true],
  ['a display', { coding: [{ code: 'FD-1', display: 'Jurisdiction Fetal Death Report' }] }, true],
  ['a text about either', { text: 'Live birth or fetal death' }, false],
] as const)
  test(`the type of the report as ${what}`, () => {
    const warned = fetal ? CONTRADICTED : [];
    assert.equal(read([patient('c', CHILD)], { type }), { fetal: [fetal], warned });
  });

test('one of several extensions says that it was a fetal death', () => {
  const extension = [false, true].map((valueBoolean) => ({ ...FETAL, valueBoolean }));
  const expected = { fetal: [true], warned: CONTRADICTED };
  assert.equal(read([patient('c', CHILD, { extension })]), expected);
});

for (const [what, child, [alive, dead], fetal, warned] of [
  ['only fetal deaths, and a live-born child', CHILD, [0, 1], true, CONTRADICTED],
  ['only fetal deaths, and a fetus', FETUS, [0, 1], true, []],
  ['only live births, and a fetus', FETUS, [1, 0], true, CONTRADICTED],
  ['only live births', CHILD, [1, 0], false, []],
  ['of each one', CHILD, [1, 1], false, []],
  ['none at all', CHILD, [0, 0], false, []],
] as const)
  test(`outcomes of the delivery: ${what}`, () => {
    const counts = [
      observation('73773-4', { valueInteger: alive }),
      observation('73772-6', { valueInteger: dead }),
    ];
    assert.equal(read([patient('c', child)], undefined, undefined, counts), {
      fetal: [fetal],
      warned,
    });
  });

test('a report makes no sibling a fetal death', () => {
  const twins = [patient('a', CHILD), patient('b', FETUS)];
  assert.equal(read(twins, report('69045-3', 'b')), { fetal: [false, true], warned: [] });
  assert.equal(read(twins, report('69045-3', 'elsewhere')), {
    fetal: [false, true],
    warned: ['subject-unknown null'],
  });
  // A document about siblings reports the live births among them.
  assert.equal(read(twins, report('68998-4', 'b')), { fetal: [false, true], warned: [] });
});

for (const [what, child, composition] of [
  ['a profile of a fetus, and the answer no', { fetus: true, value: false }, undefined],
  ['a fetal death of a child that is not dead', { deceasedBoolean: false, value: true }, undefined],
  ['a fetus in a report of a live birth', { fetus: true }, report('68998-4', 'c')],
  ['a fetal death, and a report of a live birth', { value: true }, report('92011-6')],
] as const)
  test(`${what}: a fetal death, with a warning`, () => {
    const { fetus, value, ...values } = { fetus: false, value: undefined, ...child };
    const extension = value === undefined ? [] : [{ ...FETAL, valueBoolean: value }];
    const sent = patient('c', fetus ? FETUS : CHILD, { ...values, extension });
    assert.equal(read([sent], composition), { fetal: [true], warned: CONTRADICTED });
  });

test.run();
