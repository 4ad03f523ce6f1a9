import { isObject, type JsonObject } from '../../domain/bfdr/json.ts';
import { bodyNestedTooDeep, bodyNotABundle, bodyNotJson, DEEPEST_NESTING } from './problems.ts';

/**
 * Parses a body as a JSON Bundle, whatever its Content-Type says; a byte order mark is dropped.
 * @throws RequestProblem 400 with a fixed text: a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  if (isNestedDeeper(body, DEEPEST_NESTING)) throw bodyNestedTooDeep();
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
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Looks at the bytes alone, so that a hostile body is refused before anything recurses into it. */
const isNestedDeeper = (body: Buffer, deepest: number): boolean => {
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) at = endOfString(body, at);
    else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return false;
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
