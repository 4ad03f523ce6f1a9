import { isObject, type JsonObject, objectIn, objectsOf, textOf } from '../bfdr/json.ts';
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

const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** Says whether a text can be the id of a resource. @see https://hl7.org/fhir/R4/datatypes.html#id */
export const isResourceId = (text: string): boolean => ID.test(text);

/**
 * The id that a reference names, if it is one to a resource of this type at this EHR: relative,
 * or absolute under its address; versions count as the resource.
 */
export const referencedId = (reference: unknown, type: string, issuer: string): string | null => {
  const text = textOf(objectIn(reference)['reference']);
  if (text === null) return null;
  const base = issuer.endsWith('/') ? issuer : `${issuer}/`;
  const relative = text.startsWith(base) ? text.slice(base.length) : text;
  const [named, id = '', history, version, ...more] = relative.split('/');
  const isVersioned = history === '_history' && version !== undefined && more.length === 0;
  return named === type && isResourceId(id) && (history === undefined || isVersioned) ? id : null;
};

/**
 * The resources of a type that are about the launched patient, each once, in its newest version;
 * and how many were about somebody else or nobody.
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

/** `Observation/123`. */
export const nameOfResource = (resource: JsonObject): string => {
  const id = textOf(resource['id']) ?? '';
  return `${textOf(resource['resourceType']) ?? 'Resource'}/${isResourceId(id) ? id : 'unknown'}`;
};

/** The value of the extension whose address ends in `/name`; undefined without one. */
export const extensionOf = (element: unknown, name: string): JsonObject | undefined =>
  objectsOf(objectIn(element)['extension']).find(
    (extension) => textOf(extension['url'])?.endsWith(`/${name}`) === true,
  );
