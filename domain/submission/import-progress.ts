import type { AcceptedEntry, RejectedEntry } from './events.ts';

/** Where a confirmed import stands. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Member id of who confirmed it. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** Rows that have their outcome. */
  readonly processed: number;
  /** Filled rows of the file. */
  readonly total: number;
  /** Once it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** ISO 8601 with offset; null while it goes on. */
  readonly completedAt: string | null;
  /** Class name of the fault that ended a failed import; null otherwise. */
  readonly exception: string | null;
  /** Rows of the file that held nothing. */
  readonly emptyRows: readonly number[];
}

/** The progress of an import of a practice; null if it has none of this id that was confirmed. */
export type FindProgress = (practiceId: string, importId: string) => Promise<ImportProgress | null>;

/** The outcomes of one chunk of an import. */
export interface ChunkOutcomes {
  /** Zero-based number of the chunk. */
  readonly chunk: number;
  readonly accepted: readonly AcceptedEntry[];
  readonly rejected: readonly RejectedEntry[];
  /** Positions in the submission of the rejected ones. */
  readonly rejectedAt: readonly number[];
}

/** Outcomes of an import, chunk by chunk in order, a page in memory at a time. */
export type ReadOutcomes = (importId: string) => AsyncIterable<ChunkOutcomes>;
