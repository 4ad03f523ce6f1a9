import { accept, type Decision, refuse } from '../decision.ts';
import type { DuplicateDismissed, DuplicateFlagRestored, SubmissionItemId } from './events.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

/** A person's decision on a pair of match candidates. */
export interface DecideDuplicate {
  /** The other record of the pair that the person saw. */
  readonly duplicateOf: string;
  /** Current state of that record. */
  readonly other: BirthRecord;
  readonly mark: SubmissionItemId | null;
}

/**
 * Says that two records that look alike are different births. Saying so again changes nothing; an
 * amendment keeps it.
 */
export const dismissDuplicate = (
  { duplicateOf, other, mark }: DecideDuplicate,
  state: BirthRecord,
): Decision<DuplicateDismissed> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (isDismissedPair(state, other)) return accept();
  if (!isCandidatePair(state, other)) return refuse({ code: 'not-a-match' });
  return accept({ type: 'DuplicateDismissed', data: decidePair(state, duplicateOf, mark) });
};

/** Opens a pair again after a dismissal. Doing it again changes nothing. */
export const restoreDuplicateFlag = (
  { duplicateOf, other, mark }: DecideDuplicate,
  state: BirthRecord,
): Decision<DuplicateFlagRestored> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (state.dismissedMatches.includes(duplicateOf))
    return accept({ type: 'DuplicateFlagRestored', data: decidePair(state, duplicateOf, mark) });
  // A pair is opened again on the record that was decided on, which is flagged from then on.
  if (state.duplicateOf !== null && isCandidatePair(state, other) && !isDismissedPair(state, other))
    return accept();
  return refuse({ code: 'pair-not-dismissed' });
};

/**
 * True if two records are match candidates: both live, and they share a fingerprint, or the flag of one
 * names the other. Dismissals are not considered.
 */
export const isCandidatePair = (one: BirthRecord, other: BirthRecord): boolean =>
  one.status === 'live' &&
  other.status === 'live' &&
  one.submissionUuid !== other.submissionUuid &&
  (one.fingerprints.some((fingerprint) => other.fingerprints.includes(fingerprint)) ||
    one.duplicateOf === other.submissionUuid ||
    other.duplicateOf === one.submissionUuid);

/** True if a person has dismissed the pair. */
export const isDismissedPair = (one: BirthRecord, other: BirthRecord): boolean =>
  one.status !== 'none' &&
  other.status !== 'none' &&
  (one.dismissedMatches.includes(other.submissionUuid) ||
    other.dismissedMatches.includes(one.submissionUuid));

const decidePair = (
  { submissionUuid, practiceId, duplicateOf: flag }: KnownBirthRecord,
  duplicateOf: string,
  mark: SubmissionItemId | null,
): DuplicateDismissed['data'] => {
  const data = { submissionUuid, practiceId, duplicateOf, mark };
  return flag === null || flag === duplicateOf ? data : { ...data, standingFlag: flag };
};

const VOIDED = refuse({ code: 'voided-record-is-not-compared' });
