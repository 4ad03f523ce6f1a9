import { asText, isObject, type JsonObject } from './json.ts';

/** Reference to a resource by its identifier instead of its address. */
export type LogicalReference = {
  /** Null matches any type. */
  readonly type: string | null;
  /** Null matches any system; empty matches an identifier without one. */
  readonly system: string | null;
  readonly value: string;
};

// Our choice: longer than any address or identifier.
const MAX_REFERENCE = 2048;

/** A resource with a long text that many others lead to would be costly to read. */
export const isTooLongToResolve = (text: unknown): boolean =>
  typeof text === 'string' && text.length > MAX_REFERENCE;

/**
 * `Location?identifier=system|value`, with or without a base URL; `null` also with other criteria.
 * @see https://hl7.org/fhir/R4/search.html#token
 */
export const readIdentifierSearch = (text: string): LogicalReference | null => {
  const question = text.indexOf('?');
  if (question < 0) return null;
  const path = text.slice(0, question);
  // Parameters such as _format affect only the response.
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

export const readLogicalReference = (reference: JsonObject): LogicalReference | null => {
  const identifier = reference['identifier'];
  if (!isObject(identifier)) return null;
  const { system, value: sent } = identifier;
  const { type: sentType } = reference;
  if ([sent, system, sentType].some(isTooLongToResolve)) return null;
  const value = asText(sent);
  if (value === null) return null;
  const type = asText(sentType);
  return {
    type: type === null ? null : type.slice(type.lastIndexOf('/') + 1),
    system: asText(system),
    value,
  };
};
