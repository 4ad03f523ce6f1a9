import type { CourseOfCare, EhrSource, ValueSource } from '../course/course.ts';
import {
  isSameValue,
  listStatedValues,
  type StatedValue,
  toValuePath,
} from '../course/course-paths.ts';
import type { BirthRecordEvent } from './events.ts';
import { type BirthRecord, evolve, noRecord } from './state.ts';

export interface ValueProvenance {
  /** Zero-based position of the event that set the value; `null` if it was set before the first one. */
  readonly event: number | null;
  readonly version: number;
  /** Marked as read from an EHR. @see spec "Pull lane" */
  readonly isFromEhr: boolean;
  /** Its location in the EHR data, or `null` if that was not stored. */
  readonly chartPlace: EhrSource | null;
}

interface StatedMarks {
  readonly values: ReadonlyMap<string, StatedValue>;
  readonly given: ReadonlyMap<string, Pick<ValueProvenance, 'event' | 'version'>>;
}

/**
 * Later versions that repeat a value do not count.
 * @param isWhole false if earlier events were left out: the first version then has set nothing
 */
export const findProvenance = (
  events: readonly BirthRecordEvent[],
  isWhole = true,
): ReadonlyMap<string, ValueProvenance> => {
  let state: BirthRecord = noRecord;
  let values: StatedMarks['values'] = new Map();
  let given: StatedMarks['given'] = new Map();
  const versions = new Map<number, StatedMarks>();
  for (const [event, one] of events.entries()) {
    const before = readCourse(state);
    state = evolve(state, one);
    if (state.status === 'none' || state.course === before) continue;
    const { version, course } = state;
    const next = listStatedValues(course);
    // A restored value keeps its original provenance.
    const restored = one.type === 'BirthAmended' ? one.data.restored?.version : undefined;
    const earlier = [versions.get(restored ?? 0), { values, given }];
    given = new Map(
      [...next].map(([path, value]) => {
        const known = earlier.find((then) => then && isSameValue(then.values.get(path), value));
        const own = isWhole || before !== null ? event : null;
        return [path, known?.given.get(path) ?? { event: own, version }];
      }),
    );
    values = next;
    versions.set(version, { values, given });
  }
  const marks = indexMarks(readCourse(state));
  return new Map(
    [...given].map(([path, origin]) => [
      path,
      { ...origin, isFromEhr: marks.has(path), chartPlace: marks.get(path)?.from ?? null },
    ]),
  );
};

const readCourse = (state: BirthRecord): CourseOfCare | null =>
  state.status === 'none' ? null : state.course;

const indexMarks = (course: CourseOfCare | null): ReadonlyMap<string, ValueSource> =>
  new Map((course?.sources ?? []).map((mark) => [toValuePath(mark.field, mark.child), mark]));
