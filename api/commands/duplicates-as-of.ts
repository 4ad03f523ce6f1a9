import { isCandidatePair, isDismissedPair } from '../../domain/birth-record/duplicate-decisions.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import { isKnown } from '../../domain/event-log.ts';
import { isUpTo } from '../ingestion/provider-survivors.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/**
 * Derived from the log by the rules of the pages. Misses only an unflagged record that has since
 * lost the fingerprint.
 * @param stored events up to the moment
 * @param asOf now if `null`
 */
export const wasSuspectedAsOf = async (
  { log, reads }: Pick<AppPorts, 'log' | 'reads'>,
  stored: readonly StoredRecordEvent[],
  asOf: Date | null,
): Promise<boolean> => {
  const { state } = toLoadedRecord(stored);
  if (state.status !== 'live') return false;
  if (state.fingerprints.length === 0 && state.duplicateOf === null) return false;
  for (const { stream, isOlder } of await reads.findMatchCandidates(state)) {
    const events = (await log.readStream(stream)).filter(isKnown) as readonly StoredRecordEvent[];
    const other = toLoadedRecord(events.filter((one) => isUpTo(one, asOf))).state;
    if (other.status !== 'live' || !isCandidatePair(state, other) || isDismissedPair(state, other))
      continue;
    const isFlagged = state.duplicateOf === other.submissionUuid;
    if (isFlagged || (isOlder && other.duplicateOf !== state.submissionUuid)) return true;
  }
  return false;
};
