import { isObject, type JsonObject } from '../../domain/bfdr/json.ts';
import { bodyNotABundle, bodyNotJson } from './problems.ts';
import { startScan } from './scan-body.ts';

/**
 * Parses a body as a JSON Bundle, whatever its Content-Type says; a byte order mark is dropped.
 * @throws RequestProblem 400, 413 with a fixed text: a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  const scan = startScan();
  while (scan.next(body) !== null);
  return asBundle(parseJson(withoutMark(body.toString('utf8'))));
};

const BYTE_ORDER_MARK = '\ufeff';

/** The text of a body without the byte order mark before it. */
export const withoutMark = (text: string): string =>
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
export const asBundle = (json: unknown): JsonObject => {
  if (!isObject(json) || json['resourceType'] !== 'Bundle') throw bodyNotABundle();
  return json;
};
