import * as assert from 'uvu/assert';
import { type RecordCourse, recordCourse } from '../../domain/birth-record/decide.ts';
import { buildFingerprintTexts } from '../../domain/birth-record/duplicates/fingerprint.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { evolve, type KnownBirthRecord, noRecord } from '../../domain/birth-record/state.ts';
import { isPossibleAgeAtDelivery } from '../../domain/course/age-at-delivery.ts';
import { findFirstBirthDate, isOnDay } from '../../domain/course/birth-times.ts';
import type { Child, CourseOfCare } from '../../domain/course/course.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import {
  buildDocumentBundle,
  type ExportedRecord,
} from '../../domain/export/bfdr/document-bundle.ts';
import { countCertainYears, isDate, parseDateAndTime } from '../../domain/fhir/dates.ts';
import { asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import { providerIdOf } from './any-course.ts';
import { INES, RECEIVED } from './birth-records.ts';

/** The stamp that exported records hold unless a test says otherwise. */
export const HELD_STAMP = '2026-05-13T09:00:00.120000000Z';

/** A live record of a course of care. */
export const exportedRecord = (
  course: CourseOfCare,
  keyKind: ExportedRecord['keyKind'],
  changes: Partial<ExportedRecord> = {},
): ExportedRecord => ({
  submissionUuid: INES,
  status: 'live',
  keyKind,
  stamp: HELD_STAMP,
  changedAt: '2026-05-13T10:00:00.000Z',
  course,
  providers: [],
  ...changes,
});

/** The Bundle of a record as another system gets it: JSON. */
export const sentBundle = (record: ExportedRecord): JsonObject =>
  JSON.parse(JSON.stringify(buildDocumentBundle(record)));

/** What a push of a Bundle brings to the record, as `api/push` prepares it. */
export interface Pushed {
  /** As it was read, before the mask. */
  readonly read: CourseOfCare;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  readonly stamp: string | null;
  readonly chartNumber: string | null;
}

/** Pushes a Bundle. @throws if it is not accepted */
export const readAsPushed = (bundle: JsonObject, lane: Lane): Pushed => {
  const mapped = mapCourse({ position: 0, bundle, retractedByEntry: false }, lane, []);
  if (mapped.kind !== 'course') throw new Error(JSON.stringify(mapped));
  const { course: read, stamp, chart_number: chartNumber } = mapped;
  const course = lane === 'partner' ? maskForPartner(read) : read;
  const idOf = (identity: string | null) => (identity === null ? null : providerIdOf(identity));
  return {
    read,
    course: { ...course, attendant: idOf(course.attendant), certifier: idOf(course.certifier) },
    providers: mapped.providers.map((one) => ({ providerId: providerIdOf(one.identity), ...one })),
    stamp,
    chartNumber,
  };
};

/**
 * What a Bundle has to bring back. Left out are `stamp`, which is the Bundle's own time; `warnings`
 * of values that were left out, and so are not there to be written; `sources`, the marks of an EHR;
 * and `custom`, which is outside the FHIR lane by the specification.
 */
export const broughtBack = ({ stamp, warnings, sources, custom, ...course }: CourseOfCare) =>
  course;

/** As for every lane; a native key records no attribution, by the specification. */
export const broughtBackNatively = (course: CourseOfCare) => {
  const { attendant, certifier, ...rest } = broughtBack(course);
  return rest;
};

const USUAL_AGE = 30;

/** Whether the age of the mother is counted from two dates between which nobody gives birth. */
const hasImpossibleDates = ({ mother, children }: CourseOfCare): boolean => {
  const born = findFirstBirthDate(children);
  return (
    mother.birth_date !== null &&
    born !== null &&
    isDate(born) &&
    !isPossibleAgeAtDelivery(countCertainYears(mother.birth_date, born) ?? USUAL_AGE)
  );
};

/** A record's Bundle brings back its course of care, its providers, its stamp and its fingerprints. */
export const assertBroughtBack = (
  record: ExportedRecord,
  lane: Lane,
  bundle: JsonObject = sentBundle(record),
): void => {
  const { course, providers } = record;
  const pushed = readAsPushed(bundle, lane);
  if (lane === 'native')
    assert.equal(broughtBackNatively(pushed.course), broughtBackNatively(course));
  else {
    assert.equal(broughtBack(pushed.course), broughtBack(course));
    assert.equal(pushed.providers, providers);
  }
  // A warning about dates that stand in the record is as true as it was.
  // The doubt about a stored name is the same again.
  const warned = pushed.course.warnings
    .filter(({ id }) => id !== 'placeholder-name')
    .map(({ field }) => field);
  assert.equal(warned, [
    ...course.children.filter(isTimedOnAnotherDay).map(() => 'children.birth_time'),
    ...(hasImpossibleDates(course) ? ['mother.age_at_delivery'] : []),
  ]);
  const zone = () => '-05:00';
  assert.equal(buildFingerprintTexts(pushed.course, zone), buildFingerprintTexts(course, zone));
  assert.is(pushed.chartNumber, course.chart_number);
  if (record.stamp !== null) assert.is(pushed.stamp, record.stamp);
};

const isTimedOnAnotherDay = ({ birth_date, birth_time }: Child): boolean => {
  const time = birth_time === null ? null : parseDateAndTime(birth_time);
  return time !== null && birth_date !== null && !isOnDay(time, birth_date);
};

const commandOf = (
  course: CourseOfCare,
  keyKind: RecordCourse['keyKind'],
  changes: Partial<RecordCourse> = {},
): RecordCourse => ({
  submissionUuid: INES,
  practiceId: 'practice',
  source: keyKind === null ? 'manual' : 'fhir_push',
  keyKind,
  course,
  providers: [],
  stamp: HELD_STAMP,
  receivedAt: RECEIVED,
  fingerprints: buildFingerprintTexts(course, null).map(({ text }) => text),
  matches: [],
  mark: null,
  ...changes,
});

const decided = (command: RecordCourse, events: readonly BirthRecordEvent[]) => {
  const decision = recordCourse(command, events.reduce(evolve, noRecord));
  if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision));
  return [...events, ...decision.events];
};

