import type { Transfer } from '../course-of-care/canonical-record.ts';
import { MAX_NAME, MAX_TRANSFERS } from '../course-of-care/limits.ts';
import { type Coding, codesOf, codingIn, codingsOf } from '../fhir/coded-values.ts';
import { isObject, type JsonObject, objectIn, objectsOf, textOf } from '../fhir/json.ts';
import { profileName, profilesOf } from '../fhir/profiles.ts';
import type { Document } from '../fhir/references.ts';
import { type People, subjectOf } from './people.ts';

const TRANSFERRED_IN = 'hosp-trans';
const TRANSFERRED_OUT = 'other-hcf';
// SNOMED CT: patient transfer; transfer to another hospital.
const PATIENT_TRANSFER = '107724000';
const TO_ANOTHER_HOSPITAL = '19712007';

/**
 * Reads the transfers of care that Encounters name: the admission from another hospital (mother,
 * in), the discharge to another facility (infant, out), and types or classes that name a transfer.
 * The subject of an Encounter, where it is known, says who was moved.
 * @see spec "Provider identity (partner lane only)", transfer of care
 */
export const transfersIn = (document: Document, people: People): readonly Transfer[] => {
  const transfers = document
    .ofType('Encounter')
    .flatMap((encounter) => transfersOf(encounter, document, people));
  if (transfers.length === 0) return transfers;
  const distinct = new Map(transfers.map((transfer) => [JSON.stringify(transfer), transfer]));
  return [...distinct.values()].slice(0, MAX_TRANSFERS);
};

const transfersOf = (
  encounter: JsonObject,
  document: Document,
  people: People,
): readonly Transfer[] => {
  const stay = objectIn(encounter['hospitalization']);
  const moved = whoIn(encounter, document, people);
  const facility = (reference: unknown): string | null =>
    facilityName(reference, encounter, document);
  const transfers: Transfer[] = [];
  if (names(stay['admitSource'], TRANSFERRED_IN))
    transfers.push({
      type: moved ?? 'mother',
      direction: 'in',
      facility: facility(stay['origin']),
    });
  if (names(stay['dischargeDisposition'], TRANSFERRED_OUT)) {
    const destination = facility(stay['destination']);
    transfers.push({ type: moved ?? 'infant', direction: 'out', facility: destination });
  }
  const direction = directionOfType(encounter);
  const isTold = transfers.some((told) => direction === null || told.direction === direction);
  if (direction !== undefined && !isTold) {
    const other = direction === null ? null : stay[direction === 'in' ? 'origin' : 'destination'];
    transfers.push({ type: moved, direction, facility: facility(other) });
  }
  return transfers;
};

const names = (concept: unknown, code: string): boolean => codesOf(concept).includes(code);

const whoIn = (encounter: JsonObject, document: Document, people: People): Transfer['type'] => {
  const subject = subjectOf(encounter, document, people).kind;
  if (subject === 'mother') return 'mother';
  if (subject === 'child') return 'infant';
  const profiles = profilesOf(encounter).map(profileName);
  if (profiles.some((profile) => profile.endsWith('maternity'))) return 'mother';
  return profiles.some((profile) => profile.endsWith('birth')) ? 'infant' : null;
};

// Undefined: no type or class names a transfer; null: one does, without a direction.
const directionOfType = (encounter: JsonObject): Transfer['direction'] | undefined => {
  const types = objectsOf(encounter['type']);
  const codings = [
    ...codingsOf(types),
    ...objectsOf(encounter['class']).map(codingIn),
    ...codingsOf(encounter['class']),
  ];
  const byCode = directionByCode(codings);
  if (byCode !== undefined) return byCode;
  const texts = [...types.map((type) => textOf(type['text'])), ...codings.map((c) => c.display)];
  const named = texts.find((text) => text !== null && namesTransfer(text));
  return named === undefined || named === null ? undefined : directionInWords(named);
};

const directionByCode = (codings: readonly Coding[]): Transfer['direction'] | undefined => {
  const codes = new Set(codings.map(({ code }) => code));
  if (codes.has(TRANSFERRED_IN)) return 'in';
  if (codes.has(TRANSFERRED_OUT) || codes.has(TO_ANOTHER_HOSPITAL)) return 'out';
  return codes.has(PATIENT_TRANSFER) ? null : undefined;
};

const namesTransfer = (text: string): boolean =>
  /\btransfer/i.test(text) && !/\b(?:no|not|non|never|without|didn't)\b/i.test(text);

const directionInWords = (text: string): Transfer['direction'] => {
  if (/\bfrom\b/i.test(text)) return 'in';
  return /\bto\b/i.test(text) ? 'out' : null;
};

const facilityName = (
  reference: unknown,
  encounter: JsonObject,
  document: Document,
): string | null => {
  const facility = document.resolve(reference, encounter);
  const display = isObject(reference) ? textOf(reference['display']) : null;
  const name = (facility === null ? null : textOf(facility['name'])) ?? display;
  return name !== null && name.length <= MAX_NAME ? name : null;
};
