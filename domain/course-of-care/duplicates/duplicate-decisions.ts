import { accept, type CommandDecision, refuse } from '../../command-decision.ts';
import { NO_RECORD } from '../../unknown-ids.ts';
import type { DuplicateDismissed, DuplicateFlagRestored, SubmissionMark } from '../events.ts';
import type { BirthRecord } from '../state.ts';

/** A person's word on a flagged pair. */
export interface DecideDuplicate {
  /** The older record of the pair that the person saw: another flag may have come meanwhile. */
  readonly duplicateOf: string;
  readonly mark: SubmissionMark | null;
}

/**
 * Says that the flagged record and the older one are different births. Saying so again changes
 * nothing; an amendment keeps it.
 */
export const dismissDuplicate = (
  { duplicateOf, mark }: DecideDuplicate,
  state: BirthRecord,
): CommandDecision<DuplicateDismissed> => {
  if (state.status === 'none') return NO_RECORD;
  if (state.status === 'voided') return VOIDED;
  if (state.duplicateOf === duplicateOf) {
    const { submissionUuid, practiceId } = state;
    return accept({
      type: 'DuplicateDismissed',
      data: { submissionUuid, practiceId, duplicateOf, mark },
    });
  }
  if (state.duplicateOf !== null) return OTHER_FLAG;
  if (state.dismissedDuplicateOf === duplicateOf) return accept();
  return refuse('The record is not flagged as a duplicate of this one: there is no flag to clear.');
};

/** Flags the record again after a dismissal. Doing it again changes nothing. */
export const restoreDuplicateFlag = (
  { duplicateOf, mark }: DecideDuplicate,
  state: BirthRecord,
): CommandDecision<DuplicateFlagRestored> => {
  if (state.status === 'none') return NO_RECORD;
  if (state.status === 'voided') return VOIDED;
  if (state.duplicateOf === duplicateOf) return accept();
  if (state.duplicateOf !== null) return OTHER_FLAG;
  if (state.dismissedDuplicateOf !== duplicateOf)
    return refuse(
      'The record was never marked as a different birth than this one: there is no flag to put back.',
    );
  const { submissionUuid, practiceId } = state;
  return accept({
    type: 'DuplicateFlagRestored',
    data: { submissionUuid, practiceId, duplicateOf, mark },
  });
};

const VOIDED = refuse(
  'The record is voided, so it is compared with no other one. There is nothing to decide about it.',
);
const OTHER_FLAG = refuse(
  'The record is flagged as a duplicate of another record by now. Look at the pair as it is now.',
);
