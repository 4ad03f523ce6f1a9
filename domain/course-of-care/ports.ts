import type { FingerprintHolder, HeldRecord } from './ledger.ts';

/** Records by their streams, as the read tables have them; a stream without record is left out. */
export type LoadRecords = (streams: readonly string[]) => Promise<ReadonlyMap<string, HeldRecord>>;

/** The stream of a record of the practice; null if it has none of this id. */
export type FindRecordStream = (
  practiceId: string,
  submissionUuid: string,
) => Promise<string | null>;

/** Live records of a practice that hold any of these fingerprints. */
export type LoadFingerprintHolders = (
  practiceId: string,
  fingerprints: readonly string[],
) => Promise<readonly FingerprintHolder[]>;
