const BYTE_ORDER_MARK = '\ufeff';

/** Maximum nesting of a response. Our choice: far more than FHIR needs. */
export const MAX_ANSWER_NESTING = 64;
/** Maximum number of values in a response. Our choice: twice as many as the largest page of real charts. */
export const MAX_ANSWER_VALUES = 200_000;

/**
 * Parses the JSON of a response, or returns `undefined` if it is not JSON, is nested too deep, or
 * has too many values. Does not throw, because a parser's message quotes its input.
 */
export const parseJsonBody = (body: Buffer): unknown => {
  if (isTooCostly(body)) return undefined;
  try {
    const text = body.toString('utf8');
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/** Scans the bytes without parsing them, so that nothing is built from a hostile response. */
const isTooCostly = (body: Buffer): boolean => {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case QUOTE:
        at = findStringEnd(body, at + 1);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth += 1;
        values += 1;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (depth > MAX_ANSWER_NESTING || values > MAX_ANSWER_VALUES) return true;
  }
  return false;
};

const findStringEnd = (body: Buffer, from: number): number => {
  let at = from;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
};
