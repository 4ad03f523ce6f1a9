import { asObject, asText, cacheBy, isObject, type JsonObject } from '../../fhir/json.ts';
import { isModified, removeModified } from '../../fhir/modifiers.ts';
import { isNewer, parseReferencedId, readVersionMark } from '../../fhir/resources.ts';
import { countSteps } from '../../fhir/steps.ts';
import type { UnreadPart } from './prefill.ts';

/** Chart of one patient as sent by the EHR, not validated. */
export interface PulledChart {
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  readonly patientId: string;
  /** Encounter of the launch, or null. It may not be the delivery. */
  readonly encounterId: string | null;
  /** True if the patient's name and birth date must be shown, because the EHR does not. */
  readonly needsPatientBanner: boolean;
  readonly patient: unknown;
  readonly observations: readonly unknown[];
  readonly conditions: readonly unknown[];
  readonly encounters: readonly unknown[];
  readonly unread: readonly UnreadPart[];
  /** Number of entries about another person or no person, which were not kept. */
  readonly others: number;
}

/** True if a resource is about the launched patient. */
export const isAboutPatient = (
  resource: JsonObject,
  { patientId, issuer }: Pick<PulledChart, 'patientId' | 'issuer'>,
): boolean => parseReferencedId(resource['subject'], 'Patient', issuer) === patientId;

/**
 * Selects the resources of a type that are about the launched patient, each in its newest version.
 * Also counts those about another person or no person, those with an unknown modifier extension,
 * and those that are too large.
 */
export const selectOwnResources = (
  resources: readonly unknown[],
  type: string,
  chart: Pick<PulledChart, 'patientId' | 'issuer'>,
): {
  readonly own: readonly JsonObject[];
  readonly others: number;
  readonly isTooLarge: boolean;
} => {
  countSteps(resources.length);
  const own = new Map<string, JsonObject>();
  const markOf = cacheBy(readVersionMark);
  let others = 0;
  let tooLarge = 0;
  for (const [place, resource] of resources.entries()) {
    if (!isObject(resource) || resource['resourceType'] !== type) continue;
    if (!isAboutPatient(resource, chart)) {
      others += 1;
      continue;
    }
    if (isTooLarge(resource)) {
      tooLarge += 1;
      continue;
    }
    const { resource: unmodified, leftOut } = removeModified(resource);
    // An Observation's value has no meaning without its code.
    const isWhole = isModified(resource) || (type === 'Observation' && leftOut.length > 0);
    others += isWhole ? 1 : leftOut.length;
    if (isWhole) continue;
    const id = asText(resource['id']) ?? `#${place}`;
    const known = own.get(id);
    if (known === undefined || isNewer(markOf(resource), markOf(known))) own.set(id, unmodified);
  }
  return { own: [...own.values()], others: others + tooLarge, isTooLarge: tooLarge > 0 };
};

/** Returns the launched Patient without its modified elements, and the number of those. */
export const selectOwnPatient = ({
  patient,
}: Pick<PulledChart, 'patient'>): {
  readonly own: JsonObject;
  readonly others: number;
  readonly isTooLarge: boolean;
} => {
  if (isTooLarge(patient)) return { own: {}, others: 1, isTooLarge: true };
  const { resource, leftOut } = removeModified(asObject(patient));
  return isModified(patient)
    ? { own: {}, others: 1, isTooLarge: false }
    : { own: resource, others: leftOut.length, isTooLarge: false };
};

/** Maximum number of elements in a list of one entry, such as `focus`. Our choice: far more than charts have. */
export const MAX_LIST_LENGTH = 500;
/** Maximum number of values in one entry, nested ones included. Our choice: far more than charts have. */
export const MAX_ENTRY_VALUES = 10_000;

/** True if an entry exceeds the limits. Uses its own stack, so that deep values cannot overflow the call stack. */
const isTooLarge = (entry: unknown): boolean => {
  const open: unknown[] = [entry];
  let values = 0;
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (values + open.length > MAX_ENTRY_VALUES) return true;
    if (Array.isArray(value)) {
      if (value.length > MAX_LIST_LENGTH) return true;
      for (const element of value) open.push(element);
    } else if (isObject(value)) for (const name in value) open.push(value[name]);
  }
  return false;
};
