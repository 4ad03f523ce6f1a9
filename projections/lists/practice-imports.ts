import type { CamelRow } from '../read-model.ts';

export interface PastImport
  extends Pick<CamelRow<'ingestion'>, 'status' | 'accepted' | 'rejected'> {
  readonly importId: string;
  readonly memberId: string;
  readonly at: Date;
  /** Non-empty rows of the file. */
  readonly rows: number;
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

export interface UndoProgress extends Pick<CamelRow<'ingestion'>, 'undoneAt'> {
  /** Member id of the person who began the undo. */
  readonly by: string;
  readonly begunAt: Date;
  readonly total: number;
  readonly done: CamelRow<'ingestion'>['undone'];
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
