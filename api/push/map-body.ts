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

/** The elements under `entry`, mapped as they arrive. */
interface Entries {
  /** Starts an array: if the key is repeated, its last value counts. */
  begin(): void;
  add(elements: ElementsText): Promise<void>;
  /**
   * @param outer text of the body without the elements; `null` if it is not UTF-8
   * @throws RequestProblem if a part is not JSON, or the whole is not a Bundle
   */
  end(outer: string | null, bytes: number): Promise<readonly QueuedItem[]>;
}

const startEntries = (context: MappingContext, rest: () => Promise<void>): Entries => {
  let isJson = true;
  let arrays = 0;
  let array = newArray();
  /**
   * Elements of later arrays, mapped only if their array is the last. A body could have hundreds of
   * arrays, of which only the last counts.
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
      // Continues after invalid JSON, because the nesting limit must still apply.
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

/** Returns `null` if the text is not JSON. */
const elementsOf = ({ text, isBesideComma }: ElementsText): readonly unknown[] | null => {
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
  readonly opening: BundleSplitter;
  readonly mapped: QueuedItem[];
  /** Elements before the first Bundle: without any Bundle, they belong to the outer one. */
  readonly elements: unknown[];
}

const newArray = (): EntryArray => ({ opening: createBundleSplitter(), mapped: [], elements: [] });
