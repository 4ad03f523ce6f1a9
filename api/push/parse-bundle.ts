import { isObject, type JsonObject } from '../../domain/bfdr/json.ts';
import {
  bodyNestedTooDeep,
  bodyNotABundle,
  bodyNotJson,
  bodyTooManyValues,
  DEEPEST_NESTING,
  MOST_VALUES,
} from './problems.ts';

/**
 * Parses a body as a JSON Bundle, whatever its Content-Type says; a byte order mark is dropped.
 * @throws RequestProblem 400 with a fixed text: a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  checkShape(body);
  const bundle = parse(body);
  if (!isObject(bundle) || bundle['resourceType'] !== 'Bundle') throw bodyNotABundle();
  return bundle;
};

const parse = (body: Buffer): unknown => {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  try {
    return JSON.parse((hasMark ? body.subarray(3) : body).toString('utf8'));
  } catch {
    throw bodyNotJson();
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Looks at the bytes alone, so that a hostile body is refused before anything is built of it.
 * @throws RequestProblem
 */
const checkShape = (body: Buffer): void => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case QUOTE:
        at = endOfString(body, at);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth += 1;
        values += 1;
        if (depth > DEEPEST_NESTING) throw bodyNestedTooDeep();
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MOST_VALUES) throw bodyTooManyValues();
  }
};

/** Index of the closing quote of the string that opens at `start`; the end if it never closes. */
const endOfString = (body: Buffer, start: number): number => {
  let end = body.indexOf(QUOTE, start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (body[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = body.indexOf(QUOTE, end + 1);
  }
  return body.length;
};
