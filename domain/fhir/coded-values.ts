import { asObjects, asText, type JsonObject } from './json.ts';

/** Codes of a value set with their English labels. */
export type CodeTable = ReadonlyMap<string, string>;

/** Parts of a FHIR Coding; null if blank. */
export type Coding = {
  readonly system: string | null;
  readonly code: string | null;
  readonly display: string | null;
};

/** Returns the codings of one or more CodeableConcepts, in order. */
export const readCodings = (concepts: unknown): readonly Coding[] => {
  const codings: Coding[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codings.push(readCoding(coding));
  return codings;
};

/** Returns only the codes of one or more CodeableConcepts, in order; null for a blank code. */
export const readCodes = (concepts: unknown): readonly (string | null)[] => {
  const codes: (string | null)[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codes.push(asText(coding['code']));
  return codes;
};

/** Reads the parts of a Coding. */
export const readCoding = (coding: JsonObject): Coding => ({
  system: asText(coding['system']),
  code: asText(coding['code']),
  display: asText(coding['display']),
});

const LOOKS_LIKE_A_CODE = /^[A-Za-z0-9._-]{1,64}$/;

/** True if text looks like a code, not like words about a person. */
export const looksLikeACode = (text: string): boolean => LOOKS_LIKE_A_CODE.test(text);

/**
 * Codes for an unknown or absent value, in lower case: v3-NullFlavor and data-absent-reason. Omits
 * OTH, which has a meaning in value sets.
 */
export const UNKNOWN_CODES: ReadonlySet<string> = new Set(
  (
    'unk ni na nask asku nav navu msk nainf unc und nullflavor unknown asked-unknown temp-unknown ' +
    'not-asked asked-declined masked not-applicable unsupported as-text error not-a-number ' +
    'negative-infinity positive-infinity not-performed not-permitted'
  ).split(' '),
);

/** SNOMED CT "unknown", which the BFDR guide uses for an unknown delivery method. */
export const UNKNOWN_CONCEPTS: ReadonlySet<string> = new Set(['261665006']);

/** True if a code or text, such as UNK, means that the value is unknown or absent. */
export const statesUnknown = (text: string): boolean =>
  UNKNOWN_CONCEPTS.has(text) || UNKNOWN_CODES.has(text.toLowerCase());

/** LOINC, the system of most Observations, and the default for a coding without a system. */
export const LOINC = 'http://loinc.org';

const LOINC_SYSTEMS: ReadonlySet<string> = new Set([
  LOINC,
  'https://loinc.org',
  'urn:oid:2.16.840.1.113883.6.1',
]);

/** True if a code system is LOINC, by any of the names that senders use. */
export const isLoinc = (system: string): boolean => LOINC_SYSTEMS.has(system);

/** SNOMED CT. */
export const SNOMED = 'http://snomed.info/sct';

/** UCUM, the system of units. */
export const UCUM = 'http://unitsofmeasure.org';
