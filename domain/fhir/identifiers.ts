import { isAbsent, isVerbatim } from './extensions.ts';
import { asArray, asText, isObject, type JsonObject } from './json.ts';

/** Details in a reference that does not contain the address of its resource. */
export type LogicalReference = {
  /** Null for a resource of any type. */
  readonly type: string | null;
  /** Null for any system, empty for none. */
  readonly system: string | null;
  readonly value: string;
};

/**
 * Reads a search by identifier, `Location?identifier=system|value`, alone or at the end of an
 * address; null for any other text, and for a search by something else too.
 * @see https://hl7.org/fhir/R4/search.html#token
 */
export const readIdentifierSearch = (text: string): LogicalReference | null => {
  const question = text.indexOf('?');
  if (question < 0) return null;
  const path = text.slice(0, question);
  // Parameters such as _format are about the answer.
  const criteria = text
    .slice(question + 1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith('_'));
  const [criterion = '', ...others] = criteria;
  if (others.length > 0 || !criterion.startsWith(BY_IDENTIFIER)) return null;
  const token = decode(criterion.slice(BY_IDENTIFIER.length));
  if (token === null) return null;
  const bar = token.indexOf('|');
  const value = asText(token.slice(bar + 1).replace(/\\([\\,|$])/g, '$1'));
  if (value === null) return null;
  const type = asText(path.slice(path.lastIndexOf('/') + 1));
  return { type, system: bar < 0 ? null : token.slice(0, bar).trim(), value };
};

const BY_IDENTIFIER = 'identifier=';

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** Reads `Reference.identifier`; null where it has no value. */
export const readLogicalReference = (reference: JsonObject): LogicalReference | null => {
  const identifier = reference['identifier'];
  if (!isObject(identifier)) return null;
  const value = asText(identifier['value']);
  if (value === null) return null;
  const type = asText(reference['type']);
  return {
    type: type === null ? null : type.slice(type.lastIndexOf('/') + 1),
    system: asText(identifier['system']),
    value,
  };
};

/** Text of a name; null if it is stated as unknown. */
export const readKnownName = (value: unknown): string | null => {
  const text = asText(value);
  // UNK and its long form only: other null flavors, such as Na, are people's names.
  return text === null || /^(?:unk|unknown)$/i.test(text) ? null : text;
};

/** The family name of a HumanName; null if it is absent or unknown. */
export const getFamilyName = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : readNameText(name['family'], name['_family']);

/** The given names of a HumanName that are neither absent nor unknown. */
export const getGivenNames = (name: JsonObject): readonly string[] => {
  const absent = asArray(name['_given']);
  return asArray(name['given'])
    .map((given, index) => (isAbsent(absent[index]) ? null : readNameText(given, absent[index])))
    .filter((given) => given !== null);
};

const readNameText = (value: unknown, element: unknown): string | null =>
  isVerbatim(element) ? asText(value) : readKnownName(value);
