import { type CodeTable, statesUnknown } from './coded-values.ts';
import { isVerbatim } from './extensions.ts';
import { asText, firstMatch, type JsonObject } from './json.ts';
import { ABSENT, leaveOut, present, type Reading, readText } from './readings.ts';
import {
  collectStatedValues,
  findUnusedValue,
  omitAbsent,
  type StatedValues,
  statesNothing,
} from './stated-values.ts';

/**
 * First code in the table, else first code, else text; a text that equals a code counts as that code.
 */
export const readCoded = (
  observation: JsonObject,
  table: CodeTable,
  longest: number,
): Reading<string> => {
  const stated = collectStatedValues(observation);
  return toStated(stated, findCode(stated, table, longest));
};

const toStated = <T extends string | boolean>(
  stated: StatedValues,
  reading: Reading<T>,
): Reading<T> => omitAbsent(stated, reading, reading.kind === 'value' ? reading.value : null);

const findCode = (stated: StatedValues, table: CodeTable, longest: number): Reading<string> => {
  const codes = findCodes(stated).filter((code) => !statesUnknown(code));
  const code = codes.find((candidate) => table.has(candidate)) ?? codes[0];
  if (code !== undefined) return readText(code, longest);
  const text = stated.conceptTexts[0] ?? stated.texts[0];
  if (text === undefined) return findUnusedValue(stated, 'numbers', 'quantities', 'booleans');
  if (statesUnknown(text)) return ABSENT;
  const known = text.toLowerCase();
  return table.has(known) ? present(known) : readText(text, longest);
};

const findCodes = ({ codings }: StatedValues): readonly string[] =>
  codings.map(({ code }) => code).filter((code) => code !== null);

export const readWords = (observation: JsonObject, longest: number): Reading<string> => {
  const stated = collectStatedValues(observation);
  const [coding] = stated.codings;
  const text = stated.texts[0] ?? stated.conceptTexts[0] ?? coding?.display ?? coding?.code ?? null;
  if (text === null) return findUnusedValue(stated, 'numbers', 'quantities', 'booleans');
  const isUnknown = statesUnknown(text) && !isVerbatim(observation['_valueString']);
  // Reads the text as sent, so that invisible characters are detected.
  const sent = observation['valueString'];
  return isUnknown
    ? ABSENT
    : toStated(stated, readText(asText(sent) === text ? sent : text, longest));
};

/** Codes and words for "yes", in lower case: v2-0136 and v2-0532, LOINC answer, SNOMED CT. */
export const YES: ReadonlySet<string> = new Set(['y', 'yes', 'true', 'la33-6', '373066001']);
export const NO: ReadonlySet<string> = new Set(['n', 'no', 'false', 'la32-8', '373067005']);

export const readYesNo = (observation: JsonObject): Reading<boolean> => {
  const stated = collectStatedValues(observation);
  return statesNothing(stated) ? ABSENT : toStated(stated, findAnswer(stated));
};

const findAnswer = (stated: StatedValues): Reading<boolean> => {
  const [boolean] = stated.booleans;
  if (boolean !== undefined) return present(boolean);
  const answer =
    firstMatch(stated.codings, ({ code }) => (code === null ? null : yesOrNo(code))) ??
    firstMatch(stated.conceptTexts, yesOrNo) ??
    firstMatch(stated.texts, yesOrNo);
  if (answer !== null) return present(answer);
  const [first] = [...findCodes(stated), ...stated.conceptTexts, ...stated.texts];
  if (first === undefined) return findUnusedValue(stated, 'numbers', 'quantities');
  return statesUnknown(first) ? ABSENT : leaveOut(first, 'not-understood');
};

/** `null` if it means neither. */
export const yesOrNo = (word: string): boolean | null => {
  const lower = word.toLowerCase();
  if (YES.has(lower)) return true;
  return NO.has(lower) ? false : null;
};
