import { asObject, asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { readStatedBirth, type StatedBirth } from '../from-fhir/patient-values.ts';
import { toBirthMoment } from './births.ts';
import { readPatientRole } from './roles.ts';

/** The Patients of a course of care by role, in the order of the entries. */
export type People = {
  readonly mothers: readonly JsonObject[];
  readonly children: readonly JsonObject[];
  readonly subjects: ReadonlyMap<JsonObject, Subject>;
  /** When each child was born, as its Patient states it. */
  readonly statedBirths: readonly StatedBirth[];
  /** Result of `toBirthMoment` for each; null if unknown. */
  readonly births: readonly (string | null)[];
};

/**
 * The person a resource is about; a child by its position among the children. `other` is another
 * person in the Bundle, `absent` is named but not in it, `unresolved` is not even named.
 */
export type Subject =
  | { readonly kind: 'child'; readonly child: number }
  | { readonly kind: 'mother' | 'other' | 'absent' | 'unresolved' };

/** Sorts the Patients of a document by role; a Patient without a role is left out. */
export const findPeople = (document: Document): People => {
  const mothers: JsonObject[] = [];
  const children: JsonObject[] = [];
  const subjects = new Map<JsonObject, Subject>();
  for (const patient of document.ofType('Patient')) {
    const role = readPatientRole(patient);
    if (role === 'mother') {
      mothers.push(patient);
      subjects.set(patient, { kind: 'mother' });
    }
    if (role === 'child') {
      subjects.set(patient, { kind: 'child', child: children.length });
      children.push(patient);
    }
  }
  const statedBirths = children.map(readStatedBirth);
  return { mothers, children, subjects, statedBirths, births: statedBirths.map(toBirthMoment) };
};

/** Finds the person that the `subject` of a resource names. */
export const findSubject = (resource: JsonObject, document: Document, people: People): Subject =>
  findPerson(resource['subject'], resource, document, people);

/**
 * Finds the person an Observation is about: its subject, unless that is no child and `focus` names exactly
 * one, as where an Observation of a newborn stands in the chart of the mother.
 */
export const findPersonObserved = (
  observation: JsonObject,
  document: Document,
  people: People,
): Subject => {
  const subject = findSubject(observation, document, people);
  if (subject.kind === 'child') return subject;
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
  if (patient !== null && isPerson(patient) && !isContained(patient, holder))
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

// A contained resource is a part of its holder: only the holder can identify it.
const isContained = (resource: JsonObject, holder: JsonObject): boolean =>
  asObjects(holder['contained']).includes(resource);

const UNRESOLVED: Subject = { kind: 'unresolved' };
const ABSENT: Subject = { kind: 'absent' };
const OTHER: Subject = { kind: 'other' };
