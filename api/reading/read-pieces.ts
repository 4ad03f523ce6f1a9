import { MAX_COURSE_BYTES } from '../../domain/course/limits.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import { isObject } from '../../domain/fhir/json.ts';
import { estimateSize } from '../../domain/fhir/json-size.ts';
import {
  type BundleSplitter,
  createBundleSplitter,
} from '../../domain/intake/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../domain/intake/bfdr/course-mapper.ts';
import { bodyNotJson } from './body-problems.ts';
import { parseJson, removeByteOrderMark, toBundle } from './parse-bundle.ts';
import { createBodySplitter, type ElementsText } from './split-body.ts';

/** Rules for reading courses of care, as plain data. */
export interface CourseReading {
  readonly keyKind: 'native' | 'partner';
  readonly registryCodeSystems: readonly string[];
}

/** The courses of care of a Bundle, in the order sent, or the reason it is refused as a whole. */
export type ReadSubmission =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'read'; readonly courses: readonly MappedCourse[] };

/**
 * Reads the courses of care of a long body, in the order sent, one part at a time to save memory.
 * @throws RequestProblem 400, 413 with a fixed text, since a parser's message would quote the body
 */
export const readPieces = (
  pieces: readonly Uint8Array[],
  reading: CourseReading,
): ReadSubmission => {
  const splitter = createBodySplitter();
  const entries = createEntryReader(reading);
  let bytes = 0;
  for (const piece of pieces) {
    bytes += piece.length;
    for (const part of splitter.push(piece))
      if (part.kind === 'array') entries.begin();
      else entries.add(part);
  }
  return entries.end(splitter.end(), bytes);
};

/** Reads the elements under `entry`, part by part. */
interface EntryReader {
  /** Counts an array: if the key is repeated, its last value counts. */
  begin(): void;
  add(elements: ElementsText): void;
  /**
   * @param outer text of the body without the elements of the first array; `null` if it is not UTF-8
   * @throws RequestProblem if a part is not JSON, or the whole is not a Bundle
   */
  end(outer: string | null, bytes: number): ReadSubmission;
}

const createEntryReader = ({ keyKind, registryCodeSystems }: CourseReading): EntryReader => {
  let isJson = true;
  let arrays = 0;
  let array = createEntryArray();
  const read = (added: readonly unknown[], bytes: number): void => {
    const { splitter, courses, elements } = array;
    for (const element of added) {
      for (const course of splitter.open(element))
        courses.push(mapCourse(course, keyKind, registryCodeSystems, bytes));
      if (splitter.isBatch()) elements.length = 0;
      else keep(element);
    }
  };
  const keep = (element: unknown): void => {
    if (array.isCut) return;
    array.elements.push(element);
    if (isObject(element)) array.size += estimateSize(element);
    array.isCut = array.size > MAX_KEPT_SIZE;
  };
  return {
    begin() {
      arrays += 1;
    },
    add(part) {
      // Continues after invalid JSON, because the nesting limit must still apply.
      const added = isJson ? parseElements(part) : null;
      if (added === null) isJson = false;
      else read(added, part.bytes);
    },
    end(outer, bytes) {
      if (!isJson || outer === null) throw bodyNotJson();
      const bundle = toBundle(parseJson(removeByteOrderMark(outer)));
      const { entry } = bundle;
      // Later arrays are in the outer text: of hundreds, only the last is worth mapping.
      if (arrays > 1 || !Array.isArray(entry)) {
        array = createEntryArray();
        read(Array.isArray(entry) ? entry : [], bytes);
      }
      const { splitter, courses, elements } = array;
      const ended = splitter.end(() => ({ ...bundle, entry: elements }), array.isCut);
      if (ended.kind === 'refused') return ended;
      const single = ended.courses.map((course) =>
        mapCourse(course, keyKind, registryCodeSystems, bytes),
      );
      return { kind: 'read', courses: [...courses, ...single] };
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
  readonly courses: MappedCourse[];
  /** Elements before the first Bundle: without any Bundle, they belong to the outer one. */
  readonly elements: unknown[];
  /** Estimated size of the elements. */
  size: number;
  /** True if later elements were not kept. */
  isCut: boolean;
}

/** Twice as much as one course may have, because sizes are estimates. */
const MAX_KEPT_SIZE = 2 * MAX_COURSE_BYTES;

const createEntryArray = (): EntryArray => ({
  splitter: createBundleSplitter(),
  courses: [],
  elements: [],
  size: 0,
  isCut: false,
});
