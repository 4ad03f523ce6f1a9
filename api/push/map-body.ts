import {
  type BundleSplitter,
  createBundleSplitter,
} from '../../domain/intake/bfdr/bundle-splitter.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { createYielder } from '../process/yielder.ts';
import { type MappingContext, mapBundle, mapSubmission, rejectWhole } from './map-submission.ts';
import { parseBundle, parseJson, removeByteOrderMark, toBundle } from './parse-bundle.ts';
import { bodyNotJson } from './problems.ts';
import type { Body } from './read-body.ts';
import { createBodySplitter, type ElementsText } from './split-body.ts';

/**
 * Maps a body to its courses of care, in the order sent. Long bodies are mapped while they arrive,
 * to save memory and to keep other requests from waiting.
 * @throws RequestProblem 400, 413 with a fixed text, since a parser's message would quote the body
 */
export const mapBody = async (
  body: Body,
  context: MappingContext,
): Promise<readonly QueuedItem[]> =>
  Buffer.isBuffer(body)
    ? mapSubmission(parseBundle(body), context, body.length)
    : mapPieces(body, context);

/**
 * Maps pieces with exactly the results of `mapSubmission`. Reads a refused body to its end before
 * throwing, so that the client can receive the response.
 */
export const mapPieces = async (
  pieces: AsyncIterable<Buffer>,
  context: MappingContext,
): Promise<readonly QueuedItem[]> => {
  const yieldIfDue = createYielder();
  const splitter = createBodySplitter();
  const entries = createEntryMapper(context, yieldIfDue);
  let bytes = 0;
  let refusal: { readonly cause: unknown } | null = null;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (refusal !== null) continue;
    try {
      for (const part of splitter.push(piece))
        if (part.kind === 'array') entries.begin();
        else await entries.add(part);
    } catch (cause) {
      refusal = { cause };
    }
    await yieldIfDue();
  }
  if (refusal !== null) throw refusal.cause;
  return entries.end(splitter.end(), bytes);
};

/** Maps the elements under `entry` as they arrive. */
interface EntryMapper {
  /** Counts an array: if the key is repeated, its last value counts. */
  begin(): void;
  add(elements: ElementsText): Promise<void>;
  /**
   * @param outer text of the body without the elements of the first array; `null` if it is not UTF-8
   * @throws RequestProblem if a part is not JSON, or the whole is not a Bundle
   */
  end(outer: string | null, bytes: number): Promise<readonly QueuedItem[]>;
}

const createEntryMapper = (
  context: MappingContext,
  yieldIfDue: () => Promise<void>,
): EntryMapper => {
  let isJson = true;
  let arrays = 0;
  let array = createEntryArray();
  const map = async (added: readonly unknown[], bytes: number): Promise<void> => {
    const { splitter, mapped, elements } = array;
    for (const element of added) {
      for (const course of splitter.open(element)) {
        mapped.push(mapBundle(course, context, bytes));
        await yieldIfDue();
      }
      if (splitter.isBatch()) elements.length = 0;
      else elements.push(element);
    }
  };
  return {
    begin() {
      arrays += 1;
    },
    async add(part) {
      // Continues after invalid JSON, because the nesting limit must still apply.
      const added = isJson ? parseElements(part) : null;
      if (added === null) {
        isJson = false;
        return;
      }
      await yieldIfDue();
      await map(added, part.bytes);
    },
    async end(outer, bytes) {
      if (!isJson || outer === null) throw bodyNotJson();
      const bundle = toBundle(parseJson(removeByteOrderMark(outer)));
      const { entry } = bundle;
      // Later arrays are in the outer text: of hundreds, only the last is worth mapping.
      if (arrays > 1 || !Array.isArray(entry)) {
        array = createEntryArray();
        await map(Array.isArray(entry) ? entry : [], bytes);
      }
      const { splitter, mapped, elements } = array;
      const ended = splitter.end(() => ({ ...bundle, entry: elements }));
      if (ended.kind === 'refused') return rejectWhole(ended.rejection);
      return [...mapped, ...ended.courses.map((course) => mapBundle(course, context, bytes))];
    },
  };
};

/** Returns `null` if the text is not JSON. */
const parseElements = ({ text, isBesideComma }: ElementsText): readonly unknown[] | null => {
  if (text === null) return null;
  try {
    const elements: readonly unknown[] = JSON.parse(text);
    return elements.length === 0 && isBesideComma ? null : elements;
  } catch {
    return null;
  }
};

/** Elements of an array under `entry` that have arrived. */
interface EntryArray {
  readonly splitter: BundleSplitter;
  readonly mapped: QueuedItem[];
  /** Elements before the first Bundle: without any Bundle, they belong to the outer one. */
  readonly elements: unknown[];
}

const createEntryArray = (): EntryArray => ({
  splitter: createBundleSplitter(),
  mapped: [],
  elements: [],
});
