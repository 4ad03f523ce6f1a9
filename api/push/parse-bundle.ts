import { isObject, type JsonObject } from '../../domain/bfdr/json.ts';
import { scanBody } from './body-outline.ts';
import { bodyNotABundle, bodyNotJson } from './problems.ts';

/**
 * Parses a body as a JSON Bundle, whatever its Content-Type says; a byte order mark is dropped.
 * @throws RequestProblem 400 with a fixed text: a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  const from = textStart(body);
  scanBody(body, from).goOn(body.length);
  return asBundle(parseJson(body.toString('utf8', from)));
};

/** Where the text of a body begins: after a byte order mark. */
export const textStart = (body: Buffer): number =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;

/** @throws RequestProblem when a text is not JSON */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw bodyNotJson();
  }
};

/** Says whether JSON is an object that says it is a Bundle. */
export const isBundle = (json: unknown): json is JsonObject =>
  isObject(json) && json['resourceType'] === 'Bundle';

/** @throws RequestProblem when it is none */
export const asBundle = (json: unknown): JsonObject => {
  if (!isBundle(json)) throw bodyNotABundle();
  return json;
};
