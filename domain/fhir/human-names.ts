import { findExtension, isAbsent, isVerbatim } from './extensions.ts';
import { asArray, asText, type JsonObject } from './json.ts';

/** Returns the text of a name, or null if it is stated as unknown. */
export const readKnownName = (value: unknown): string | null => {
  const text = asText(value);
  // Only UNK and its long form, because other null flavors, such as Na, are names of people.
  return text === null || /^(?:unk|unknown)$/i.test(text) ? null : text;
};

/** Returns the family name of a HumanName, or null if it is absent or unknown. */
export const getFamilyName = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : readNameText(getFamilyText(name), name['_family']);

/**
 * Returns `family` as sent. Joins a list, which it was in FHIR DSTU2, and without it the parts in the
 * extensions of HumanName.
 */
export const getFamilyText = ({ family, _family: beside }: JsonObject): unknown => {
  if (Array.isArray(family)) return joinTexts(family);
  return family === undefined || family === null ? joinParts(beside) : family;
};

/** True if a family name was put together by {@link getFamilyText}. */
export const isFamilyJoined = (name: JsonObject): boolean =>
  typeof name['family'] !== 'string' && getFamilyName(name) !== null;

const joinTexts = (texts: readonly unknown[]): string | null =>
  asText(texts.flatMap((text) => asText(text) ?? []).join(' '));

/** @see https://hl7.org/fhir/R4/humanname-profiles.html */
const joinParts = (element: unknown): string | null => {
  const join = (...parts: readonly string[]) =>
    joinTexts(parts.map((part) => findExtension(element, `humanname-${part}`)?.['valueString']));
  return join('own-prefix', 'own-name') ?? join('fathers-family', 'mothers-family');
};

/** Returns the given names of a HumanName that are neither absent nor unknown. */
export const getGivenNames = (name: JsonObject): readonly string[] => {
  const absent = asArray(name['_given']);
  return asArray(name['given'])
    .map((given, index) => (isAbsent(absent[index]) ? null : readNameText(given, absent[index])))
    .filter((given) => given !== null);
};

const readNameText = (value: unknown, element: unknown): string | null =>
  isVerbatim(element) ? asText(value) : readKnownName(value);
