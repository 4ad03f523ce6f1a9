import type { CourseOfCare } from '../course/course.ts';
import type { Fact } from '../event-log.ts';
import type { AttributedPart, NamedProvider } from '../provider/details.ts';

/** Source of a course of care. @see spec "Other named values" */
export type SubmissionSource = 'manual' | 'csv' | 'fhir_push' | 'ehr_pull';

/** Which course of which ingestion an event answers: a repeated run finds its own events by it. */
export interface SubmissionItemId {
  readonly ingestionId: string;
  /** Zero-based position of the course in the submission. */
  readonly position: number;
}

/** The pre-fill that a person saved. The access log uses it to find who viewed it before. */
export interface PrefillSaved {
  readonly prefillId: string;
  /** Host of the EHR's FHIR address. */
  readonly ehr: string;
  /** The pre-fills whose charts were added to it: the mother's, or the newborns'. */
  readonly otherIds?: readonly string[];
}

/** One version of a birth record: the whole course of care, and who sent it how. */
export interface RecordVersion {
  /** Id of the record: given at its first version, then the same for its life. */
  readonly submissionUuid: string;
  readonly practiceId: string;
  /** 1 at first; each amendment, retraction and revival adds 1. */
  readonly version: number;
  readonly source: SubmissionSource;
  /** Kind of the key that sent it; null when a person did. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  /** Providers that the Bundle names; partner lane only, else empty. */
  readonly providers: readonly NamedProvider[];
  /** Staleness stamp held after this version, ISO 8601; null while no version had one. */
  readonly stamp: string | null;
  /** Keyed hashes of the mother's name with each newborn date/time, each by two rules. @see spec "Duplicate fingerprint" */
  readonly fingerprints: readonly string[];
  readonly mark: SubmissionItemId | null;
  /** Absent: it was not a pre-fill, or it was saved before this was kept. */
  readonly prefill?: PrefillSaved;
  /** The duplicate that values were taken from, and which ones, as `findDifferences` names them. */
  readonly mergedFrom?: { readonly submissionUuid: string; readonly paths: readonly string[] };
  /** Why a person corrected or restored the record; absent in versions from before this was asked. */
  readonly reason?: string;
  /** The earlier version whose values this one brought back. */
  readonly restored?: { readonly version: number };
  /** The import that was undone by this version. */
  readonly undoneImport?: string;
}

/** A birth was entered for the first time under its chart number. */
export type BirthRecorded = Fact<'BirthRecorded', RecordVersion>;

/** A later version replaced the course of care; also revives a voided record. */
export type BirthAmended = Fact<'BirthAmended', RecordVersion>;

/** The record was voided: it is no longer counted, and its history is kept. */
export type BirthRetracted = Fact<
  'BirthRetracted',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    readonly version: number;
    readonly source: SubmissionSource;
    /** Why a person voided it; a retraction sent by a system gives none. */
    readonly reason?: string | null;
    /** The record that took its values over: this one was its duplicate. */
    readonly mergedInto?: string;
    /** The import that was undone by this void. */
    readonly undoneImport?: string;
    readonly mark: SubmissionItemId | null;
  }
>;

/** The record looks like an older one of the practice; both are kept. */
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

/** A person's decision on a candidate pair, stored on the flagged record, or else on the younger one. */
type PairDecision = DuplicateFlagged['data'] & {
  /** The record that the flag still names: the decision is about a pair that it does not name. */
  readonly standingFlag?: string;
};

/** A person found that the two births are different: the pair is closed, and can be opened again. */
export type DuplicateDismissed = Fact<'DuplicateDismissed', PairDecision>;

/** The dismissal was undone: the two look alike again. */
export type DuplicateFlagRestored = Fact<'DuplicateFlagRestored', PairDecision>;

/** A person had voided the record, it was sent again, and a person keeps it live. */
export type RevivalKept = Fact<
  'RevivalKept',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    /** The version that made the record live again; keeping it makes no other. */
    readonly version: number;
    readonly mark: SubmissionItemId | null;
  }
>;

/** A person found that values which are hard to believe are right. */
export type QuestionsConfirmed = Fact<
  'QuestionsConfirmed',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    /** The version that holds the values; confirming them makes no other. */
    readonly version: number;
    /** Paths of the values: `children.0.birth_weight_grams`. */
    readonly questions: readonly string[];
    readonly mark: SubmissionItemId | null;
  }
>;

/** The provider that the record names was merged: it names the survivor now, at the same version. */
export type AttributionRepointed = Fact<
  'AttributionRepointed',
  {
    readonly submissionUuid: string;
    readonly practiceId: string;
    readonly part: AttributedPart;
    /** Provider ids. */
    readonly from: string;
    readonly to: string;
    /** The course that named the absorbed provider after the merge; null for the merge itself. */
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
