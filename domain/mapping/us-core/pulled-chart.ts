import { asObject, asText, cacheBy, isObject, type JsonObject } from '../../fhir/json.ts';
import { isModified, removeModified } from '../../fhir/modifiers.ts';
import { isNewer, parseReferencedId, readVersionMark } from '../../fhir/resources.ts';
import { spendBudget } from '../../fhir/steps.ts';
import type { UnreadPart } from './prefill.ts';

export interface PulledChart {
  readonly fhirBaseUrl: string;
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
  readonly others: number;
}

/** False if its subject cannot be read, so that it is not omitted without a report. */
export const isAboutOther = (
  resource: unknown,
  { patientId, fhirBaseUrl }: Pick<PulledChart, 'patientId' | 'fhirBaseUrl'>,
): boolean => {
  const { subject } = asObject(resource);
  return statesPerson(subject) && parseReferencedId(subject, 'Patient', fhirBaseUrl) !== patientId;
};

const statesPerson = (subject: unknown): boolean => asText(asObject(subject)['reference']) !== null;

export interface Gap {
  readonly why: UnreadPart['why'];
  readonly entry: unknown;
}

/** Each resource in its newest version. */
export const selectOwnResources = (
  resources: readonly unknown[],
  type: string,
  chart: Pick<PulledChart, 'patientId' | 'fhirBaseUrl'>,
): {
  readonly own: readonly JsonObject[];
  readonly others: number;
  readonly gaps: readonly Gap[];
} => {
  spendBudget(resources.length);
  const own = new Map<string, JsonObject>();
  const gaps: Gap[] = [];
  const markOf = cacheBy(readVersionMark);
  let others = 0;
  for (const [place, resource] of resources.entries()) {
    if (isAboutOther(resource, chart)) {
      others += 1;
      continue;
    }
    const why = findGap(resource, type);
    if (why !== null) {
      others += 1;
      gaps.push({ why, entry: resource });
      continue;
    }
    const { resource: unmodified, leftOut } = removeModified(asObject(resource));
    if (leftOut.length > 0) gaps.push({ why: 'modified', entry: resource });
    // An Observation's value has no meaning without its code.
    const isWhole = type === 'Observation' && leftOut.length > 0;
    others += isWhole ? 1 : leftOut.length;
    if (isWhole) continue;
    const id = asText(unmodified['id']) ?? `#${place}`;
    const known = own.get(id);
    if (known === undefined || isNewer(markOf(unmodified), markOf(known))) own.set(id, unmodified);
  }
  return { own: [...own.values()], others, gaps };
};

const findGap = (resource: unknown, type: string): UnreadPart['why'] | null => {
  if (!isObject(resource) || resource['resourceType'] !== type) return 'other-type';
  if (!statesPerson(resource['subject'])) return 'other-type';
  if (isTooLarge(resource)) return 'too-large';
  return isModified(resource) ? 'modified' : null;
};

export const selectOwnPatient = ({
  patient,
}: Pick<PulledChart, 'patient'>): {
  readonly own: JsonObject;
  readonly others: number;
  readonly gaps: readonly Gap[];
} => {
  if (isTooLarge(patient))
    return { own: {}, others: 1, gaps: [{ why: 'too-large', entry: patient }] };
  const { resource, leftOut } = removeModified(asObject(patient));
  const gaps: readonly Gap[] = [{ why: 'modified', entry: patient }];
  if (isModified(patient)) return { own: {}, others: 1, gaps };
  return { own: resource, others: leftOut.length, gaps: leftOut.length > 0 ? gaps : [] };
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
