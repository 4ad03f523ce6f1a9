import type { SubmissionSource } from '../course-of-care/events.ts';
import type { Actor } from '../event-log.ts';
import type { QueuedCourse } from './queued-course.ts';

/** A submission on its way into the queue. */
export interface NewQueueEntry {
  /** Names the entry; the ingestion's stream tells which attempt counts. */
  readonly attempt: string;
  readonly ingestionId: string;
  readonly practiceId: string;
  readonly keyKind: 'native' | 'partner';
  /** Courses in chunks, in the order of the submission. */
  readonly chunks: readonly (readonly QueuedCourse[])[];
  readonly courses: number;
}

/** A submission in the queue that its ingestion's stream names, not yet terminal. */
export interface QueueEntry {
  readonly attempt: string;
  readonly ingestionId: string;
  readonly practiceId: string;
  /** Null when a person brought it. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly source: SubmissionSource;
  /** The key or the member that it came from. */
  readonly actor: Actor;
  readonly correlationId: string;
  /** When the registry got it, ISO 8601. */
  readonly receivedAt: string;
  readonly courses: number;
  /** Times a worker has taken it up. */
  readonly attempts: number;
  /** A worker has taken it up before, counted or not: some of its records may be in the log. */
  readonly isInDoubt: boolean;
  /** Class name of the fault that ended the last try; null if none was noted. */
  readonly lastFault: string | null;
  readonly isExpired: boolean;
  /** Times that a worker has begun, as projected. */
  readonly run: number;
  /** Revision of the ingestion's last projected event. */
  readonly revision: bigint;
}

/** Makes an entry durable. Many at once share one transaction. */
export type Enqueue = (entry: NewQueueEntry) => Promise<void>;

/** Drops an entry that lost the race for its Idempotency-Key. */
export type Dequeue = (attempts: readonly string[]) => Promise<void>;

/** Entries of a practice that can be worked on, oldest first, without those in `except`. */
export type PickEntries = (
  practiceId: string,
  except: readonly string[],
  most: number,
) => Promise<readonly QueueEntry[]>;

/** Counts one more try of each entry, durably, before it is begun, and that it may be in doubt. */
export type ClaimEntries = (attempts: readonly string[]) => Promise<void>;

/** Takes the count back: the try ended because the log or the database was away. */
export type UnclaimEntries = (attempts: readonly string[]) => Promise<void>;

/** Counts this try as the first: part of the entry is recorded, and the next try begins after it. */
export type CountAnew = (attempts: readonly string[]) => Promise<void>;

/** Notes the class name of the fault that ended a try of these entries. */
export type NoteFault = (attempts: readonly string[], exception: string) => Promise<void>;

/** One chunk of an entry. */
export interface ChunkOfEntry {
  readonly entry: QueueEntry;
  /** Zero-based. */
  readonly chunk: number;
}

/** Opens chunks, in the order asked for; null where one is not there any more. */
export type OpenChunks = (
  wanted: readonly ChunkOfEntry[],
) => Promise<readonly (readonly QueuedCourse[] | null)[]>;

/** Practices that have entries which can be worked on. */
export type PracticesWithWork = () => Promise<readonly string[]>;

/** An entry that no ingestion's stream is known to name, and its ingestion. */
export interface UnconfirmedEntry {
  readonly attempt: string;
  readonly ingestionId: string;
}

/**
 * Drops entries whose end is projected, or that lost the race for their ingestion: `taken up` only
 * those that a worker has begun, which are few however deep the queue is. @returns how many
 */
export type DropFinishedEntries = (among: 'taken up' | 'all') => Promise<number>;

/** Drops courses whose entry is gone. */
export type DropOrphanedChunks = () => Promise<void>;

/**
 * Entries older than this whose ingestion is not projected, without those of confirmed imports that
 * are still to be announced.
 */
export type UnconfirmedEntries = (olderThanMs: number) => Promise<readonly UnconfirmedEntry[]>;

/** Ingestions older than this that are not terminal and have no entry left. */
export type IngestionsWithoutEntry = (olderThanMs: number) => Promise<readonly string[]>;

/** Courses that wait in the queue, over all practices. */
export type QueuedCourses = () => Promise<number>;
