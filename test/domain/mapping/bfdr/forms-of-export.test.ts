import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { deletesRecord } from '../../../../domain/mapping/bfdr/deletions.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const forms = suite('forms that the registry writes, and reads from anybody');

const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
const BIRTH_TIME = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime';

const absent = (valueCode: string): JsonObject => ({
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode,
});

const child = (more: JsonObject): JsonObject => ({
  resourceType: 'Patient',
  id: 'child-1',
  meta: { profile: [`${COMMON}/Patient-child-vr`] },
  ...more,
});

/** A birth of which the Patients are given, its mother without a date of birth unless she is. */
const read = (patient: JsonObject, mother: JsonObject | null = null) =>
  courseOf(
    birthBundle({
      children: [],
      mother: mother === null ? { birthDate: null } : null,
      more: [child(patient), ...(mother === null ? [] : [mother])],
    }),
  );

const reportedAge = (value: number, role = 'MTH'): JsonObject => ({
  extension: [
    {
      url: `${COMMON}/Extension-reported-parent-age-at-delivery-vr`,
      extension: [
        { url: 'reportedAge', valueQuantity: { value, code: 'a' } },
        { url: 'motherOrFather', valueCodeableConcept: { coding: [{ code: role }] } },
      ],
    },
  ],
});

for (const [name, patient, age, warnings] of [
  ['the age of the mother as it is reported', reportedAge(34), 34, 0],
  ['no age from the report about the father', reportedAge(34, 'FTH'), null, 0],
  ['no age from -1, which says unknown', reportedAge(-1), null, 0],
  ['no age that is not possible, with a warning', reportedAge(134), null, 1],
] as const)
  forms(name, () => {
    const course = read(patient);
    assert.is(course.mother.age_at_delivery, age);
    assert.is(course.warnings.length, warnings);
  });

forms('an age that two dates give stands against a reported one', () => {
  const mother = {
    resourceType: 'Patient',
    meta: { profile: [`${COMMON}/Patient-mother-vr`] },
    birthDate: '1994-06-02',
  };
  const course = read({ ...reportedAge(20), birthDate: '2026-03-12' }, mother);
  assert.is(course.mother.age_at_delivery, 31);
});

const partialDate = (reason: string): JsonObject => ({
  _birthDate: {
    extension: [
      {
        url: `${COMMON}/Extension-partial-date-vr`,
        extension: [
          { url: 'year', valueUnsignedInt: 2026 },
          { url: 'month', extension: [absent(reason)] },
          { url: 'day', extension: [absent(reason)] },
        ],
      },
    ],
  },
});

for (const [reason, date] of [
  ['masked', '2026'],
  ['temp-unknown', null],
] as const)
  forms(`of a partial date whose day and month are ${reason}: ${date}`, () => {
    assert.is(read(partialDate(reason)).children[0]?.birth_date, date);
  });

const OWN = 'urn:birth-registry:extension';
const MASKED = { url: `${OWN}/masked`, valueBoolean: true };

for (const [name, birthDate, mark, date] of [
  ['a year that the mask left', '2026', [MASKED], '2026'],
  ['no year without the mark', '2026', [], null],
  ['no month', '2026-03', [MASKED], null],
  ['nothing that is no text', { toString: null }, [MASKED], null],
] as const)
  forms(`of a date that is not whole: ${name}`, () => {
    const { children } = read({ birthDate, _birthDate: { extension: mark } });
    assert.is(children[0]?.birth_date, date);
  });

const recorded = (valueString: string): JsonObject => ({ url: `${OWN}/recorded`, valueString });

const DAY = '2026-03-12';
const timeOf = (...extension: readonly JsonObject[]): unknown =>
  read({ birthDate: DAY, _birthDate: { extension } }).children[0]?.birth_time;

forms('a time that stands beside no other one is the time', () => {
  assert.is(timeOf(recorded(`${DAY}T04:31`)), `${DAY}T04:31`);
});

for (const [sent, mark, time] of [
  [`${DAY}T04:31:00-05:00`, `${DAY}T04:31`, `${DAY}T04:31`],
  [`${DAY}T04:31:00-05:00`, `${DAY}T04:31-05:00`, `${DAY}T04:31-05:00`],
  [`${DAY}T04:31:00-05:00`, `${DAY}T04:32`, `${DAY}T04:31:00-05:00`],
  [`${DAY}T04:31:00-05:00`, DAY, `${DAY}T04:31:00-05:00`],
  ['04:31:00', `${DAY}T04:31`, `${DAY}T04:31`],
  ['04:31:00', '2026-03-13T04:31:00.5', '2026-03-13T04:31:00.5'],
  ['04:31:00', `${DAY}T05:31`, `${DAY}T04:31:00`],
] as const)
  forms(`the time ${sent}, recorded as ${mark}, is ${time}`, () => {
    const isWhole = sent.length > '04:31:00'.length;
    const extension = isWhole
      ? { url: BIRTH_TIME, valueDateTime: sent }
      : {
          url: `${COMMON}/Extension-partial-date-time-vr`,
          extension: [
            { url: 'year', valueUnsignedInt: 2026 },
            { url: 'month', valueUnsignedInt: 3 },
            { url: 'day', valueUnsignedInt: 12 },
            { url: 'time', valueTime: sent },
          ],
        };
    assert.is(timeOf(extension, recorded(mark)), time);
  });

