import type { UndoneRecords } from '../../domain/submission/events.ts';

export interface PastImport {
  readonly importId: string;
  readonly memberId: string;
  readonly at: Date;
  /** Non-empty rows of the file. */
  readonly rows: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Null until completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly undo: 'none' | 'begun' | 'over';
}

export interface ImportEffect {
  readonly created: number;
  readonly amended: number;
  readonly revived: number;
  /** Records among them that were changed since the import, and the first few of those. */
  readonly changed: number;
  readonly firstChanged: readonly string[];
}

export interface UndoProgress {
  /** Member id of the person who began the undo. */
  readonly by: string;
  readonly begunAt: Date;
  readonly total: number;
  readonly done: UndoneRecords | null;
  /** ISO 8601 with offset; null until all records are undone. */
  readonly undoneAt: string | null;
}

export interface WaitingCheck {
  readonly importId: string;
  readonly checkedAt: Date;
  readonly rows: number;
}

export interface ImportOwner {
  readonly memberId: string;
  readonly isConfirmed: boolean;
  readonly isExpired: boolean;
}
