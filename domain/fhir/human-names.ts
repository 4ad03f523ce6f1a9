import { isAbsent, isVerbatim } from './extensions.ts';
import { asArray, asText, type JsonObject } from './json.ts';

/** The text of a name; null for one that says that it is unknown. */
export const knownName = (value: unknown): string | null => {
  const text = asText(value);
  // UNK and its long form only: other null flavors, such as Na, are people's names.
  return text === null || /^unk(nown)?$/i.test(text) ? null : text;
};

/** The family name of a HumanName; null if it is absent or unknown. */
export const getFamilyName = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : nameIn(name['family'], name['_family']);

/** The given names of a HumanName that are neither absent nor unknown. */
export const getGivenNames = (name: JsonObject): readonly string[] => {
  const absent = asArray(name['_given']);
  return asArray(name['given'])
    .map((given, index) => (isAbsent(absent[index]) ? null : nameIn(given, absent[index])))
    .filter((given) => given !== null);
};

const nameIn = (value: unknown, element: unknown): string | null =>
  isVerbatim(element) ? asText(value) : knownName(value);
