import {
  areAlike,
  areToldApart,
} from '../../domain/course-of-care/duplicates/duplicate-decisions.ts';
import type { FindLookAlikeCandidates } from '../../domain/course-of-care/ports.ts';
import { heldRecordOf, type StoredRecordEvent } from '../../domain/course-of-care/resume.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { isUpTo } from './provider-survivors.ts';

/** What looking for the look-alikes of a record works with. */
export interface SuspectedThenParts {
  readonly readStream: ReadStream;
  readonly findLookAlikeCandidates: FindLookAlikeCandidates;
}

/**
 * Whether a record was the newer one of an open pair at a moment, by the log: as the pages tell it
 * of now. Only a record that has lost the fingerprint since, and was not flagged for, is overlooked.
 * @param stored its events up to the moment
 * @param asOf null: now
 */
export const wasSuspected = async (
  { readStream, findLookAlikeCandidates }: SuspectedThenParts,
  stored: readonly StoredRecordEvent[],
  asOf: Date | null,
): Promise<boolean> => {
  const { state } = heldRecordOf(stored);
  if (state.status !== 'live') return false;
  if (state.fingerprints.length === 0 && state.duplicateOf === null) return false;
  for (const { stream, isOlder } of await findLookAlikeCandidates(state)) {
    const events = (await readStream(stream)) as readonly StoredRecordEvent[];
    const other = heldRecordOf(events.filter((one) => isUpTo(one, asOf))).state;
    if (other.status !== 'live' || !areAlike(state, other) || areToldApart(state, other)) continue;
    const isFlagged = state.duplicateOf === other.submissionUuid;
    if (isFlagged || (isOlder && other.duplicateOf !== state.submissionUuid)) return true;
  }
  return false;
};
