import type { UndoneRecords } from '../../domain/submission/events.ts';

/** An import as the list of past imports tells of it. */
export interface PastImport {
  readonly importId: string;
  readonly memberId: string;
  /** When it was confirmed. */
  readonly at: Date;
  /** Filled rows of the file. */
  readonly rows: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Once it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** Whether a person takes it back, or has. */
  readonly undo: 'none' | 'begun' | 'over';
}

/** What undoing an import would do, by what the read tables hold. */
export interface ImportEffect {
  /** Records that it created, amended, and made live again. */
  readonly created: number;
  readonly amended: number;
  readonly revived: number;
  /** Those of all of them that someone has changed since, and the first of these. */
  readonly changed: number;
  readonly firstChanged: readonly string[];
}

/** An import that is being undone, or was. */
export interface UndoProgress {
  /** Member id of the person who began it. */
  readonly by: string;
  readonly begunAt: Date;
  /** Records that the import wrote. */
  readonly total: number;
  readonly done: UndoneRecords | null;
  /** ISO 8601 with offset; null while records are left. */
  readonly undoneAt: string | null;
}

/** A file that was checked and waits for its confirmation. */
export interface WaitingCheck {
  readonly importId: string;
  readonly checkedAt: Date;
  readonly rows: number;
}

/** Whose an import is, and where it stands before its ingestion. */
export interface ImportOwner {
  readonly memberId: string;
  readonly isConfirmed: boolean;
  readonly isExpired: boolean;
}
