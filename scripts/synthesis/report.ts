import type { JsonObject } from '../../domain/fhir/json.ts';
import type { Lane } from '../../domain/intake/bfdr/place-of-birth.ts';
import type { BirthStory } from './birth-story.ts';
import type { Moment } from './calendar.ts';
import type { Practice } from './practice.ts';
import { randomFrom } from './random.ts';

/** Report of a birth, under construction. */
export interface Report {
  readonly story: BirthStory;
  readonly practice: Practice;
  readonly lane: Lane;
  /** Time of the report. */
  readonly stamp: Moment;
  /** Bundle entry of a resource; `key` is unique among resources of its type. */
  readonly entry: (type: string, key: string, content: JsonObject) => JsonObject;
  /** Reference to a resource of the Bundle. */
  readonly to: (type: string, key: string) => JsonObject;
}

/** Addresses of the profiles of the BFDR guide, the Vital Records Common Library, and US Core. */
export const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
export const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
export const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

/** Code systems. */
export const LOINC = 'http://loinc.org';
export const SNOMED = 'http://snomed.info/sct';
export const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

/** Server of the client, at an address reserved for examples (RFC 2606). */
export const SENDER = 'https://ehr.example.org/fhir';

export const beginReport = (
  story: BirthStory,
  practice: Practice,
  lane: Lane,
  stamp: Moment,
): Report => {
  const { chartNumber, wording } = story;
  const uuids = new Map<string, string>();
  const uuidOf = (type: string, key: string): string => {
    const seed = `${chartNumber}/${type}/${key}`;
    const uuid = uuids.get(seed) ?? randomFrom(seed).uuid();
    uuids.set(seed, uuid);
    return uuid;
  };
  const idOf = (type: string, key: string): string =>
    wording.addresses === 'urls' ? `${chartNumber}-${key}` : uuidOf(type, key);
  const entry = (type: string, key: string, content: JsonObject): JsonObject => {
    const id = idOf(type, key);
    const fullUrl = wording.addresses === 'urls' ? `${SENDER}/${type}/${id}` : `urn:uuid:${id}`;
    return { fullUrl, resource: { resourceType: type, id, ...content } };
  };
  const to = (type: string, key: string): JsonObject => {
    const id = idOf(type, key);
    return { reference: wording.addresses === 'urls' ? `${type}/${id}` : `urn:uuid:${id}` };
  };
  return { story, practice, lane, stamp, entry, to };
};

/** Key of a child's Patient, by birth order. */
export const childKey = (order: number): string => `child-${order}`;

/** CodeableConcept with a single coding. */
export const concept = (system: string, code: string, display?: string): JsonObject => ({
  coding: [{ system, code, ...(display === undefined ? {} : { display }) }],
});
