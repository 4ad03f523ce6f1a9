import { isVerbatim } from './extensions.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, read, readText } from './readings.ts';

/** Codes of a value set with their English labels. */
export type CodeTable = ReadonlyMap<string, string>;

/** A coding taken apart; blank parts are null. */
export type Coding = {
  readonly system: string | null;
  readonly code: string | null;
  readonly display: string | null;
};

/** The codings of a CodeableConcept, or of a list of them, in order. */
export const codingsOf = (concepts: unknown): readonly Coding[] => {
  const codings: Coding[] = [];
  for (const concept of objectsOf(concepts))
    for (const coding of objectsOf(concept['coding'])) codings.push(codingIn(coding));
  return codings;
};

/** The codes alone of a CodeableConcept, or of a list of them, in order; null for a blank one. */
export const codesOf = (concepts: unknown): readonly (string | null)[] => {
  const codes: (string | null)[] = [];
  for (const concept of objectsOf(concepts))
    for (const coding of objectsOf(concept['coding'])) codes.push(textOf(coding['code']));
  return codes;
};

/** One Coding taken apart. */
export const codingIn = (coding: JsonObject): Coding => ({
  system: textOf(coding['system']),
  code: textOf(coding['code']),
  display: textOf(coding['display']),
});

const LOOKS_LIKE_A_CODE = /^[A-Za-z0-9._-]{1,64}$/;

/** Says whether a text looks like a code, and not like words about a person. */
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

/** Says whether a code or text states that the value is unknown or absent, such as UNK. */
export const statesUnknown = (text: string): boolean =>
  UNKNOWN_CONCEPTS.has(text) || UNKNOWN_CODES.has(text.toLowerCase());

/**
 * Reads a coded value: the first coding's code that the table knows, else the first code, else the
 * text. A text that is a code of the table counts as that code.
 * @param longest in UTF-16 units
 */
export const readCoded = (
  observation: JsonObject,
  table: CodeTable,
  longest: number,
): Reading<string> => {
  const concept = observation['valueCodeableConcept'];
  const codes = codesOf(concept).filter((code) => code !== null && !statesUnknown(code));
  const code = codes.find((candidate) => candidate !== null && table.has(candidate)) ?? codes[0];
  if (code !== undefined) return readText(code, longest);
  const text = isObject(concept) ? textOf(concept['text']) : textOf(observation['valueString']);
  if (text === null || statesUnknown(text)) return NOTHING_READ;
  const known = text.toLowerCase();
  return table.has(known) ? read(known) : readText(text, longest);
};

/** Reads a text from a string, or from a concept's text, display or code; `longest` as for a code. */
export const readWords = (observation: JsonObject, longest: number): Reading<string> => {
  const concept = observation['valueCodeableConcept'];
  const [coding] = codingsOf(concept);
  const stated = [observation['valueString'], isObject(concept) ? concept['text'] : null].find(
    (one) => textOf(one) !== null,
  );
  const text = textOf(stated) ?? coding?.display ?? coding?.code ?? null;
  if (text === null) return NOTHING_READ;
  const isUnknown = statesUnknown(text) && !isVerbatim(observation['_valueString']);
  return isUnknown ? NOTHING_READ : readText(stated ?? text, longest);
};

/** Ways to say yes, in lower case: v2-0136 and v2-0532, a word, a LOINC answer, SNOMED CT. */
export const YES: ReadonlySet<string> = new Set(['y', 'yes', 'true', 'la33-6', '373066001']);
/** Ways to say no, as for `YES`. */
export const NO: ReadonlySet<string> = new Set(['n', 'no', 'false', 'la32-8', '373067005']);

/** Reads yes or no from a boolean, a concept (v2-0136 Y, N and the like) or a string. */
export const readYesNo = (observation: JsonObject): Reading<boolean> => {
  const stated = observation['valueBoolean'];
  if (typeof stated === 'boolean') return read(stated);
  const concept = observation['valueCodeableConcept'];
  const words = [
    ...codesOf(concept),
    isObject(concept) ? textOf(concept['text']) : null,
    textOf(observation['valueString']),
  ].filter((word) => word !== null);
  for (const word of words) {
    const answer = yesOrNo(word);
    if (answer !== null) return read(answer);
  }
  const [first] = words;
  return first === undefined || statesUnknown(first)
    ? NOTHING_READ
    : leftOut(first, 'not-understood');
};

const yesOrNo = (word: string): boolean | null => {
  const lower = word.toLowerCase();
  if (YES.has(lower)) return true;
  return NO.has(lower) ? false : null;
};
