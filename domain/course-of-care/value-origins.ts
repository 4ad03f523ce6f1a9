import type { CourseOfCare } from './canonical-record.ts';
import { isSameValue, type StatedValue, statedValues } from './differences.ts';
import type { BirthRecordEvent } from './events.ts';
import { type BirthRecord, evolve, noRecord } from './state.ts';

/** Where a value of a record came from. */
export interface ValueOrigin {
  /** Place among the events of the one that gave the value, from 0. */
  readonly event: number;
  /** Version of the record since that event. */
  readonly version: number;
  /** Marked as read from an EHR. @see spec "Pull lane" */
  readonly isFromEhr: boolean;
}

/**
 * Tells for each value that a record states now which event gave it: the one by which it last
 * became what it is. A later version that says the same changes nothing about that.
 * @param events of one record, oldest first
 * @returns by path, as `differences` names them
 */
export const valueOrigins = (
  events: readonly BirthRecordEvent[],
): ReadonlyMap<string, ValueOrigin> => {
  let state: BirthRecord = noRecord;
  let values: ReadonlyMap<string, StatedValue> = new Map();
  let given: ReadonlyMap<string, Omit<ValueOrigin, 'isFromEhr'>> = new Map();
  for (const [event, one] of events.entries()) {
    const before = courseOf(state);
    state = evolve(state, one);
    if (state.status === 'none' || state.course === before) continue;
    const { version, course } = state;
    const next = statedValues(course);
    given = new Map(
      [...next].map(([path, value]) => [
        path,
        (isSameValue(values.get(path), value) ? given.get(path) : null) ?? { event, version },
      ]),
    );
    values = next;
  }
  const marked = markedPaths(courseOf(state));
  return new Map(
    [...given].map(([path, origin]) => [path, { ...origin, isFromEhr: marked.has(path) }]),
  );
};

const courseOf = (state: BirthRecord): CourseOfCare | null =>
  state.status === 'none' ? null : state.course;

/** The paths of the values that are marked as read from an EHR. */
const markedPaths = (course: CourseOfCare | null): ReadonlySet<string> =>
  new Set(
    (course?.sources ?? []).map(({ field, child }) =>
      child === null ? field : field.replace(/^children\.(?!\d)/, `children.${child}.`),
    ),
  );
