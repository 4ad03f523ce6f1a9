/** What somebody of the practice should look at. */
export interface AttentionCounts {
  readonly suspectedDuplicates: number;
  /** Submissions that could not be taken at all, since a moment. */
  readonly failedSubmissions: number;
  /** Records refused in submissions of EHRs that were taken, since a moment. */
  readonly refusedRecords: number;
  /** Rows refused in imports, since a moment. */
  readonly refusedRows: number;
}

/** A submission as the home page lists it. */
export interface RecentSubmission {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  /** As records name it: `fhir_push`, `csv`. */
  readonly source: string;
  /** Name of the partner, else of the key, else null. */
  readonly sentBy: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
}

/** A record as the home page lists it. */
export interface RecentRecord {
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

/** What has happened at a practice. */
export interface PracticeActivity {
  /** @param since how far back submissions count */
  attention(practiceId: string, since: Date): Promise<AttentionCounts>;
  recentSubmissions(practiceId: string, most: number): Promise<readonly RecentSubmission[]>;
  recentRecords(practiceId: string, most: number): Promise<readonly RecentRecord[]>;
}
