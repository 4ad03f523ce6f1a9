import type { SubmissionSource } from '../birth-record/events.ts';
import type { CourseReference } from '../course/chart-number.ts';
import type { Rejection } from '../course/rejections.ts';
import type { Fact } from '../event-log.ts';

/** One accepted record of an ingestion, as the receipt shows it. @see spec "outcome.accepted[] entry" */
export interface AcceptedEntry extends CourseReference {
  readonly submission_uuid: string;
  readonly suspected_duplicate?: true;
  readonly amended?: true;
  readonly retracted?: true;
  readonly version?: number;
}

/** One refused record of an ingestion; the receipt shows its issues as an OperationOutcome. */
export interface RejectedEntry extends CourseReference {
  readonly rejections: readonly Rejection[];
}

/** File of an import: the member who uploaded it, and the numbers of its rows. */
export interface ImportedFile {
  readonly memberId: string;
  /** Keyed hash of the file's bytes: the same file is recognized when it comes again. */
  readonly fileHash: string;
  /** Rows of the file between the first and the last course that hold nothing, from row 2 on. */
  readonly emptyRows: readonly number[];
}

/** Envelope of a submission, stored in the first event of its ingestion. */
export interface IngestionEnvelope {
  readonly ingestionId: string;
  readonly practiceId: string;
  /** The key that sent it; null for an import. */
  readonly keyId: string | null;
  readonly keyKind: 'native' | 'partner' | null;
  /** Present in an import alone: without it a Bundle was pushed. */
  readonly imported?: ImportedFile;
  /** Names the queue row that the ingestion was begun from. */
  readonly attempt: string;
  /** Courses of care in the submission. */
  readonly courses: number;
  readonly correlationId: string;
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

/** A submission was accepted. Version 0.1 wrote this event before its 202; it is no longer written. */
export type IngestionQueued = Fact<'IngestionQueued', IngestionEnvelope>;

/**
 * A submission of one chunk was processed at once: the only event of its ingestion. Outcomes are in
 * the order of the submission.
 */
export type SubmissionIngested = Fact<
  'SubmissionIngested',
  IngestionEnvelope & {
    readonly accepted: readonly AcceptedEntry[];
    readonly rejected: readonly RejectedEntry[];
    /** Positions in the submission of the rejected entries. */
    readonly rejectedAt: readonly number[];
    /** ISO 8601 instant with offset. */
    readonly completedAt: string;
  }
>;

/** A worker began, for the `run`-th time. Only one worker's append of a run succeeds. */
export type IngestionStarted = Fact<
  'IngestionStarted',
  {
    readonly ingestionId: string;
    readonly run: number;
    /** Present if it is the first event of the ingestion. */
    readonly head?: IngestionEnvelope;
  }
>;

/** One chunk of courses is through: these are its outcomes, in the order of the submission. */
export type RecordsProcessed = Fact<
  'RecordsProcessed',
  {
    readonly ingestionId: string;
    /** Zero-based number of the chunk. */
    readonly chunk: number;
    readonly accepted: readonly AcceptedEntry[];
    readonly rejected: readonly RejectedEntry[];
    /** Positions in the submission of the rejected entries; chunks written before lack it. */
    readonly rejectedAt?: readonly number[];
    /** Owner and source of the submission, as in its first event. Older chunks lack both. */
    readonly practiceId?: string;
    readonly source?: SubmissionSource;
  }
>;

/** Every course of the submission has its outcome. */
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
  /** Gone through, in the order of the file. */
  readonly records: number;
  /** The import had created them: they are voided. */
  readonly voided: number;
  /** The import had amended them: they say again what they said before. */
  readonly restored: number;
  /** The import had made them live again: they are voided as before. */
  readonly voidedAgain: number;
  /** Changed by a user after the undo began, so left unchanged. */
  readonly left: number;
}

/** A person undoes a completed import; its records follow one after another. The actor says who. */
export type ImportUndoBegun = Fact<
  'ImportUndoBegun',
  {
    readonly ingestionId: string;
    readonly practiceId: string;
    /** Records that the import wrote. */
    readonly records: number;
  }
>;

/** More records of the import are through: how many so far. */
export type ImportUndoProgressed = Fact<
  'ImportUndoProgressed',
  { readonly ingestionId: string } & UndoneRecords
>;

/** All records of the import are through: the same file may be imported again like a new one. */
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
