import { isObject, type JsonObject, objectIn, textOf } from '../fhir/json.ts';
import { referencedId } from '../fhir/resources.ts';
import type { UnreadPart } from './prefill.ts';

/** What was read of one patient, as the EHR sent it. Nothing in it is known to be well-formed. */
export interface PulledChart {
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  readonly patientId: string;
  /** The encounter of the launch, if the EHR named one. It need not be the delivery. */
  readonly encounterId: string | null;
  /** Whether the patient's name and birth date have to be shown: the EHR shows them otherwise. */
  readonly needsPatientBanner: boolean;
  readonly patient: unknown;
  readonly observations: readonly unknown[];
  readonly conditions: readonly unknown[];
  readonly encounters: readonly unknown[];
  readonly unread: readonly UnreadPart[];
}

/**
 * The resources of a type that are about the launched patient, each once, in its newest version;
 * and how many were about someone else or no one.
 */
export const ownResources = (
  resources: readonly unknown[],
  type: string,
  { patientId, issuer }: Pick<PulledChart, 'patientId' | 'issuer'>,
): { readonly own: readonly JsonObject[]; readonly others: number } => {
  const own = new Map<string, JsonObject>();
  let others = 0;
  for (const [place, resource] of resources.entries()) {
    if (!isObject(resource) || resource['resourceType'] !== type) continue;
    if (referencedId(resource['subject'], 'Patient', issuer) !== patientId) {
      others += 1;
      continue;
    }
    const id = textOf(resource['id']) ?? `#${place}`;
    const known = own.get(id);
    if (known === undefined || updatedAt(known) < updatedAt(resource)) own.set(id, resource);
  }
  return { own: [...own.values()], others };
};

const updatedAt = (resource: JsonObject): string =>
  textOf(objectIn(resource['meta'])['lastUpdated']) ?? '';
