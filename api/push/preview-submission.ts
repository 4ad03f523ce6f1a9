import { firstFingerprintKey } from '../../domain/course-of-care/duplicates/fingerprint-keys.ts';
import { newLedger } from '../../domain/course-of-care/ledger.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import {
  courseToDecide,
  decideQueued,
  type NewNames,
  type SentCourses,
} from '../../domain/ingestion/decide-queued.ts';
import type { AcceptedEntry } from '../../domain/ingestion/events.ts';
import { completedReceipt, type Receipt } from '../../domain/ingestion/receipt.ts';
import { mapSubmission } from './map-submission.ts';

/** What a practice without any record would answer to a Bundle, and what was left out of it. */
export interface SubmissionPreview {
  readonly accepted: readonly Omit<AcceptedEntry, 'submission_uuid'>[];
  readonly rejected: Extract<Receipt, { status: 'completed' }>['outcome']['rejected'];
  /** Values that would be left out of an accepted record; no raw values. */
  readonly warnings: readonly {
    readonly reference: string;
    readonly field: string;
    readonly reason: string;
  }[];
}

/**
 * Runs a Bundle through the code of the registry, offline and storing nothing: the same mapper, the
 * same decisions, one record after the other.
 */
export const previewSubmission = (
  bundle: JsonObject,
  keyKind: 'native' | 'partner',
  registryCodeSystems: readonly string[],
  receivedAt: string,
): SubmissionPreview => {
  // Nothing leaves this function: the texts themselves serve as their hashes.
  const asItIs = (_scope: string, text: string) => text;
  const courses = mapSubmission(bundle, {
    practiceId: 'preview',
    keyKind,
    registryCodeSystems,
    partnerId: keyKind === 'partner' ? 'preview' : null,
    recordHash: asItIs,
    fingerprintKeys: { current: [firstFingerprintKey(asItIs)], older: [] },
    offsetAt: null,
    providerId: (_practiceId, _partnerId, identity) => identity,
  });
  const ledger = newLedger();
  const sent: SentCourses = {
    ingestionId: 'preview',
    practiceId: 'preview',
    keyKind,
    source: 'fhir_push',
    receivedAt,
  };
  const names: NewNames = {
    idOf: (_ingestionId, position) => `record[${position}]`,
    submissionHash: (submissionUuid) => submissionUuid,
  };
  const outcomes = courses.map((queued) =>
    decideQueued(courseToDecide(queued, sent, names), ledger),
  );
  const { outcome } = completedReceipt(
    '',
    outcomes.flatMap(({ accepted }) => accepted ?? []),
    outcomes.flatMap(({ rejected }) => rejected ?? []),
    '',
  ) as Extract<Receipt, { status: 'completed' }>;
  return {
    accepted: outcome.accepted.map(({ submission_uuid: _, ...entry }) => entry),
    rejected: outcome.rejected,
    warnings: outcomes.flatMap(({ events, accepted }) =>
      events.flatMap(({ data }) =>
        'course' in data
          ? data.course.warnings.map(({ field, reason }) => ({
              reference: accepted?.reference ?? '',
              field,
              reason,
            }))
          : [],
      ),
    ),
  };
};
