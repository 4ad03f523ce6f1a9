import { asObjects, asText, type JsonObject } from './json.ts';
import type { Resolve } from './references.ts';
import { isInactive } from './resources.ts';

/** Links of a Patient of one type. @see https://hl7.org/fhir/R4/valueset-link-type.html */
const listLinks = (patient: JsonObject, type: 'replaced-by' | 'replaces'): readonly JsonObject[] =>
  asObjects(patient['link']).filter((link) => asText(link['type'])?.toLowerCase() === type);

export const isReplaced = (patient: JsonObject): boolean =>
  listLinks(patient, 'replaced-by').length > 0;

/**
 * A chain leads to its last Patient; of Patients that replace each other, the first active one stands
 * for all.
 */
export const findReplacements = (
  patients: readonly JsonObject[],
  resolve: Resolve,
): ReadonlyMap<JsonObject, JsonObject> => {
  // Fast path: hardly any Patient has links.
  if (patients.every(({ link }) => link === undefined)) return new Map();
  const listed = new Set(patients);
  const next = new Map<JsonObject, JsonObject>();
  const link = (from: JsonObject | null, to: JsonObject | null): void => {
    if (from === null || to === null || from === to || next.has(from)) return;
    if (listed.has(from) && listed.has(to)) next.set(from, to);
  };
  for (const patient of patients)
    for (const { other } of listLinks(patient, 'replaced-by'))
      link(patient, resolve(other, patient));
  for (const patient of patients)
    for (const { other } of listLinks(patient, 'replaces')) link(resolve(other, patient), patient);
  const last = new Map<JsonObject, JsonObject>();
  for (const start of next.keys()) {
    const path = new Set<JsonObject>();
    let at = start;
    while (next.has(at) && !last.has(at) && !path.has(at)) {
      path.add(at);
      at = next.get(at) ?? at;
    }
    const end = last.get(at) ?? (path.has(at) ? findActive([...path], at) : at);
    for (const one of path) last.set(one, end);
  }
  return last;
};

/** @param from the first Patient of those that replace each other */
const findActive = (path: readonly JsonObject[], from: JsonObject): JsonObject => {
  const circle = path.slice(path.indexOf(from));
  return circle.find((one) => !isInactive(one)) ?? from;
};
