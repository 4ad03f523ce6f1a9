import type { SubmissionSource } from '../birth-record/events.ts';
import type { Actor } from '../event-log.ts';
import type { IngestionEnvelope } from './events.ts';
import type { QueueContent, QueueLimit } from './queue-share.ts';
import type { QueuedItem } from './queued-item.ts';

export interface NewQueueEntry extends Omit<IngestionEnvelope, 'imported' | 'keyId' | 'keyKind'> {
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  /** True if its id is derived from an idempotency key, so that an earlier request may have used it. */
  readonly isKeyed: boolean;
  /** Courses in chunks, in the order of the submission. */
  readonly chunks: readonly (readonly QueuedItem[])[];
}

/** Submission in the queue, not known to have ended. */
export interface QueueEntry extends IngestionEnvelope {
  readonly source: SubmissionSource;
  readonly actor: Actor;
  /** Its only chunk, encrypted, if loaded with the entry; {@link DecryptChunks} decrypts it. */
  readonly sealed: Buffer | null;
  readonly attempts: number;
  /** True if there was an earlier attempt, counted or not: some of its records may be in the log. */
  readonly mayBePartiallyRecorded: boolean;
  /** Revision of the ingestion's last projected event; `null` if none is projected. */
  readonly revision: bigint | null;
  /** True if the projector skips later events of this ingestion. */
  readonly isParked: boolean;
  /** Class name of the error that ended the last attempt; `null` if none was recorded. */
  readonly lastFault: string | null;
  readonly isExpired: boolean;
}

export interface EnqueueConditions {
  /** Called right before the write; if it throws, nothing is stored. */
  readonly requirePermission: () => Promise<void>;
  /** Limits of the queue that no process may exceed; `null` if they are far. */
  readonly limits: QueueContent | null;
}

/**
 * Durable, which is what the 202 promises. Concurrent calls share one transaction.
 * @returns `known`, or the limit that the entry would exceed: nothing was queued
 */
export type Enqueue = (
  entry: NewQueueEntry,
  conditions: EnqueueConditions,
) => Promise<'queued' | 'known' | QueueLimit>;

/** True if an ingestion is queued or projected, so its push was answered with a 202. */
export type IsKnownIngestion = (ingestionId: string) => Promise<boolean>;

/** Deletes entries whose end is projected, or that lost the race for their idempotency key. */
export type Dequeue = (ingestionIds: readonly string[]) => Promise<void>;

/** Returns the entries of a practice that are ready for processing, oldest first, excluding `except`. */
export type PickEntries = (
  practiceId: string,
  except: readonly string[],
  limit: number,
) => Promise<readonly QueueEntry[]>;

/** Durable, before the attempt begins; marks the entry as possibly recorded in part. */
export type ClaimEntries = (ingestionIds: readonly string[]) => Promise<void>;

/** Undoes the count of an attempt that ended because the log or the database was unavailable. */
export type ReleaseClaims = (ingestionIds: readonly string[]) => Promise<void>;

/** Resets the count to this attempt: part of the entry is recorded, and the next attempt begins after it. */
export type ResetAttempts = (ingestionIds: readonly string[]) => Promise<void>;

export type RecordFault = (ingestionIds: readonly string[], exception: string) => Promise<void>;

export interface ChunkOfEntry {
  readonly entry: QueueEntry;
  /** Zero-based. */
  readonly chunk: number;
}

/** Decrypts chunks in the requested order; `null` for a chunk that no longer exists. */
export type DecryptChunks = (
  chunks: readonly ChunkOfEntry[],
) => Promise<readonly (readonly QueuedItem[] | null)[]>;

export type FindPracticesWithWork = (except: readonly string[]) => Promise<readonly string[]>;

export type DropFinishedEntries = () => Promise<void>;

/** Deletes chunks whose entry no longer exists. */
export type DropOrphanedChunks = () => Promise<void>;

/** Returns ingestions older than this that have not ended and have no queue entry. */
export type FindIngestionsWithoutEntry = (olderThanMs: number) => Promise<readonly string[]>;

/** Content of each practice that has any. Cheap, however deep the queue is. */
export type CountQueued = () => Promise<ReadonlyMap<string, QueueContent>>;
