import { asObject, asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { findReplacements, isReplaced } from '../../fhir/replaced-patients.ts';
import { isInactive } from '../../fhir/resources.ts';
import { readStatedBirth, type StatedBirth } from '../from-fhir/patient-values.ts';
import { type IsAfterBirth, summarizeBirths, toBirthMoment } from './births.ts';
import { type PatientRole, readPatientRole } from './roles.ts';

export type People = {
  readonly mothers: readonly JsonObject[];
  readonly children: readonly JsonObject[];
  readonly subjects: ReadonlyMap<JsonObject, Subject>;
  readonly statedBirths: readonly StatedBirth[];
  readonly births: readonly (string | null)[];
  readonly isAfterBirth: IsAfterBirth;
  readonly replaced: readonly ReplacedPatient[];
};

export interface ReplacedPatient {
  readonly child: number | null;
  /** False if the document has no replacement, so that the Patient is read. */
  readonly isReplacementKnown: boolean;
}

/**
 * `other` is another person in the Bundle, `absent` is referred to but not in it, `unresolved` has no
 * reference.
 */
export type Subject =
  | { readonly kind: 'child'; readonly child: number }
  | { readonly kind: 'mother' | 'other' | 'absent' | 'unresolved' };

/** Omits a Patient without a role. A replaced Patient is the person that its replacement is. */
export const findPeople = (document: Document): People => {
  const mothers: JsonObject[] = [];
  const children: JsonObject[] = [];
  const subjects = new Map<JsonObject, Subject>();
  const patients = document.ofType('Patient');
  const replacements = findReplacements(patients, document.resolve);
  const roles = findRoles(patients, replacements);
  const replaced: ReplacedPatient[] = [];
  const isMerged = (patient: JsonObject): boolean => {
    const replacement = replacements.get(patient);
    if (replacement === undefined || replacement === patient) return false;
    const role = readPatientRole(patient);
    return role === null || role === roles.get(replacement);
  };
  for (const patient of patients) {
    const role = roles.get(patient);
    if (role === undefined || isMerged(patient)) continue;
    const child = role === 'child' ? children.length : null;
    subjects.set(patient, child === null ? { kind: 'mother' } : { kind: 'child', child });
    (child === null ? mothers : children).push(patient);
    const isOutOfUse = isReplaced(patient) || isInactive(patient);
    if (isOutOfUse && replacements.get(patient) !== patient)
      replaced.push({ child, isReplacementKnown: false });
  }
  for (const [patient, replacement] of replacements) {
    const subject = subjects.get(replacement);
    if (subject === undefined || !isMerged(patient)) continue;
    subjects.set(patient, subject);
    const child = subject.kind === 'child' ? subject.child : null;
    replaced.push({ child, isReplacementKnown: true });
  }
  const statedBirths = children.map(readStatedBirth);
  const births = statedBirths.map(toBirthMoment);
  const isAfterBirth = summarizeBirths(births);
  return { mothers, children, subjects, statedBirths, births, isAfterBirth, replaced };
};

/** Finds the role of each Patient. A replacement without one has that of the first it replaced. */
const findRoles = (
  patients: readonly JsonObject[],
  replacements: ReadonlyMap<JsonObject, JsonObject>,
): ReadonlyMap<JsonObject, PatientRole> => {
  const roles = new Map<JsonObject, PatientRole>();
  for (const patient of patients) {
    const role = readPatientRole(patient);
    if (role !== null) roles.set(patient, role);
  }
  for (const patient of patients) {
    const role = roles.get(patient);
    const replacement = replacements.get(patient);
    if (role !== undefined && replacement !== undefined && !roles.has(replacement))
      roles.set(replacement, role);
  }
  return roles;
};

export const findSubject = (resource: JsonObject, document: Document, people: People): Subject =>
  findPerson(resource['subject'], resource, document, people);

/**
 * Its subject, unless that is not a child and `focus` refers to exactly one, such as in the mother's
 * chart.
 */
export const findPersonObserved = (
  observation: JsonObject,
  document: Document,
  people: People,
): Subject => {
  const subject = findSubject(observation, document, people);
  if (subject.kind === 'child' || observation['focus'] === undefined) return subject;
  const inFocus = new Map<number, Subject>();
  for (const reference of asObjects(observation['focus'])) {
    const person = findPerson(reference, observation, document, people);
    if (person.kind === 'child') inFocus.set(person.child, person);
  }
  const [only, ...others] = inFocus.values();
  return only === undefined || others.length > 0 ? subject : only;
};

const findPerson = (
  reference: unknown,
  holder: JsonObject,
  document: Document,
  people: People,
): Subject => {
  const patient = document.resolve(reference, holder);
  // A contained resource is part of its container, which alone can refer to it.
  if (patient !== null && isPerson(patient) && !document.isContained(patient, holder))
    return people.subjects.get(patient) ?? OTHER;
  const { reference: address, identifier } = asObject(reference);
  return asText(address) === null && !isObject(identifier) ? UNRESOLVED : ABSENT;
};

const PERSONS: ReadonlySet<unknown> = new Set([
  'Patient',
  'RelatedPerson',
  'Person',
  'Practitioner',
]);

const isPerson = (resource: JsonObject): boolean => PERSONS.has(resource['resourceType']);

const UNRESOLVED: Subject = { kind: 'unresolved' };
const ABSENT: Subject = { kind: 'absent' };
const OTHER: Subject = { kind: 'other' };
