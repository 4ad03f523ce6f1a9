import { accept, type Decision, refuse } from '../decision.ts';
import type { BirthRecordEvent, SubmissionItemId } from './events.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

export interface DecideDuplicate {
  readonly duplicateOf: string;
  readonly other: BirthRecord;
  readonly mark: SubmissionItemId | null;
}

/** Later amendments keep the dismissal. */
export const dismissDuplicate = (
  { duplicateOf, other, mark }: DecideDuplicate,
  state: BirthRecord,
): Decision<BirthRecordEvent<'DuplicateDismissed'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (isDismissedPair(state, other)) return accept();
  if (!isCandidatePair(state, other)) return refuse({ code: 'not-a-match' });
  return accept({ type: 'DuplicateDismissed', data: decidePair(state, duplicateOf, mark) });
};

export const restoreDuplicateFlag = (
  { duplicateOf, other, mark }: DecideDuplicate,
  state: BirthRecord,
): Decision<BirthRecordEvent<'DuplicateFlagRestored'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (state.dismissedMatches.includes(duplicateOf))
    return accept({ type: 'DuplicateFlagRestored', data: decidePair(state, duplicateOf, mark) });
  // The dismissal is undone on the record that stores it, which is flagged from then on.
  if (state.duplicateOf !== null && isCandidatePair(state, other) && !isDismissedPair(state, other))
    return accept();
  return refuse({ code: 'pair-not-dismissed' });
};

/** Ignores dismissals. */
export const isCandidatePair = (one: BirthRecord, other: BirthRecord): boolean =>
  one.status === 'live' &&
  other.status === 'live' &&
  one.submissionUuid !== other.submissionUuid &&
  (one.fingerprints.some((fingerprint) => other.fingerprints.includes(fingerprint)) ||
    one.duplicateOf === other.submissionUuid ||
    other.duplicateOf === one.submissionUuid);

export const isDismissedPair = (one: BirthRecord, other: BirthRecord): boolean =>
  one.status !== 'none' &&
  other.status !== 'none' &&
  (one.dismissedMatches.includes(other.submissionUuid) ||
    other.dismissedMatches.includes(one.submissionUuid));

const decidePair = (
  { submissionUuid, practiceId, duplicateOf: flag }: KnownBirthRecord,
  duplicateOf: string,
  mark: SubmissionItemId | null,
): BirthRecordEvent<'DuplicateDismissed'>['data'] => {
  const data = { submissionUuid, practiceId, duplicateOf, mark };
  return flag === null || flag === duplicateOf ? data : { ...data, standingFlag: flag };
};

const VOIDED = refuse({ code: 'voided-record-is-not-compared' });
