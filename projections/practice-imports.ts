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
