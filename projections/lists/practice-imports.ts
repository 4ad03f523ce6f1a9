import type { UndoneRecords } from '../../domain/submission/events.ts';

/** An import in the list of past imports. */
export interface PastImport {
  readonly importId: string;
  readonly memberId: string;
  /** Time of confirmation. */
  readonly at: Date;
  /** Non-empty rows of the file. */
  readonly rows: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Null until completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** Progress of an undo. */
  readonly undo: 'none' | 'begun' | 'over';
}

/** Effect of undoing an import, according to the read tables. */
export interface ImportEffect {
  /** Records that it created, amended, and revived. */
  readonly created: number;
  readonly amended: number;
  readonly revived: number;
  /** Records among them that were changed since the import, and the first few of those. */
  readonly changed: number;
  readonly firstChanged: readonly string[];
}

/** An import whose undo has begun. */
export interface UndoProgress {
  /** Member id of the person who began the undo. */
  readonly by: string;
  readonly begunAt: Date;
  /** Records that the import wrote. */
  readonly total: number;
  readonly done: UndoneRecords | null;
  /** ISO 8601 with offset; null until all records are undone. */
  readonly undoneAt: string | null;
}

/** A checked file that awaits confirmation. */
export interface WaitingCheck {
  readonly importId: string;
  readonly checkedAt: Date;
  readonly rows: number;
}

/** Owner of an import, and its state before ingestion. */
export interface ImportOwner {
  readonly memberId: string;
  readonly isConfirmed: boolean;
  readonly isExpired: boolean;
}
