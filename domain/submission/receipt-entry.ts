import type { BirthRecordEvent } from '../birth-record/events.ts';
import type { BirthRecord } from '../birth-record/state.ts';
import type { CourseReference } from '../course/chart-number.ts';
import type { AcceptedEntry } from './events.ts';

/**
 * The receipt entry for what a command changed (`events`) in a record, which is now `state`.
 * No events means a repeated retraction: the record stays voided at its version.
 * @see spec "outcome.accepted[] entry"
 */
export const acceptedEntry = (
  { reference, isChartNumber }: CourseReference,
  events: readonly BirthRecordEvent[],
  state: Exclude<BirthRecord, { status: 'none' }>,
): AcceptedEntry => {
  const { submissionUuid: submission_uuid, version } = state;
  const types = new Set(events.map((event) => event.type));
  return {
    reference,
    ...(isChartNumber && { isChartNumber }),
    submission_uuid,
    ...(types.has('DuplicateFlagged') ? { suspected_duplicate: true as const } : {}),
    ...(types.has('BirthAmended') ? { amended: true as const, version } : {}),
    ...(types.has('BirthRetracted') || types.size === 0
      ? { retracted: true as const, version }
      : {}),
  };
};
