import { asObjects, asText, cacheTexts, type JsonObject } from './json.ts';

export type CodeTable = ReadonlyMap<string, string>;

/** Parts of a FHIR Coding; null if blank. */
export type Coding = {
  /** Normalized: {@link readSystem}. */
  readonly system: string | null;
  readonly code: string | null;
  readonly display: string | null;
};

export const readCodings = (concepts: unknown): readonly Coding[] => {
  const codings: Coding[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codings.push(readCoding(coding));
  return codings;
};

/** `null` for a blank code. */
export const readCodes = (concepts: unknown): readonly (string | null)[] => {
  const codes: (string | null)[] = [];
  for (const concept of asObjects(concepts))
    for (const coding of asObjects(concept['coding'])) codes.push(asText(coding['code']));
  return codes;
};

export const readCoding = (coding: JsonObject): Coding => ({
  system: readSystem(coding['system']),
  code: asText(coding['code']),
  display: asText(coding['display']),
});

const LOOKS_LIKE_A_CODE = /^[A-Za-z0-9._-]{1,64}$/;

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

export const statesUnknown = (text: string): boolean =>
  UNKNOWN_CONCEPTS.has(text) || UNKNOWN_CODES.has(text.toLowerCase());

/** LOINC, the system of most Observations, and the default for a coding without a system. */
export const LOINC = 'http://loinc.org';

export const SNOMED = 'http://snomed.info/sct';

/** UCUM, the system of units. */
export const UCUM = 'http://unitsofmeasure.org';

/** Types of identifiers. */
export const IDENTIFIER_TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203';

export const CDC_RACE_AND_ETHNICITY = 'urn:oid:2.16.840.1.113883.6.238';

export const ROLE_CODES = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';

const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';

/** Drops the case, the scheme, the version, a slash at the end, and what separates words. */
const toComparable = (name: string): string => {
  const [system = ''] = name.toLowerCase().split('|', 1);
  const bare = system
    .replace(/[\s_-]/g, '')
    .replace(/^(?:https?:\/\/(?:www\.)?|(?:urn:)?(?:oid:)?)/, '');
  return bare.endsWith('/') ? bare.slice(0, -1) : bare;
};

/** Names of code systems as senders write them, as {@link toComparable} returns them. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [LOINC]: 'loinc.org loinc ln lnc 2.16.840.1.113883.6.1',
    [SNOMED]: 'snomed.info/sct snomed.info snomed snomed_ct sct 2.16.840.1.113883.6.96',
    [UCUM]: 'unitsofmeasure.org ucum 2.16.840.1.113883.6.8',
    [IDENTIFIER_TYPES]:
      'terminology.hl7.org/CodeSystem/v2-0203 hl7.org/fhir/v2/0203 hl7.org/fhir/identifier-type ' +
      'v2-0203 v2/0203 hl70203 2.16.840.1.113883.18.108 2.16.840.1.113883.12.203',
    [CDC_RACE_AND_ETHNICITY]:
      '2.16.840.1.113883.6.238 terminology.hl7.org/CodeSystem/CDCREC cdcrec v3-race v3-ethnicity ' +
      'hl7.org/fhir/v3/race terminology.hl7.org/CodeSystem/v3-race ' +
      'hl7.org/fhir/v3/ethnicity terminology.hl7.org/CodeSystem/v3-ethnicity',
    [ROLE_CODES]:
      'terminology.hl7.org/CodeSystem/v3-RoleCode hl7.org/fhir/v3/RoleCode v3-RoleCode ' +
      'RoleCode 2.16.840.1.113883.5.111',
    [ICD_10_CM]: 'hl7.org/fhir/sid/icd-10-cm icd10cm i10c i10 2.16.840.1.113883.6.90',
  }).flatMap(([system, names]) =>
    [system, ...names.split(' ')].map((name) => [toComparable(name), system] as const),
  ),
);

const SYSTEMS: ReadonlySet<string> = new Set(SPELLINGS.values());

// Longer than any spelling.
const MAX_SPELLING = 100;

/**
 * `null` if blank. Any unmistakable name of a known system becomes its address, so that systems can be
 * compared.
 */
export const readSystem = (value: unknown): string | null => {
  const text = asText(value);
  // Fast path: nearly all systems are spelled as they should be.
  if (text === null || SYSTEMS.has(text) || text.length > MAX_SPELLING) return text;
  return findSystem(text);
};

const findSystem = cacheTexts((text) => {
  const name = toComparable(text);
  // Editions of SNOMED CT have addresses of their own.
  return name.startsWith('snomed.info/sct/') ? SNOMED : (SPELLINGS.get(name) ?? text);
});

/** True if some of the codings have a known code, and none of them is from its code system. */
export const isOfOtherSystem = (
  codings: readonly Coding[],
  system: string,
  isKnown: (code: string) => boolean,
): boolean => {
  const known = codings.filter(({ code }) => code !== null && isKnown(code));
  return known.length > 0 && known.every((one) => one.system !== null && one.system !== system);
};
