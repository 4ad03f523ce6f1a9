import { isAscii, isUtf8 } from 'node:buffer';
import { hasLostNames, type NameCounts } from '../../adapters/json/scan-json.ts';
import { asArray, isObject, type JsonObject, markAmbiguous } from '../../domain/fhir/json.ts';
import { measure } from '../../domain/fhir/json-size.ts';
import { isBatch } from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { createBodyScanner } from './scan-body.ts';

/**
 * Ignores the Content-Type, and skips a byte order mark.
 * @throws RequestProblem 400, 413 with a fixed text, since a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  const { next, names } = createBodyScanner();
  while (next(body) !== null);
  const text = decodeText(body);
  if (text === null) throw new RequestProblem(REQUEST_PROBLEMS['not-json']);
  const bundle = toBundle(parseJson(removeByteOrderMark(text)));
  if (hasLostNames(bundle, names)) markLostNames(bundle, names);
  return bundle;
};

const markLostNames = (bundle: JsonObject, { outer, elements }: NameCounts): void => {
  const entries = asArray(bundle['entry']);
  for (const [at, names] of elements.entries())
    if (measure(entries[at]).names < names) markAmbiguous(entries[at]);
  if (measure({ ...bundle, entry: [] }).names < outer || !isBatch(bundle))
    throw new RequestProblem(REQUEST_PROBLEMS['name-twice-in-body']);
};

/**
 * `null` if the bytes are not UTF-8. Replacement characters would be dangerous: two chart numbers
 * in ISO 8859-1 could become the same one.
 */
export const decodeText = (bytes: Buffer): string | null => {
  // Fast path: copying ASCII takes a fraction of the time of decoding UTF-8.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
};

const BYTE_ORDER_MARK = '\ufeff';

export const removeByteOrderMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(REQUEST_PROBLEMS['not-json']);
  }
};

export const toBundle = (json: unknown): JsonObject => {
  if (!isObject(json) || json['resourceType'] !== 'Bundle')
    throw new RequestProblem(REQUEST_PROBLEMS['not-a-bundle']);
  return json;
};
