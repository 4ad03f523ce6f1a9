import { asObjects, asText, type JsonObject } from './json.ts';

/** Codes of a value set with their English labels. */
export type CodeTable = ReadonlyMap<string, string>;

/** A coding taken apart; blank parts are null. */
export type Coding = {
  readonly system: string | null;
  readonly code: string | null;
  readonly display: string | null;
};

/** The codings of a CodeableConcept, or of a list of them, in order. */
export const readCodings = (concepts: unknown): readonly Coding[] => {
  const codings: Coding[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codings.push(readCoding(coding));
  return codings;
};

/** The codes alone of a CodeableConcept, or of a list of them, in order; null for a blank one. */
export const readCodes = (concepts: unknown): readonly (string | null)[] => {
  const codes: (string | null)[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codes.push(asText(coding['code']));
  return codes;
};

/** One Coding taken apart. */
export const readCoding = (coding: JsonObject): Coding => ({
  system: asText(coding['system']),
  code: asText(coding['code']),
  display: asText(coding['display']),
});

const LOOKS_LIKE_A_CODE = /^[A-Za-z0-9._-]{1,64}$/;

/** True if a text looks like a code, and not like words about a person. */
export const looksLikeACode = (text: string): boolean => LOOKS_LIKE_A_CODE.test(text);

/**
 * Codes by which a value is unknown or absent, in lower case: v3-NullFlavor and data-absent-reason.
 * OTH is left out: it means something in value sets.
 */
export const UNKNOWN_CODES: ReadonlySet<string> = new Set(
  (
    'unk ni na nask asku nav navu msk nainf unc und nullflavor unknown asked-unknown temp-unknown ' +
    'not-asked asked-declined masked not-applicable unsupported as-text error not-a-number ' +
    'negative-infinity positive-infinity not-performed not-permitted'
  ).split(' '),
);

/** SNOMED CT: unknown; unknown delivery method of the BFDR guide. */
export const UNKNOWN_CONCEPTS: ReadonlySet<string> = new Set(['261665006']);

/** True if a code or text states that the value is unknown or absent, such as UNK. */
export const statesUnknown = (text: string): boolean =>
  UNKNOWN_CONCEPTS.has(text) || UNKNOWN_CODES.has(text.toLowerCase());

/** LOINC, the system of most Observations and of a coding that names no system. */
export const LOINC = 'http://loinc.org';

const LOINC_SYSTEMS: ReadonlySet<string> = new Set([
  LOINC,
  'https://loinc.org',
  'urn:oid:2.16.840.1.113883.6.1',
]);

/** True if a code system is LOINC, under any of the names that senders use for it. */
export const isLoinc = (system: string): boolean => LOINC_SYSTEMS.has(system);

/** SNOMED CT. */
export const SNOMED = 'http://snomed.info/sct';

/** UCUM, the system of units. */
export const UCUM = 'http://unitsofmeasure.org';