/** The record after its courses were sent one after the other. */
export const recordOf = (
  ...sent: readonly (readonly [CourseOfCare, RecordCourse['keyKind'], Partial<RecordCourse>?])[]
): KnownBirthRecord => {
  const events = sent.reduce(
    (before, [course, keyKind, changes]) => decided(commandOf(course, keyKind, changes), before),
    [] as readonly BirthRecordEvent[],
  );
  const state = events.reduce(evolve, noRecord);
  if (state.status === 'none') throw new Error('nothing was recorded');
  return state;
};

/** The record as it leaves the registry. */
export const exportOf = (
  { submissionUuid, status, keyKind, stamp, course, providers }: KnownBirthRecord,
  changes: Partial<ExportedRecord> = {},
): ExportedRecord =>
  exportedRecord(course, keyKind, { submissionUuid, status, stamp, providers, ...changes });

/** A record's Bundle, pushed to the record itself, is taken and changes nothing but the version. */
export const assertAmendsNothing = (held: KnownBirthRecord, lane: Lane): void => {
  const bundle = sentBundle(exportOf(held));
  const { course, providers, stamp } = readAsPushed(bundle, lane);
  const after = recordAfter(held, commandOf(course, lane, { providers, stamp }));
  assert.is(after.version, held.version + 1);
  assert.equal(broughtBack(after.course), broughtBack(held.course));
  assert.equal(after.course.custom, held.course.custom);
  assert.equal(after.fingerprints, held.fingerprints);
  assert.equal(after.providers, held.providers);
  assert.is(after.stamp, held.stamp ?? stamp);
};

const recordAfter = (held: KnownBirthRecord, command: RecordCourse): KnownBirthRecord => {
  const decision = recordCourse(command, held);
  if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision));
  const state = decision.events.reduce(evolve, held);
  if (state.status === 'none') throw new Error('nothing was recorded');
  return state;
};

const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';

/** Each kind of report: its Bundle in version 2 and 1 of the guide, its Composition, LOINC type. */
const REPORTS = [
  {
    bundle: `${BFDR}/Bundle-document-birth-report`,
    composition: `${BFDR}/Composition-provider-live-birth-report`,
    type: '68998-4',
  },
  {
    bundle: `${BFDR}/Bundle-document-fetal-death-report`,
    composition: `${BFDR}/Composition-jurisdiction-fetal-death-report`,
    type: '92010-8',
  },
];

const MOTHER = `${COMMON}/Patient-mother-vr`;
const LIVE_BORN = `${COMMON}/Patient-child-vr`;
const FETUS = `${BFDR}/Patient-decedent-fetus`;

/** The sections of the published examples that the registry's values belong to. */
const SECTIONS = new Set(['57073-9', '55752-0', '57075-4', '76400-1', '92014-0', 'providers']);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const UUID = /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Those of them that the mother is in the focus of. */
const OF_MOTHER = new Set(['57073-9', '55752-0', '92014-0']);

