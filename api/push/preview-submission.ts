import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { createWorkingSet, type WorkingSet } from '../../domain/birth-record/working-set.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import {
  decideItem,
  type ItemsOfSubmission,
  type NewNames,
  toSubmissionItem,
} from '../../domain/submission/decide-item.ts';
import type { AcceptedEntry } from '../../domain/submission/events.ts';
import { buildCompletedReceipt, type Receipt } from '../../domain/submission/receipt.ts';
import { getRegistryCodeSystem, mapSubmission } from './map-submission.ts';

/** As for a practice without records. */
export interface SubmissionPreview {
  readonly accepted: readonly Omit<AcceptedEntry, 'submission_uuid'>[];
  readonly rejected: Extract<Receipt, { status: 'completed' }>['outcome']['rejected'];
  /** Without the values themselves. */
  readonly warnings: readonly {
    readonly reference: string;
    readonly field: string;
    readonly reason: string;
  }[];
}

export type PreviewSubmission = (bundle: JsonObject, receivedAt: string) => SubmissionPreview;

/**
 * Works offline with the registry's own mapper and decisions. Knows only the records of earlier
 * Bundles.
 */
export const createPreview = (
  keyKind: 'native' | 'partner',
  baseUrl: string,
): PreviewSubmission => {
  const registryCodeSystems = [getRegistryCodeSystem(baseUrl)];
  const workingSet = createWorkingSet();
  let bundles = 0;
  return (bundle, receivedAt) => {
    bundles += 1;
    return previewSubmission(bundle, {
      ...{ keyKind, registryCodeSystems, receivedAt, workingSet },
      ingestionId: String(bundles),
    });
  };
};

interface PreviewContext {
  readonly keyKind: 'native' | 'partner';
  readonly registryCodeSystems: readonly string[];
  readonly receivedAt: string;
  readonly workingSet: WorkingSet;
  readonly ingestionId: string;
}

const previewSubmission = (
  bundle: JsonObject,
  { keyKind, registryCodeSystems, receivedAt, workingSet, ingestionId }: PreviewContext,
): SubmissionPreview => {
  // Nothing leaves this function, so plain texts can replace their hashes.
  const keepText = (_scope: string, text: string) => text;
  const courses = mapSubmission(bundle, {
    practiceId: 'preview',
    keyKind,
    registryCodeSystems,
    partnerId: keyKind === 'partner' ? 'preview' : null,
    recordHash: keepText,
    fingerprintKeys: { current: [findFirstFingerprintKey(keepText)], older: [] },
    offsetAt: null,
    providerId: (_practiceId, _partnerId, identity) => identity,
  });
  const submission: ItemsOfSubmission = {
    ingestionId,
    practiceId: 'preview',
    keyKind,
    source: 'fhir_push',
    receivedAt,
  };
  const names: NewNames = {
    deriveId: (_ingestionId, position) => `${ingestionId}/${position}`,
    submissionHash: (submissionUuid) => submissionUuid,
  };
  const outcomes = courses.map((queued) =>
    decideItem(toSubmissionItem(queued, submission, names), workingSet),
  );
  const { outcome } = buildCompletedReceipt(
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
