import { getHeapStatistics } from 'node:v8';
import { isMainThread, resourceLimits } from 'node:worker_threads';
import { MAX_COURSE_BYTES } from '../../domain/course/limits.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import {
  createBundleSplitter,
  type SubmittedCourse,
} from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { createBundleParser, type ParsedPart } from './parse-bundle.ts';

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
  const parser = createBundleParser();
  const entries = createEntryReader(reading);
  let bytes = 0;
  for (const piece of pieces) {
    bytes += piece.length;
    for (const part of parser.push(piece)) {
      checkHeap();
      entries.add(part);
    }
  }
  return entries.end(parser.end(entries.isBatch), bytes);
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
  add(part: ParsedPart): void;
  readonly isBatch: () => boolean;
  /** @param outer the Bundle without the elements of `entry` */
  end(outer: JsonObject, bytes: number): ReadSubmission;
}

const createEntryReader = ({ keyKind, registryCodeSystems }: CourseReading): EntryReader => {
  const splitter = createBundleSplitter();
  const courses: MappedCourse[] = [];
  /** Elements before the first Bundle: without any Bundle, they belong to the outer one. */
  const entry: unknown[] = [];
  let size = 0;
  let isCut = false;
  const keep = (element: unknown, itsSize: number): void => {
    if (isCut) return;
    entry.push(element);
    size += itsSize;
    isCut = size > MAX_ESTIMATED_SIZE;
  };
  const map = (course: SubmittedCourse, bytes: number): MappedCourse =>
    mapCourse(course, keyKind, registryCodeSystems, bytes);
  return {
    add({ elements, bytes }) {
      for (const { element, size: itsSize } of elements) {
        for (const course of splitter.open(element)) courses.push(map(course, bytes));
        if (splitter.isBatch()) entry.length = 0;
        else keep(element, itsSize);
      }
    },
    isBatch: splitter.isBatch,
    end(outer, bytes) {
      const ended = splitter.end(() => ({ ...outer, entry }), isCut);
      if (ended.kind === 'refused') return ended;
      const single = ended.courses.map((course) => map(course, bytes));
      return { kind: 'read', courses: [...courses, ...single] };
    },
  };
};

/** Twice as much as one course may have, because sizes are estimates. */
const MAX_ESTIMATED_SIZE = 2 * MAX_COURSE_BYTES;
