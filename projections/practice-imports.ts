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

/** What a practice's pages know of its imports beside their content. */
export interface PracticeImports {
  /** The latest imports, newest first. @param memberId only those of one member; null for all */
  past(practiceId: string, memberId: string | null, most: number): Promise<readonly PastImport[]>;
  /** Files that a member has checked and neither imported nor dropped, newest first. */
  waiting(practiceId: string, memberId: string): Promise<readonly WaitingCheck[]>;
  /** Whose a staged import is; null if the practice has none of this id (any more). */
  ownerOf(practiceId: string, importId: string): Promise<ImportOwner | null>;
  /** Deletes a check of a member's own; one that is confirmed stays. @returns whether it is gone */
  drop(practiceId: string, memberId: string, importId: string): Promise<boolean>;
}
