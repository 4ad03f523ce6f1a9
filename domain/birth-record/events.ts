import type { CourseOfCare } from '../course/course.ts';
import type { Fact } from '../event-log.ts';
import type { AttributedPart, NamedProvider } from '../provider/details.ts';

/** Source of a course of care. @see spec "Other named values" */
export type SubmissionSource = 'manual' | 'csv' | 'fhir_push' | 'ehr_pull';

/** Item of an ingestion that an event belongs to, so that a retry finds the events it already appended. */
export interface SubmissionItemId {
  readonly ingestionId: string;
  /** Zero-based position of the course in the submission. */
  readonly position: number;
}

/** Pre-fill that a user saved. The access log uses it to find earlier views of its patient data. */
export interface PrefillSaved {
  readonly prefillId: string;
  /** Host name of the EHR's FHIR endpoint. */
  readonly ehr: string;
  /** Pre-fills whose charts were added to it: the mother's or the newborns'. */
  readonly otherIds?: readonly string[];
}

/** Version of a birth record: the whole course of care, and its origin. */
export interface RecordVersion {
  /** Id of the record, assigned with its first version. It never changes. */
  readonly submissionUuid: string;
  readonly practiceId: string;
  /** Starts at 1; each amendment, retraction, and revival adds 1. */
  readonly version: number;
  readonly source: SubmissionSource;
  /** Kind of the key that sent it; `null` for a user's version. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  /** Providers in a partner's Bundle; otherwise empty. */
  readonly providers: readonly NamedProvider[];
  /** Staleness stamp after this version, ISO 8601; `null` until a version has one. */
  readonly stamp: string | null;
  /**
   * Keyed hashes of the mother's name with each newborn date and time, by each rule.
   * @see spec "Duplicate fingerprint"
   */
  readonly fingerprints: readonly string[];
  readonly mark: SubmissionItemId | null;
  /** Absent if it was not a pre-fill, and in versions from before this field existed. */
  readonly prefill?: PrefillSaved;
  /** Duplicate that values were copied from, and their paths, as named by `findDifferences`. */
  readonly mergedFrom?: { readonly submissionUuid: string; readonly paths: readonly string[] };
  /**
   * Reason that a user corrected or restored the record; absent in versions from before reasons were
   * required.
   */
  readonly reason?: string;
  /** Earlier version that this one restored. */
  readonly restored?: { readonly version: number };
  /** Import that this version undid. */
  readonly undoneImport?: string;
}

/** A birth was recorded for the first time under its chart number. */
export type BirthRecorded = Fact<'BirthRecorded', RecordVersion>;

/** A later version replaced the course of care; also revives a voided record. */
export type BirthAmended = Fact<'BirthAmended', RecordVersion>;

/** The record was voided: it no longer counts, but its history is kept. */
export type BirthRetracted = Fact<
  'BirthRetracted',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    readonly version: number;
    readonly source: SubmissionSource;
    /** Reason, if voided by a user; retractions from senders have none. */
    readonly reason?: string | null;
    /** Record that it was merged into as a duplicate. */
    readonly mergedInto?: string;
    /** Import that this void undid. */
    readonly undoneImport?: string;
    readonly mark: SubmissionItemId | null;
  }
>;

/** The record matches an older one of the practice. Both are kept. */
export type DuplicateFlagged = Fact<
  'DuplicateFlagged',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    /** Submission uuid of the older record. */
    readonly duplicateOf: string;
    readonly mark: SubmissionItemId | null;
  }
>;

/**
 * A user's decision on a candidate pair, stored on the flagged record, or on the younger one if neither is
 * flagged.
 */
type PairDecision = DuplicateFlagged['data'] & {
  /** Record that the flag still names, if the decision is about another pair. */
  readonly standingFlag?: string;
};

/** A user decided that two births are different. This can be undone. */
export type DuplicateDismissed = Fact<'DuplicateDismissed', PairDecision>;

/** A user undid the dismissal: the two are match candidates again. */
export type DuplicateFlagRestored = Fact<'DuplicateFlagRestored', PairDecision>;

/** A user decided to keep a record live that had been voided by a user and then sent again. */
export type RevivalKept = Fact<
  'RevivalKept',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    /** Version that revived the record; keeping it creates no new version. */
    readonly version: number;
    readonly mark: SubmissionItemId | null;
  }
>;

/** A user confirmed that unusual values are correct. */
export type QuestionsConfirmed = Fact<
  'QuestionsConfirmed',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    /** Version with the values; confirming them creates no new version. */
    readonly version: number;
    /** Paths of the values, such as `children.0.birth_weight_grams`. */
    readonly questions: readonly string[];
    readonly mark: SubmissionItemId | null;
  }
>;

/** A provider in the record was merged: the record now names the survivor. The version does not change. */
export type AttributionRepointed = Fact<
  'AttributionRepointed',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    readonly part: AttributedPart;
    /** Provider ids. */
    readonly from: string;
    readonly to: string;
    /** Course that named the absorbed provider after the merge; `null` for the merge itself. */
    readonly mark: SubmissionItemId | null;
  }
>;

/** Events of a `record-` stream. */
export type BirthRecordEvent =
  | BirthRecorded
  | BirthAmended
  | BirthRetracted
  | DuplicateFlagged
  | DuplicateDismissed
  | DuplicateFlagRestored
  | RevivalKept
  | QuestionsConfirmed
  | AttributionRepointed;
