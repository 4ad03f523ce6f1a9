import { getHeapStatistics } from 'node:v8';
import { isMainThread, resourceLimits } from 'node:worker_threads';
import type { NameCounts } from '../../adapters/json/scan-json.ts';
import { MAX_COURSE_BYTES } from '../../domain/course/limits.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import { markAmbiguous } from '../../domain/fhir/json.ts';
import { measure } from '../../domain/fhir/json-size.ts';
import {
  createBundleSplitter,
  type SubmittedCourse,
} from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { parseJson, removeByteOrderMark, toBundle } from './parse-bundle.ts';
import { createBodySplitter, type ElementsText } from './split-body.ts';

export interface CourseReading {
  readonly keyKind: 'native' | 'partner';
  readonly registryCodeSystems: readonly string[];
}

/** In the order sent. */
export type ReadSubmission =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'read'; readonly courses: readonly MappedCourse[] };

/** More time or memory than any real input needs. */
export class ReadingTooCostly extends Error {
  override readonly name = 'ReadingTooCostly';
}

export const TOO_MUCH_MEMORY = 'An input needed too much memory.';

/**
 * Reads one part at a time to save memory, in the order sent.
 * @throws RequestProblem 400, 413 with a fixed text, since a parser's message would quote the body;
 * ReadingTooCostly
 */
export const readPieces = (
  pieces: readonly Uint8Array[],
  reading: CourseReading,
): ReadSubmission => {
  const splitter = createBodySplitter();
  const entries = createEntryReader(reading, splitter.names);
  let bytes = 0;
  for (const piece of pieces) {
    bytes += piece.length;
    for (const part of splitter.push(piece)) {
      checkHeap();
      entries.add(part);
    }
  }
  return entries.end(splitter.end(), bytes);
};

/**
 * V8 ends a thread at its heap limit, but the whole process if the thread needs 16 MiB more before it has ended.
 * Keeping all of the young generation at once can take that much, so it counts as kept here.
 */
const checkHeap = (): void => {
  const { maxOldGenerationSizeMb: limit } = resourceLimits;
  if (isMainThread || limit === undefined) return;
  if (getHeapStatistics().used_heap_size > limit * 1024 * 1024)
    throw new ReadingTooCostly(TOO_MUCH_MEMORY);
};

interface EntryReader {
  add(elements: ElementsText): void;
  /**
   * @param outer text of the body without the elements of `entry`; `null` if it is not UTF-8
   * @throws RequestProblem if a part is not JSON, the whole is not a Bundle, or it is one course that has
   * a property name twice in an object
   */
  end(outer: string | null, bytes: number): ReadSubmission;
}

const createEntryReader = (
  { keyKind, registryCodeSystems }: CourseReading,
  names: NameCounts,
): EntryReader => {
  const splitter = createBundleSplitter();
  const courses: MappedCourse[] = [];
  /** Elements before the first Bundle: without any Bundle, they belong to the outer one. */
  const elements: unknown[] = [];
  let size = 0;
  let isCut = false;
  let isJson = true;
  let isAmbiguous = false;
  let count = 0;
  const keep = (element: unknown, itsSize: number): void => {
    if (isCut) return;
    elements.push(element);
    size += itsSize;
    isCut = size > MAX_ESTIMATED_SIZE;
  };
  const map = (course: SubmittedCourse, bytes: number): MappedCourse =>
    mapCourse(course, keyKind, registryCodeSystems, bytes);
  return {
    add(part) {
      // Continues after invalid JSON, because the nesting limit must still apply.
      const added = isJson ? parseElements(part) : null;
      if (added === null) isJson = false;
      for (const element of added ?? []) {
        const measured = measure(element);
        if (measured.names < (names.elements[count] ?? 0)) {
          markAmbiguous(element);
          isAmbiguous = true;
        }
        count += 1;
        for (const course of splitter.open(element)) courses.push(map(course, part.bytes));
        if (splitter.isBatch()) elements.length = 0;
        else keep(element, measured.size);
      }
    },
    end(outer, bytes) {
      if (!isJson || outer === null) throw new RequestProblem(REQUEST_PROBLEMS['not-json']);
      const bundle = toBundle(parseJson(removeByteOrderMark(outer)));
      if (measure(bundle).names < names.outer || (isAmbiguous && !splitter.isBatch()))
        throw new RequestProblem(REQUEST_PROBLEMS['name-twice-in-body']);
      const ended = splitter.end(() => ({ ...bundle, entry: elements }), isCut);
      if (ended.kind === 'refused') return ended;
      const single = ended.courses.map((course) => map(course, bytes));
      return { kind: 'read', courses: [...courses, ...single] };
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

/** Twice as much as one course may have, because sizes are estimates. */
const MAX_ESTIMATED_SIZE = 2 * MAX_COURSE_BYTES;
