import type { SubmissionSource } from '../birth-record/events.ts';
import type { CourseReference } from '../course/chart-number.ts';
import type { Rejection } from '../course/rejections.ts';
import type { Fact } from '../event-log.ts';

/** Accepted record of an ingestion, as shown in the receipt. @see spec "outcome.accepted[] entry" */
export interface AcceptedEntry extends CourseReference {
  readonly submission_uuid: string;
  readonly suspected_duplicate?: true;
  readonly amended?: true;
  readonly retracted?: true;
  readonly version?: number;
}

/** Refused record of an ingestion. The receipt shows its issues as an OperationOutcome. */
export interface RejectedEntry extends CourseReference {
  readonly rejections: readonly Rejection[];
}

/** File of an import: the member who uploaded it, and its empty rows. */
export interface ImportedFile {
  readonly memberId: string;
  /** Keyed hash of the file's bytes, to recognize the same file later. */
  readonly fileHash: string;
  /** Numbers of the empty rows between the first and the last course, starting at row 2. */
  readonly emptyRows: readonly number[];
}

/** Envelope of a submission, stored in the first event of its ingestion. */
export interface IngestionEnvelope {
  readonly ingestionId: string;
  readonly practiceId: string;
  /** Key that sent it; `null` for an import. */
  readonly keyId: string | null;
  readonly keyKind: 'native' | 'partner' | null;
  /** Present only for an import; otherwise a Bundle was pushed. */
  readonly imported?: ImportedFile;
  /** Identifies the queue entry that the ingestion was started from. */
  readonly attempt: string;
  /** Number of courses of care in the submission. */
  readonly courses: number;
  readonly correlationId: string;
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

/** A submission was accepted. Version 0.1 appended this event before its 202; later versions do not. */
export type IngestionQueued = Fact<'IngestionQueued', IngestionEnvelope>;

/**
 * A submission of one chunk was processed at once: the only event of its ingestion. Outcomes are in the order
 * of the submission.
 */
export type SubmissionIngested = Fact<
  'SubmissionIngested',
  IngestionEnvelope & {
    readonly accepted: readonly AcceptedEntry[];
    readonly rejected: readonly RejectedEntry[];
    /** Positions of the rejected entries in the submission. */
    readonly rejectedAt: readonly number[];
    /** ISO 8601 instant with offset. */
    readonly completedAt: string;
  }
>;

/** A worker started attempt number `run`. Only one worker's append for an attempt succeeds. */
export type IngestionStarted = Fact<
  'IngestionStarted',
  {
    readonly ingestionId: string;
    readonly run: number;
    /** Present if it is the first event of the ingestion. */
    readonly head?: IngestionEnvelope;
  }
>;

/** A chunk of courses was processed. Outcomes are in the order of the submission. */
export type RecordsProcessed = Fact<
  'RecordsProcessed',
  {
    readonly ingestionId: string;
    /** Zero-based number of the chunk. */
    readonly chunk: number;
    readonly accepted: readonly AcceptedEntry[];
    readonly rejected: readonly RejectedEntry[];
    /** Positions of the rejected entries in the submission; absent in older chunks. */
    readonly rejectedAt?: readonly number[];
    /** Owner and source of the submission, as in its first event; absent in older chunks. */
    readonly practiceId?: string;
    readonly source?: SubmissionSource;
  }
>;

/** Every course of the submission has an outcome. */
export type IngestionCompleted = Fact<
  'IngestionCompleted',
  {
    readonly ingestionId: string;
    readonly accepted: number;
    readonly rejected: number;
    /** ISO 8601 instant with offset. */
    readonly completedAt: string;
  }
>;

/** The service could not process the submission. @see spec "Failed-ingestion outcome object" */
export type IngestionFailed = Fact<
  'IngestionFailed',
  {
    readonly ingestionId: string;
    /** A fixed sentence, without any submitted value. */
    readonly error: string;
    /** Class name of the exception, never its message. */
    readonly exception: string;
    readonly correlationId: string;
    readonly completedAt: string;
    /** Present if it is the first event of the ingestion. */
    readonly head?: IngestionEnvelope;
  }
>;

/** Counts of an import's records by the outcome of its undo. */
export interface UndoneRecords {
  /** Records processed so far, in file order. */
  readonly records: number;
  /** Created by the import, so voided. */
  readonly voided: number;
  /** Amended by the import, so restored to their earlier values. */
  readonly restored: number;
  /** Revived by the import, so voided again. */
  readonly voidedAgain: number;
  /** Changed since the import, so left unchanged. */
  readonly left: number;
}

/** A user started to undo a completed import. Its records are undone one after another. */
export type ImportUndoBegun = Fact<
  'ImportUndoBegun',
  {
    readonly ingestionId: string;
    readonly practiceId: string;
    /** Number of records that the import wrote. */
    readonly records: number;
  }
>;

/** More records of the import were undone; the counts are totals so far. */
export type ImportUndoProgressed = Fact<
  'ImportUndoProgressed',
  { readonly ingestionId: string } & UndoneRecords
>;

/** All records of the import were undone: the same file can be imported again as new. */
export type ImportUndone = Fact<
  'ImportUndone',
  {
    readonly ingestionId: string;
    /** ISO 8601 instant with offset. */
    readonly undoneAt: string;
  } & UndoneRecords
>;

/** Events of an `ingestion-` stream. */
export type IngestionEvent =
  | IngestionQueued
  | SubmissionIngested
  | IngestionStarted
  | RecordsProcessed
  | IngestionCompleted
  | IngestionFailed
  | ImportUndoBegun
  | ImportUndoProgressed
  | ImportUndone;
