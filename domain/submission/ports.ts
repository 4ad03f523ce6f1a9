import type { SubmissionSource } from '../birth-record/events.ts';
import type { Actor } from '../event-log.ts';
import type { IngestionEnvelope } from './events.ts';
import type { QueuedItem } from './queued-item.ts';

/** A submission on its way into the queue. */
export interface NewQueueEntry extends Omit<IngestionEnvelope, 'imported' | 'keyId' | 'keyKind'> {
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  /** Its id follows from an Idempotency-Key: it may have been taken before. */
  readonly isKeyed: boolean;
  /** Courses in chunks, in the order of the submission. */
  readonly chunks: readonly (readonly QueuedItem[])[];
}

/** A submission in the queue, not known to have ended. */
export interface QueueEntry extends IngestionEnvelope {
  readonly source: SubmissionSource;
  /** The key or the member that it came from. */
  readonly actor: Actor;
  /** Its only chunk, sealed, if that came with the entry; {@link DecryptChunks} opens it. */
  readonly sealed: Buffer | null;
  /** Times a worker has taken it up. */
  readonly attempts: number;
  /** A worker has taken it up before, counted or not: some of its records may be in the log. */
  readonly mayBePartiallyRecorded: boolean;
  /** Revision of the ingestion's last projected event; null if none is projected. */
  readonly revision: bigint | null;
  /** True if the projector skips later events of this ingestion. */
  readonly isParked: boolean;
  /** Class name of the fault that ended the last try; null if none was noted. */
  readonly lastFault: string | null;
  readonly isExpired: boolean;
}

/**
 * Makes an entry durable: this is what its 202 promises. Many at once share one transaction.
 * @returns `known` when its Idempotency-Key was used before: then nothing was queued
 */
export type Enqueue = (entry: NewQueueEntry) => Promise<'queued' | 'known'>;

/** True if an ingestion is queued or projected, so its push has had its 202. */
export type IsKnownIngestion = (ingestionId: string) => Promise<boolean>;

/** Drops entries whose end is projected, or that lost the race for their Idempotency-Key. */
export type Dequeue = (ingestionIds: readonly string[]) => Promise<void>;

/** Entries of a practice that can be worked on, oldest first, without those in `except`. */
export type PickEntries = (
  practiceId: string,
  except: readonly string[],
  most: number,
) => Promise<readonly QueueEntry[]>;

/** Counts an attempt of each entry durably before it begins, and marks it as possibly recorded in part. */
export type ClaimEntries = (ingestionIds: readonly string[]) => Promise<void>;

/** Takes the count back: the try ended because the log or the database was away. */
export type ReleaseClaims = (ingestionIds: readonly string[]) => Promise<void>;

/** Counts this try as the first: part of the entry is recorded, and the next try begins after it. */
export type ResetAttempts = (ingestionIds: readonly string[]) => Promise<void>;

/** Notes the class name of the fault that ended a try of these entries. */
export type RecordFault = (ingestionIds: readonly string[], exception: string) => Promise<void>;

/** One chunk of an entry. */
export interface ChunkOfEntry {
  readonly entry: QueueEntry;
  /** Zero-based. */
  readonly chunk: number;
}

/** Decrypts chunks in the requested order; null for a chunk that no longer exists. */
export type DecryptChunks = (
  wanted: readonly ChunkOfEntry[],
) => Promise<readonly (readonly QueuedItem[] | null)[]>;

/** Practices that have entries which can be worked on, without those in `except`. */
export type PracticesWithWork = (except: readonly string[]) => Promise<readonly string[]>;

/** Drops entries whose end is projected. */
export type DropFinishedEntries = () => Promise<void>;

/** Drops courses whose entry is gone. */
export type DropOrphanedChunks = () => Promise<void>;

/** Ingestions older than this that are not terminal and have no entry left. */
export type IngestionsWithoutEntry = (olderThanMs: number) => Promise<readonly string[]>;

/** Content of the queue, across all practices. */
export interface QueueContent {
  readonly courses: number;
  /** Of their sealed courses. */
  readonly bytes: number;
}

/** Counts what waits in the queue. */
export type CountQueued = () => Promise<QueueContent>;
