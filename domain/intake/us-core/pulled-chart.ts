import { asObject, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import { isModified, removeModified } from '../../fhir/modifiers.ts';
import { isNewerVersion, parseReferencedId } from '../../fhir/resources.ts';
import type { UnreadPart } from './prefill.ts';

/** Chart of one patient as the EHR sent it, not validated. */
export interface PulledChart {
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  readonly patientId: string;
  /** The encounter of the launch, if the EHR named one. It need not be the delivery. */
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
 * The resources of a type that are about the launched patient, each once, in its newest version;
 * and how many were about someone else or no one, or were modified by what the registry does not know.
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
    // The value of an Observation is one with its code.
    const isWhole = isModified(resource) || (type === 'Observation' && leftOut.length > 0);
    others += isWhole ? 1 : leftOut.length;
    if (isWhole) continue;
    const id = asText(resource['id']) ?? `#${place}`;
    const known = own.get(id);
    if (known === undefined || isNewerVersion(resource, known)) own.set(id, unmodified);
  }
  return { own: [...own.values()], others };
};

/** The launched patient without what is modified; and how many elements that were. */
export const selectOwnPatient = ({
  patient,
}: Pick<PulledChart, 'patient'>): { readonly own: JsonObject; readonly others: number } => {
  const { resource, leftOut } = removeModified(asObject(patient));
  return isModified(patient) ? { own: {}, others: 1 } : { own: resource, others: leftOut.length };
};
