import { isObject, type JsonObject, markAmbiguous } from '../../domain/fhir/json.ts';
import { measure } from '../../domain/fhir/json-size.ts';
import { isBatch } from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { createBodySplitter, type ElementsText } from './split-body.ts';

/**
 * Ignores the Content-Type, and skips a byte order mark.
 * @throws RequestProblem 400, 413 with a fixed text, since a parser's message would quote the body
 */
export const parseBundle = (body: Buffer): JsonObject => {
  const parser = createBundleParser();
  const entry: unknown[] = [];
  for (const { elements } of parser.push(body))
    for (const { element } of elements) entry.push(element);
  const outer = parser.end(() => isBatch({ entry }));
  return entry.length === 0 ? outer : { ...outer, entry };
};

export interface ParsedElement {
  readonly element: unknown;
  /** Estimated. */
  readonly size: number;
}

export interface ParsedPart {
  readonly elements: readonly ParsedElement[];
  readonly bytes: number;
}

export interface BundleParser {
  /**
   * Yields elements of `entry` that these bytes complete.
   * @throws RequestProblem nested too deep, too many values
   */
  readonly push: (piece: Uint8Array) => Iterable<ParsedPart>;
  /**
   * @returns the Bundle without the elements of `entry`
   * @throws RequestProblem if a part is not JSON, the whole is not a Bundle, or it has a property name twice in an
   * object, unless that is within one course of a batch
   */
  readonly end: (isOfBatch: () => boolean) => JsonObject;
}

/** Parses a Bundle in parts: strings of whole bodies take more time and memory. */
export const createBundleParser = (): BundleParser => {
  const splitter = createBodySplitter();
  const { names } = splitter;
  let isJson = true;
  let isAmbiguous = false;
  let count = 0;
  const measureElement = (element: unknown): ParsedElement => {
    const measured = measure(element);
    if (measured.names < (names.elements[count] ?? 0)) {
      markAmbiguous(element);
      isAmbiguous = true;
    }
    count += 1;
    return { element, size: measured.size };
  };
  return {
    *push(piece) {
      for (const part of splitter.push(piece)) {
        // Continues after invalid JSON, because the limits must still apply.
        const parsed = isJson ? parseElements(part) : null;
        if (parsed === null) isJson = false;
        else yield { elements: parsed.map(measureElement), bytes: part.bytes };
      }
    },
    end(isOfBatch) {
      const text = splitter.end();
      if (!isJson || text === null) throw new RequestProblem(REQUEST_PROBLEMS['not-json']);
      const outer = toBundle(parseJson(removeByteOrderMark(text)));
      if (measure(outer).names < names.outer || (isAmbiguous && !isOfBatch()))
        throw new RequestProblem(REQUEST_PROBLEMS['name-twice-in-body']);
      return outer;
    },
  };
};

/** `null` if the text is not JSON. */
const parseElements = ({ text, isBesideComma }: ElementsText): readonly unknown[] | null => {
  if (text === null) return null;
  try {
    const elements: readonly unknown[] = JSON.parse(text);
    return elements.length === 0 && isBesideComma ? null : elements;
  } catch {
    return null;
  }
};

const BYTE_ORDER_MARK = '\ufeff';

const removeByteOrderMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(REQUEST_PROBLEMS['not-json']);
  }
};

const toBundle = (json: unknown): JsonObject => {
  if (!isObject(json) || json['resourceType'] !== 'Bundle')
    throw new RequestProblem(REQUEST_PROBLEMS['not-a-bundle']);
  return json;
};
