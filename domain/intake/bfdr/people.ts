import { asObject, asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { readStatedBirth, type StatedBirth } from '../from-fhir/patient-values.ts';
import { type IsAfterBirth, summarizeBirths, toBirthMoment } from './births.ts';
import { readPatientRole } from './roles.ts';

/** Patients of a course of care by role, in entry order. */
export type People = {
  readonly mothers: readonly JsonObject[];
  readonly children: readonly JsonObject[];
  readonly subjects: ReadonlyMap<JsonObject, Subject>;
  /** Date and time of birth of each child, from its Patient. */
  readonly statedBirths: readonly StatedBirth[];
  /** Result of `toBirthMoment` for each; null if unknown. */
  readonly births: readonly (string | null)[];
  readonly isAfterBirth: IsAfterBirth;
};

/**
 * Person that a resource is about; a child is identified by its position. `other` is another person
 * in the Bundle, `absent` is referred to but not in it, `unresolved` has no reference.
 */
export type Subject =
  | { readonly kind: 'child'; readonly child: number }
  | { readonly kind: 'mother' | 'other' | 'absent' | 'unresolved' };

/** Sorts the Patients of a document by role and omits a Patient without one. */
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
  const births = statedBirths.map(toBirthMoment);
  const isAfterBirth = summarizeBirths(births);
  return { mothers, children, subjects, statedBirths, births, isAfterBirth };
};

/** Finds the person that the `subject` of a resource refers to. */
export const findSubject = (resource: JsonObject, document: Document, people: People): Subject =>
  findPerson(resource['subject'], resource, document, people);

/**
 * Finds the person an Observation is about: its subject, unless that is not a child and `focus`
 * refers to exactly one, such as for a newborn's Observation in the mother's chart.
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
