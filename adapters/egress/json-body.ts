import { createJsonScanner, hasLostNames, type NameCounts } from '../json/scan-json.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** Maximum nesting of a response. Our choice: far more than FHIR needs. */
export const MAX_ANSWER_NESTING = 64;
/** Maximum number of values in a response. Our choice: twice as many as the largest page of real charts. */
export const MAX_ANSWER_VALUES = 200_000;

/** `undefined` if not JSON, too deep or large, or repeating a name. A parser's error would quote its input. */
export const parseJsonBody = (body: Buffer): unknown => {
  const names = scan(body);
  if (names === null) return undefined;
  try {
    const text = body.toString('utf8');
    const json = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    return hasLostNames(json, names) ? undefined : json;
  } catch {
    return undefined;
  }
};

/** Servers list fewer algorithms and methods, each with a short name. */
const MAX_NAMES = 200;
const MAX_NAME_LENGTH = 200;

export const isNameList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MAX_NAMES &&
  value.every((name) => typeof name === 'string' && name.length <= MAX_NAME_LENGTH);

/** Browsers and proxies limit the length of addresses. */
const MAX_ENDPOINT_LENGTH = 2_000;

/** True for the address of an endpoint, which the egress policy must still allow. */
export const isEndpoint = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_ENDPOINT_LENGTH && URL.canParse(value);

class AnswerUnusable extends Error {
  override readonly name = 'AnswerUnusable';
}

const refuse = (): Error => new AnswerUnusable();

/** Does not parse the bytes, so that nothing is built from a hostile response; `null` if it is one. */
const scan = (body: Buffer): NameCounts | null => {
  const scanner = createJsonScanner({
    nesting: MAX_ANSWER_NESTING,
    // The outer value has no comma.
    values: MAX_ANSWER_VALUES - 1,
    tooDeep: refuse,
    tooMany: refuse,
  });
  try {
    while (scanner.next(body) !== null);
    return scanner.names;
  } catch (error) {
    if (error instanceof AnswerUnusable) return null;
    throw error;
  }
};
