import { isKnown, type PassedOverEvent, type StoredEvent, type StreamEvent } from '../event-log.ts';
import { stateAfter } from '../fold.ts';
import type { BirthRecordEvent, SubmissionItemId } from './events.ts';
import { type BirthRecord, recordFold } from './state.ts';
import type { LoadedRecord } from './working-set.ts';

export type StoredRecordEvent = StoredEvent & { readonly event: BirthRecordEvent };

/** Stream of a record, with events that are passed over. */
export type RecordStream = readonly (StoredRecordEvent | PassedOverEvent)[];

const getItemId = ({ event }: RecordStream[number]): SubmissionItemId | null =>
  event?.data.mark ?? null;

/** Their outcome is final. */
export const eventsOfItem = (
  stored: RecordStream,
  mark: SubmissionItemId,
): readonly BirthRecordEvent[] =>
  stored
    .filter(isKnown)
    .filter((one) => {
      const itemId = getItemId(one);
      return itemId?.ingestionId === mark.ingestionId && itemId.position === mark.position;
    })
    .map(({ event }) => event);

/** Without events of later items of the same ingestion. */
export const stateSeenByItem = (stored: RecordStream, mark: SubmissionItemId): LoadedRecord => {
  const visible = stored.filter((one) => {
    const itemId = getItemId(one);
    return itemId?.ingestionId !== mark.ingestionId || itemId.position <= mark.position;
  });
  return toLoadedRecord(visible);
};

/** Returns the record right after the events of this item, for the outcome of the earlier run. */
export const stateAfterItem = (stored: RecordStream, mark: SubmissionItemId): BirthRecord => {
  const last = stored.findLastIndex((one) => {
    const itemId = getItemId(one);
    return itemId?.ingestionId === mark.ingestionId && itemId.position === mark.position;
  });
  return stateAfter(stored.slice(0, last + 1), recordFold);
};

export const toLoadedRecord = (stored: RecordStream): LoadedRecord => {
  const last = stored.at(-1);
  return {
    state: stateAfter(stored, recordFold),
    expectedRevision: last === undefined ? 'no-stream' : last.revision,
    // A stream read may lack the position. The record then counts as the youngest.
    firstPosition: stored.find(isKnown)?.position || null,
  };
};

/**
 * Events that are left of a record whose first ones are lost for good. Passes over those that the lost ones would give
 * a meaning: there is no record until it is recorded again.
 */
export const passOverLostRecord = (left: readonly StreamEvent[]): readonly StreamEvent[] => {
  if (left[0]?.revision === 0n) return left;
  const recorded = left.findIndex(({ event }) => event?.type === 'BirthRecorded');
  const end = recorded === -1 ? left.length : recorded;
  return left.map((one, place) => {
    if (place >= end || !isKnown(one)) return one;
    const { id, stream, revision, position, event } = one;
    const foreign = { type: event.type, problem: 'The events before it are lost.' };
    return { id, stream, revision, position, event: null, foreign };
  });
};