/** Elements that FHIR R4 requires, by type of resource. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Composition: ['status', 'type', 'subject', 'date', 'author', 'title', 'encounter'],
  Patient: [],
  Observation: ['status', 'code', 'subject'],
  Procedure: ['status', 'code', 'subject', 'category'],
  Encounter: ['status', 'class'],
  Location: ['status'],
  Practitioner: ['identifier', 'name', 'qualification'],
  Organization: ['active', 'name'],
  Consent: ['scope', 'category', 'patient', 'policyRule'],
};

/** What is wrong with a document by FHIR R4 and by the BFDR guide; nothing if all is well. */
export const problemsOf = (bundle: JsonObject): readonly string[] => {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const entries = asObjects(bundle['entry']);
  const resources = entries.map((entry) => asObject(entry['resource']));
  const urls = entries.map((entry) => String(entry['fullUrl']));
  const ofType = (type: string) => resources.filter((one) => one['resourceType'] === type);

  expect(bundle['resourceType'] === 'Bundle' && bundle['type'] === 'document', 'no document');
  expect(INSTANT.test(String(bundle['timestamp'])), 'no timestamp');
  expect(INSTANT.test(String(asObject(bundle['meta'])['lastUpdated'])), 'no time of change');
  expect(new Set(urls).size === urls.length, 'a fullUrl is there twice');
  if (bundle['identifier'] !== undefined)
    expect(
      ['system', 'value'].every((name) => name in asObject(bundle['identifier'])),
      'an identifier needs a system and a value',
    );
  for (const [at, resource] of resources.entries()) {
    const type = String(resource['resourceType']);
    expect(UUID.test(urls[at] ?? ''), `${type}: no urn:uuid`);
    expect(urls[at] === `urn:uuid:${String(resource['id'])}`, `${type}: another id`);
    for (const name of REQUIRED[type] ?? [UNEXPECTED])
      expect(resource[name] !== undefined, `${type} without ${name}`);
  }
  for (const reference of referencesIn(bundle))
    expect(urls.includes(reference), 'a reference leads nowhere');
  problems.push(...emptyIn(bundle, 'Bundle'));

  const [composition] = resources;
  const patients = ofType('Patient');
  const mothers = patients.filter((one) => profileOf(one) === MOTHER);
  const children = patients.filter((one) => [LIVE_BORN, FETUS].includes(profileOf(one)));
  const isFetal = children.every((one) => profileOf(one) === FETUS);
  const report = REPORTS[isFetal ? 1 : 0];
  expect(mothers.length === 1 && children.length >= 1, 'roles');
  expect(patients.length === mothers.length + children.length, 'a Patient in no role');
  expect(composition?.['resourceType'] === 'Composition', 'the Composition is not first');
  expect(profileOf(composition) === report?.composition, 'profile of the Composition');
  expect(codeOf(composition?.['type']) === report?.type, 'type of the Composition');
  expect(profileOf(bundle) === `${report?.bundle}|2.0.0`, 'profile of the Bundle');

  const sections = asObjects(composition?.['section']);
  for (const section of sections) {
    const code = codeOf(section['code']);
    expect(SECTIONS.has(code), 'code of a section');
    const { reference } = asObject(section['focus']);
    expect(
      !OF_MOTHER.has(code) || reference === `urn:uuid:${mothers[0]?.['id']}`,
      'a section of the mother is not about her',
    );
  }
  const listed = sections.flatMap((section) =>
    asObjects(section['entry']).map(({ reference }) => String(reference)),
  );
  const observed = [...ofType('Observation'), ...ofType('Procedure'), ...ofType('Consent')];
  for (const { id } of observed)
    expect(
      listed.filter((one) => one === `urn:uuid:${String(id)}`).length === 1,
      'every Observation, Procedure and Consent is in one section',
    );
  for (const observation of ofType('Observation')) {
    const values = Object.keys(observation).filter(
      (name) => name.startsWith('value') || name === 'dataAbsentReason',
    );
    expect(
      values.length === (observation['component'] === undefined ? 1 : 0),
      `values: ${values.join()}`,
    );
    const [coding] = asObjects(asObject(observation['code'])['coding']);
    expect(typeof coding?.['system'] === 'string' && codeOf(observation['code']) !== '', 'a code');
  }
  const stays = ofType('Encounter').map(profileOf);
  expect(stays.filter((one) => one === `${BFDR}/Encounter-maternity`).length === 1, 'maternity');
  expect(
    stays.filter((one) => one === `${BFDR}/Encounter-birth`).length ===
      children.filter((one) => profileOf(one) === LIVE_BORN).length,
    'one stay of each live-born child',
  );
  expect(ofType('Consent').length <= 1, 'several Consents');
  return problems;
};

const UNEXPECTED = 'a type of resource that is expected';

const profileOf = (resource: JsonObject | undefined): string =>
  String((asObject(resource?.['meta'])['profile'] as readonly unknown[] | undefined)?.[0] ?? '');

const codeOf = (concept: unknown): string =>
  String(asObjects(asObject(concept)['coding'])[0]?.['code'] ?? '');

const referencesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'reference' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
};

// FHIR JSON has no empty text, list or object, and null only in lists of extensions of primitives.
const emptyIn = (value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value))
    return value.length === 0
      ? [`${path} is empty`]
      : value.flatMap((one) => (one === null && /\._\w+$/.test(path) ? [] : emptyIn(one, path)));
  if (isObject(value))
    return Object.keys(value).length === 0
      ? [`${path} is empty`]
      : Object.entries(value).flatMap(([name, inner]) => emptyIn(inner, `${path}.${name}`));
  return value === null || value === '' || value === undefined ? [`${path} has no value`] : [];
};
