/** What somebody of the practice should look at. */
export interface Attention {
  readonly suspectedDuplicates: number;
  readonly failedSubmissions: number;
  /** Of what EHRs sent. */
  readonly refusedRecords: number;
  readonly refusedRows: number;
}

/** A submission of an EHR, or an import. */
export interface SubmissionLine {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  /** As records name it: `fhir_push`, `csv`. */
  readonly source: string;
  /** Null: the key has no name, or nobody sent it. */
  readonly sentBy: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  readonly accepted: number | null;
  readonly rejected: number | null;
}

/** A record that was entered or changed. */
export interface RecordLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  readonly keyKind: 'native' | 'partner' | null;
  readonly status: 'live' | 'voided';
  readonly isSuspectedDuplicate: boolean;
  readonly version: number;
  readonly source: string;
  readonly changedAt: Date;
}

/** What the home page asks of the read tables. */
export interface HomeParts {
  readonly attention: (practiceId: string, since: Date) => Promise<Attention>;
  readonly recentSubmissions: (
    practiceId: string,
    most: number,
  ) => Promise<readonly SubmissionLine[]>;
  readonly recentRecords: (practiceId: string, most: number) => Promise<readonly RecordLine[]>;
  readonly now: () => Date;
}
