import { isAbsent, isVerbatim } from './extensions.ts';
import { asArray, asText, type JsonObject } from './json.ts';

/** Returns the text of a name, or null if it is stated as unknown. */
export const readKnownName = (value: unknown): string | null => {
  const text = asText(value);
  // Only UNK and its long form, because other null flavors, such as Na, are names of people.
  return text === null || /^(?:unk|unknown)$/i.test(text) ? null : text;
};

/** Returns the family name of a HumanName, or null if it is absent or unknown. */
export const getFamilyName = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : readNameText(name['family'], name['_family']);

/** Returns the given names of a HumanName that are neither absent nor unknown. */
export const getGivenNames = (name: JsonObject): readonly string[] => {
  const absent = asArray(name['_given']);
  return asArray(name['given'])
    .map((given, index) => (isAbsent(absent[index]) ? null : readNameText(given, absent[index])))
    .filter((given) => given !== null);
};

const readNameText = (value: unknown, element: unknown): string | null =>
  isVerbatim(element) ? asText(value) : readKnownName(value);
