import { asObject, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import { isModified, removeModified } from '../../fhir/modifiers.ts';
import { isNewerVersion, parseReferencedId } from '../../fhir/resources.ts';
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
}

/**
 * Selects the resources of a type that are about the launched patient, each in its newest version.
 * Also counts those about another person or no person, and those with an unknown modifier
 * extension.
 */
export const selectOwnResources = (
  resources: readonly unknown[],
  type: string,
  { patientId, issuer }: Pick<PulledChart, 'patientId' | 'issuer'>,
): { readonly own: readonly JsonObject[]; readonly others: number } => {
  const own = new Map<string, JsonObject>();
  let others = 0;
  for (const [place, resource] of resources.entries()) {
    if (!isObject(resource) || resource['resourceType'] !== type) continue;
    if (parseReferencedId(resource['subject'], 'Patient', issuer) !== patientId) {
      others += 1;
      continue;
    }
    const { resource: unmodified, leftOut } = removeModified(resource);
    // An Observation's value has no meaning without its code.
    const isWhole = isModified(resource) || (type === 'Observation' && leftOut.length > 0);
    others += isWhole ? 1 : leftOut.length;
    if (isWhole) continue;
    const id = asText(resource['id']) ?? `#${place}`;
    const known = own.get(id);
    if (known === undefined || isNewerVersion(resource, known)) own.set(id, unmodified);
  }
  return { own: [...own.values()], others };
};

/** Returns the launched Patient without its modified elements, and the number of those. */
export const selectOwnPatient = ({
  patient,
}: Pick<PulledChart, 'patient'>): { readonly own: JsonObject; readonly others: number } => {
  const { resource, leftOut } = removeModified(asObject(patient));
  return isModified(patient) ? { own: {}, others: 1 } : { own: resource, others: leftOut.length };
};
