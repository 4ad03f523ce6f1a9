import type { StoredEvent } from '../event-log.ts';
import { stateAfter } from '../fold.ts';
import type { BirthRecordEvent, SubmissionMark } from './events.ts';
import { type BirthRecord, recordFold } from './state.ts';
import type { HeldRecord } from './working-set.ts';

/** An event of a record's stream, read back to go on after a crash. */
export type StoredRecordEvent = StoredEvent & { readonly event: BirthRecordEvent };

const markOf = ({ event }: StoredRecordEvent): SubmissionMark | null => event.data.mark;

/** Events that an earlier run appended for this course; their outcome stands. */
export const ownEvents = (
  stored: readonly StoredRecordEvent[],
  mark: SubmissionMark,
): readonly BirthRecordEvent[] =>
  stored
    .filter((one) => {
      const held = markOf(one);
      return held?.ingestionId === mark.ingestionId && held.position === mark.position;
    })
    .map(({ event }) => event);

/**
 * The record as an undisturbed run would have found it at this course: without what the same
 * ingestion has written for later ones.
 */
export const asOfCourse = (
  stored: readonly StoredRecordEvent[],
  mark: SubmissionMark,
): HeldRecord => {
  const visible = stored.filter((one) => {
    const held = markOf(one);
    return held?.ingestionId !== mark.ingestionId || held.position <= mark.position;
  });
  return toHeldRecord(visible);
};

/** The record right after the events of this course, for the outcome that an earlier run gave. */
export const afterCourse = (
  stored: readonly StoredRecordEvent[],
  mark: SubmissionMark,
): BirthRecord => {
  const last = stored.findLastIndex((one) => {
    const held = markOf(one);
    return held?.ingestionId === mark.ingestionId && held.position === mark.position;
  });
  return stateAfter(stored.slice(0, last + 1), recordFold);
};

/** The record that these events make. */
export const toHeldRecord = (stored: readonly StoredRecordEvent[]): HeldRecord => {
  const last = stored.at(-1);
  return {
    state: stateAfter(stored, recordFold),
    expected: last === undefined ? 'no-stream' : last.revision,
    // A stream read need not tell the position; then the record counts as the youngest.
    age: stored[0]?.position || null,
  };
};
