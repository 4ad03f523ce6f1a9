/** What people call a record. */
export interface NamedRecord {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  /** `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
}

/** Names records of a practice; those of others are left out. */
export type NameRecords = (
  practiceId: string,
  submissionUuids: readonly string[],
) => Promise<readonly NamedRecord[]>;

/** Names the records of a practice that are held under chart numbers, voided ones too. */
export type NameRecordsUnder = (
  practiceId: string,
  chartNumbers: readonly string[],
) => Promise<readonly NamedRecord[]>;