const unrecorded = (valueCode: string): JsonObject => ({ url: `${OWN}/unrecorded`, valueCode });

forms('what is not recorded is not read, although the guide wants something there', () => {
  const fetalDeath = {
    deceasedBoolean: true,
    _deceasedBoolean: {
      extension: [{ url: `${COMMON}/Extension-patient-fetal-death-vr`, valueBoolean: true }],
    },
  };
  const patient = { gender: 'unknown', ...fetalDeath };
  const stated = read(patient).children[0];
  assert.equal([stated?.sex, stated?.living, stated?.fetal_death], ['unknown', false, true]);
  const marked = read({ ...patient, extension: [unrecorded('sex'), unrecorded('living')] });
  const child = marked.children[0];
  assert.equal([child?.sex, child?.living, child?.fetal_death], [null, null, true]);
  assert.equal(marked.warnings, []);
});

forms('an identifier that stands for no chart number names no record', () => {
  const bundle = birthBundle({ chartNumber: 'C-1' });
  const identifier = { value: 'C-1', extension: [unrecorded('chart_number')] };
  assert.is(courseOf(bundle).chart_number, 'C-1');
  assert.is(courseOf({ ...bundle, identifier }).chart_number, null);
  const deleted = { request: { method: 'DELETE', url: 'C-1' }, resource: bundle };
  assert.ok(deletesRecord(deleted, bundle));
  assert.not.ok(deletesRecord(deleted, { ...bundle, identifier }));
});

for (const [country, mark, expected] of [
  ['US', 'USA', 'USA'],
  ['US', 'Canada', 'US'],
] as const)
  forms(`the country ${country}, recorded as ${mark}, is ${expected}`, () => {
    const mother = {
      resourceType: 'Patient',
      meta: { profile: [`${COMMON}/Patient-mother-vr`] },
      address: [{ country, _country: { extension: [recorded(mark)] } }],
    };
    const course = read({}, mother);
    assert.is(course.mother.address.country, expected);
    assert.equal(course.warnings, []);
  });

forms('races that are recorded count more than those of the worksheet', () => {
  const races = (...more: readonly JsonObject[]) => ({
    resourceType: 'Patient',
    id: 'mother-2',
    meta: { profile: [`${COMMON}/Patient-mother-vr`] },
    extension: [
      {
        url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
        extension: [{ url: 'ombCategory', valueCoding: { code: '2106-3' } }, ...more],
      },
    ],
  });
  const worksheet = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ code: 'inputraceandethnicityMother' }] },
    subject: { reference: 'Patient/child-1' },
    component: [{ code: { coding: [{ code: 'Samoan' }] }, valueBoolean: true }],
  };
  const raceOf = (mother: JsonObject) =>
    courseOf(birthBundle({ children: [], mother: null, more: [child({}), mother, worksheet] }))
      .mother.race;
  assert.equal(raceOf(races()), ['2080-0']);
  const inOrder = ['Garifuna', '2106-3'].map(recorded);
  assert.equal(raceOf(races(...inOrder)), ['Garifuna', '2106-3']);
});

const timed = (...more: readonly JsonObject[]): JsonObject => ({
  _birthDate: { extension: [...more, { url: BIRTH_TIME, valueDateTime: '2026-03-12T04:31:00Z' }] },
});

forms('a date that is said to be absent is not that of the time', () => {
  assert.is(read(timed()).children[0]?.birth_date, '2026-03-12');
  assert.is(read(timed(absent('unknown'))).children[0]?.birth_date, null);
});

forms('whether it was a fetal death is unknown where that is said', () => {
  const url = `${COMMON}/Extension-patient-fetal-death-vr`;
  assert.is(read({}).children[0]?.fetal_death, false);
  const unknown = { extension: [{ url, _valueBoolean: { extension: [absent('unknown')] } }] };
  assert.is(read(unknown).children[0]?.fetal_death, null);
});

forms('a name that reads like unknown is kept where it is meant', () => {
  const meant = {
    extension: [{ url: 'urn:birth-registry:extension/verbatim', valueBoolean: true }],
  };
  assert.is(read({ name: [{ family: 'Unknown' }] }).children[0]?.family_name, null);
  const named = read({ name: [{ family: 'Unknown', _family: meant }] });
  assert.is(named.children[0]?.family_name, 'Unknown');
});

const moved = (more: JsonObject): JsonObject => ({
  resourceType: 'Encounter',
  subject: { reference: 'Patient/mother' },
  type: [{ text: 'Transfer of care' }],
  ...more,
});

const transfersIn = (...encounters: readonly JsonObject[]) =>
  courseOf(birthBundle({ more: encounters })).transfers;

forms('the other facility of a transfer of no known direction', () => {
  const stay = { hospitalization: { destination: { display: 'East Hospital' } } };
  assert.equal(transfersIn(moved(stay)), [
    buildTransfer({ type: 'mother', direction: null, facility: 'East Hospital' }),
  ]);
});

forms('transfers that are alike are one, unless they are numbered', () => {
  const second = { identifier: [{ system: 'urn:birth-registry:transfers', value: '2' }] };
  assert.is(transfersIn(moved({}), moved({})).length, 1);
  assert.is(transfersIn(moved({}), moved(second)).length, 2);
});

forms.run();
