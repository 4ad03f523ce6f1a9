import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { bodyNotABundle, bodyNotJson } from './problems.ts';
import { startScan } from './scan-body.ts';

/**
 * Parses a body as a JSON Bundle, whatever its Content-Type says; a byte order mark is dropped.
 * @throws RequestProblem 400, 413 with a fixed text: a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  const scan = startScan();
  while (scan.next(body) !== null);
  const text = decodeText(body);
  if (text === null) throw bodyNotJson();
  return toBundle(parseJson(removeByteOrderMark(text)));
};

/**
 * The text of bytes; null when they are no UTF-8. Decoding would put the same sign in the place of
 * every byte that it does not know, and two chart numbers in ISO 8859-1 could become one.
 */
export const decodeText = (bytes: Buffer): string | null =>
  isUtf8(bytes) ? bytes.toString('utf8') : null;

const BYTE_ORDER_MARK = '\ufeff';

/** The text of a body without the byte order mark before it. */
export const removeByteOrderMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

/** @throws RequestProblem when a text is not JSON */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw bodyNotJson();
  }
};

/** @throws RequestProblem when JSON is no object that says it is a Bundle */
export const toBundle = (json: unknown): JsonObject => {
  if (!isObject(json) || json['resourceType'] !== 'Bundle') throw bodyNotABundle();
  return json;
};
