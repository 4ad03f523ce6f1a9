import {
  type BundleSplitter,
  createBundleSplitter,
} from '../../domain/intake/bfdr/bundle-splitter.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { createYielder } from '../process/yielder.ts';
import { type BodySplitter, type ElementsText, splitBody } from './cut-body.ts';
import { type MappingContext, mapBundle, mapSubmission, rejectWhole } from './map-submission.ts';
import { parseBundle, parseJson, removeByteOrderMark, toBundle } from './parse-bundle.ts';
import { bodyNotJson } from './problems.ts';
import type { Body } from './read-body.ts';

/**
 * Maps a body to the courses of care of its Bundle, in the order sent. A long one while it comes, so
 * that it neither keeps others waiting nor is ever held as a whole: 18.9 MB of a hundred real
 * Bundles would stall everybody for 200 ms.
 * @throws RequestProblem 400, 413 with a fixed text: a parser's message would quote the body
 */
export const mapBody = async (
  body: Body,
  context: MappingContext,
): Promise<readonly QueuedItem[]> =>
  Buffer.isBuffer(body)
    ? mapSubmission(parseBundle(body), context, body.length)
    : mapPieces(body, context);

/**
 * The same answers and refusals as of `mapSubmission`, piece by piece. A body that is refused is
 * read to its end first, so that the caller gets to see the answer.
 */
export const mapPieces = async (
  pieces: AsyncIterable<Buffer>,
  context: MappingContext,
): Promise<readonly QueuedItem[]> => {
  const rest = createYielder();
  const cutter = splitBody();
  const entries = startEntries(context, rest);
  let bytes = 0;
  let refused: { readonly because: unknown } | null = null;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (refused !== null) continue;
    try {
      await takePiece(piece, cutter, entries);
    } catch (because) {
      refused = { because };
    }
    await rest();
  }
  if (refused !== null) throw refused.because;
  return entries.end(cutter.end(), bytes);
};

const takePiece = async (piece: Buffer, cutter: BodySplitter, entries: Entries): Promise<void> => {
  for (const found of cutter.take(piece)) {
    if (found.kind === 'array') entries.begin();
    else await entries.add(found);
  }
};

/** The elements under `entry`, mapped as they come to light. */
interface Entries {
  /** An array begins: of a repeated key the last value counts. */
  begin(): void;
  add(elements: ElementsText): Promise<void>;
  /**
   * @param outer text of the body without the elements; null when it is no UTF-8
   * @throws RequestProblem when a part of the body is not JSON, or the whole no Bundle
   */
  end(outer: string | null, bytes: number): Promise<readonly QueuedItem[]>;
}

const startEntries = (context: MappingContext, rest: () => Promise<void>): Entries => {
  let isJson = true;
  let arrays = 0;
  let array = newArray();
  /**
   * What came of an array after the first, mapped once it turns out to be the last: to map each of
   * hundreds, of which one counts, is more work than a body may make.
   */
  let kept: ElementsText[] = [];
  const map = async (added: readonly unknown[], bytes: number): Promise<void> => {
    const { opening, mapped, elements } = array;
    for (const element of added) {
      for (const course of opening.open(element)) {
        mapped.push(mapBundle(course, context, bytes));
        await rest();
      }
      if (opening.isBatch()) elements.length = 0;
      else elements.push(element);
    }
  };
  return {
    begin() {
      arrays += 1;
      if (arrays === 1) return;
      array = newArray();
      kept = [];
    },
    async add(part) {
      // What is nested too deep later on is refused for that, whether it is JSON or not.
      const added = isJson ? elementsOf(part) : null;
      if (added === null) {
        isJson = false;
        return;
      }
      await rest();
      if (arrays === 1) await map(added, part.bytes);
      else kept.push(part);
    },
    async end(outer, bytes) {
      if (!isJson || outer === null) throw bodyNotJson();
      const bundle = toBundle(parseJson(removeByteOrderMark(outer)));
      if (!Array.isArray(bundle['entry'])) array = newArray();
      else for (const part of kept) await map(elementsOf(part) ?? [], part.bytes);
      const { opening, mapped, elements } = array;
      const ended = opening.end(() => ({ ...bundle, entry: elements }));
      if (ended.kind === 'refused') return rejectWhole(ended.rejection);
      return [...mapped, ...ended.courses.map((course) => mapBundle(course, context, bytes))];
    },
  };
};

/** Null when it is not JSON. */
const elementsOf = ({ text, isBesideComma }: ElementsText): readonly unknown[] | null => {
  if (text === null) return null;
  try {
    const elements: readonly unknown[] = JSON.parse(text);
    return elements.length === 0 && isBesideComma ? null : elements;
  } catch {
    return null;
  }
};

/** What an array under `entry` has held so far. */
interface EntryArray {
  readonly opening: BundleSplitter;
  readonly mapped: QueuedItem[];
  /** The elements before the first Bundle: without any Bundle the outer one needs them. */
  readonly elements: unknown[];
}

const newArray = (): EntryArray => ({ opening: createBundleSplitter(), mapped: [], elements: [] });
