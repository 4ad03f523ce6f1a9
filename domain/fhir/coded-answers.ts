import { type CodeTable, statesUnknown } from './coded-values.ts';
import { isVerbatim } from './extensions.ts';
import { asText, firstRead, type JsonObject } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, read, readText } from './readings.ts';
import {
  type StatedValues,
  statedValues,
  statesNothing,
  unlessAbsent,
  unusedValue,
} from './stated-values.ts';

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
  const stated = statedValues(observation);
  return asStated(stated, codeIn(stated, table, longest));
};

const asStated = <T extends string | boolean>(
  stated: StatedValues,
  reading: Reading<T>,
): Reading<T> => unlessAbsent(stated, reading, reading.kind === 'value' ? reading.value : null);

const codeIn = (stated: StatedValues, table: CodeTable, longest: number): Reading<string> => {
  const codes = codesIn(stated).filter((code) => !statesUnknown(code));
  const code = codes.find((candidate) => table.has(candidate)) ?? codes[0];
  if (code !== undefined) return readText(code, longest);
  const text = stated.conceptTexts[0] ?? stated.texts[0];
  if (text === undefined) return unusedValue(stated, 'numbers', 'quantities', 'booleans');
  if (statesUnknown(text)) return NOTHING_READ;
  const known = text.toLowerCase();
  return table.has(known) ? read(known) : readText(text, longest);
};

const codesIn = ({ codings }: StatedValues): readonly string[] =>
  codings.map(({ code }) => code).filter((code) => code !== null);

/** Reads a text from a string, or from a concept's text, display or code; `longest` as for a code. */
export const readWords = (observation: JsonObject, longest: number): Reading<string> => {
  const stated = statedValues(observation);
  const [coding] = stated.codings;
  const text = stated.texts[0] ?? stated.conceptTexts[0] ?? coding?.display ?? coding?.code ?? null;
  if (text === null) return unusedValue(stated, 'numbers', 'quantities', 'booleans');
  const isUnknown = statesUnknown(text) && !isVerbatim(observation['_valueString']);
  // As it was sent, so that characters that show nothing are noticed.
  const sent = observation['valueString'];
  return isUnknown
    ? NOTHING_READ
    : asStated(stated, readText(asText(sent) === text ? sent : text, longest));
};

/** Ways to say yes, in lower case: v2-0136 and v2-0532, a word, a LOINC answer, SNOMED CT. */
export const YES: ReadonlySet<string> = new Set(['y', 'yes', 'true', 'la33-6', '373066001']);
/** Ways to say no, as for `YES`. */
export const NO: ReadonlySet<string> = new Set(['n', 'no', 'false', 'la32-8', '373067005']);

/** Reads yes or no from a boolean, a concept (v2-0136 Y, N and the like) or a string. */
export const readYesNo = (observation: JsonObject): Reading<boolean> => {
  const stated = statedValues(observation);
  return statesNothing(stated) ? NOTHING_READ : asStated(stated, answerIn(stated));
};

const answerIn = (stated: StatedValues): Reading<boolean> => {
  const [boolean] = stated.booleans;
  if (boolean !== undefined) return read(boolean);
  const answer =
    firstRead(stated.codings, ({ code }) => (code === null ? null : yesOrNo(code))) ??
    firstRead(stated.conceptTexts, yesOrNo) ??
    firstRead(stated.texts, yesOrNo);
  if (answer !== null) return read(answer);
  const [first] = [...codesIn(stated), ...stated.conceptTexts, ...stated.texts];
  if (first === undefined) return unusedValue(stated, 'numbers', 'quantities');
  return statesUnknown(first) ? NOTHING_READ : leftOut(first, 'not-understood');
};

/** What a word or code says to a question with yes or no; null if it is neither. */
export const yesOrNo = (word: string): boolean | null => {
  const lower = word.toLowerCase();
  if (YES.has(lower)) return true;
  return NO.has(lower) ? false : null;
};
