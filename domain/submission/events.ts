import { keyKind } from '../api-key/events.ts';
import { submissionSource } from '../birth-record/events.ts';
import type { Rejection } from '../course/rejections.ts';
import { defineEvents, type InferEvent } from '../define-events.ts';
import {
  array,
  count,
  custom,
  type Infer,
  type InferProperties,
  instant,
  literal,
  nullable,
  object,
  ordinal,
  text,
  uuid,
} from '../schema.ts';

/** Accepted record of an ingestion, as shown in the receipt. @see spec "outcome.accepted[] entry" */
export type AcceptedEntry = Infer<typeof acceptedEntry>;

const acceptedEntry = object(
  { reference: text, submission_uuid: uuid },
  {
    isChartNumber: literal(true),
    suspected_duplicate: literal(true),
    amended: literal(true),
    retracted: literal(true),
    version: ordinal,
  },
);

/** Refused record of an ingestion. The receipt shows its issues as an OperationOutcome. */
export type RejectedEntry = Infer<typeof rejectedEntry>;

// `named` is the submitted code that `diagnostics` quotes.
const rejection = object(
  { code: text, diagnostics: text },
  { id: text, named: text, expression: array(text) },
);

const rejectedEntry = object(
  { reference: text, rejections: array(custom<Rejection>(rejection)) },
  { isChartNumber: literal(true) },
);

const envelope = {
  ingestionId: text,
  practiceId: text,
  /** Key that sent it; `null` for an import. */
  keyId: nullable(text),
  keyKind: nullable(keyKind),
  /** Identifies the queue entry that the ingestion was started from. */
  attempt: uuid,
  /** Number of courses of care in the submission. */
  courses: count,
  correlationId: text,
  receivedAt: instant,
};

const optionalEnvelope = {
  /** Present only for an import; otherwise a Bundle was pushed. */
  imported: object({
    /** The member who uploaded the file. */
    memberId: text,
    /** Keyed hash of the file's bytes, to recognize the same file later. */
    fileHash: text,
    /** Numbers of the empty rows between the first and the last course, starting at row 2. */
    emptyRows: array(ordinal),
  }),
};

/** Envelope of a submission, stored in the first event of its ingestion. */
export type IngestionEnvelope = Infer<typeof ingestionEnvelope>;

const ingestionEnvelope = object(envelope, optionalEnvelope);

/** In the order of the submission. */
const outcomesAtOnce = {
  accepted: array(acceptedEntry),
  rejected: array(rejectedEntry),
  /** Positions of the rejected entries in the submission. */
  rejectedAt: array(count),
};

/** Result of a push, as part of an event about several. */
export type IngestedPush = Infer<typeof ingestedPush>;

const { practiceId: _practice, keyId: _key, keyKind: _kind, ...ownEnvelope } = envelope;
const ingestedPush = object({ ...ownEnvelope, ...outcomesAtOnce });

/** Counts of an import's records by the outcome of its undo. */
export type UndoneRecords = InferProperties<typeof undoneRecords>;

const undoneRecords = {
  /** Records processed so far, in file order. */
  records: count,
  /** Created by the import, so voided. */
  voided: count,
  /** Amended by the import, so restored to their earlier values. */
  restored: count,
  /** Revived by the import, so voided again. */
  voidedAgain: count,
  /** Changed since the import, so left unchanged. */
  left: count,
};

/** Events of an `ingestion-` stream. */
export const INGESTION_EVENTS = defineEvents('ingestion', {
  /** A submission was accepted. Version 0.1 appended this event before its 202; later versions do not. */
  IngestionQueued: ingestionEnvelope,

  /** A submission of one chunk was processed at once: the only event of its ingestion. */
  SubmissionIngested: object(
    { ...envelope, ...outcomesAtOnce, completedAt: instant },
    optionalEnvelope,
  ),

  /** A worker started attempt number `run`. Only one worker's append for an attempt succeeds. */
  IngestionStarted: object(
    { ingestionId: text, run: ordinal },
    {
      /** Present if it is the first event of the ingestion. */
      head: ingestionEnvelope,
    },
  ),

  /** A chunk of courses was processed. Outcomes are in the order of the submission. */
  RecordsProcessed: object(
    {
      ingestionId: text,
      /** Zero-based number of the chunk. */
      chunk: count,
      accepted: array(acceptedEntry),
      rejected: array(rejectedEntry),
    },
    {
      /** Positions of the rejected entries in the submission; absent in older chunks. */
      rejectedAt: array(count),
      /** Owner and source of the submission, as in its first event; absent in older chunks. */
      practiceId: text,
      source: submissionSource,
    },
  ),

  /** Every course of the submission has an outcome. */
  IngestionCompleted: object({
    ingestionId: text,
    accepted: count,
    rejected: count,
    completedAt: instant,
  }),

  /** The service could not process the submission. @see spec "Failed-ingestion outcome object" */
  IngestionFailed: object(
    {
      ingestionId: text,
      /** A fixed sentence, without any submitted value. */
      error: text,
      /** Class name of the exception, never its message. */
      exception: text,
      correlationId: text,
      completedAt: instant,
    },
    {
      /** Present if it is the first event of the ingestion. */
      head: ingestionEnvelope,
    },
  ),

  /** A user started to undo a completed import. Its records are undone one after another. */
  ImportUndoBegun: object({
    ingestionId: text,
    practiceId: text,
    /** Number of records that the import wrote. */
    records: count,
  }),

  /** More records of the import were undone; the counts are totals so far. */
  ImportUndoProgressed: object({ ingestionId: text, ...undoneRecords }),

  /** All records of the import were undone: the same file can be imported again as new. */
  ImportUndone: object({ ingestionId: text, ...undoneRecords, undoneAt: instant }),
});

type Events = typeof INGESTION_EVENTS;
export type IngestionEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;

/**
 * Events of an `ingestion-` stream that several pushes of one key share.
 * @see getSharedStream
 */
export const SHARED_INGESTION_EVENTS = defineEvents('ingestion', {
  /** Pushes of one chunk each were processed at once: the only event of each ingestion. */
  PushesIngested: object({
    practiceId: text,
    keyId: text,
    keyKind,
    pushes: array(ingestedPush),
    completedAt: instant,
  }),

  /**
   * A worker takes up pushes that another one may have begun. An append of that one now fails, and these pushes
   * end in streams of their own.
   */
  PushesTakenUp: object({ practiceId: text, ingestionIds: array(text) }),
});

type SharedEvents = typeof SHARED_INGESTION_EVENTS;
export type SharedIngestionEvent<Type extends keyof SharedEvents = keyof SharedEvents> = InferEvent<
  SharedEvents,
  Type
>;
