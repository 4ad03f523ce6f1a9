import type { KnownBirthRecord } from './state.ts';
import type { FingerprintHolder, LoadedRecord } from './working-set.ts';

/** Loads records by stream from the read tables; omits streams without a record. */
export type LoadRecords = (
  streams: readonly string[],
) => Promise<ReadonlyMap<string, LoadedRecord>>;

/** Returns the stream of a record, or `null` if the practice has no such record. */
export type FindRecordStream = (
  practiceId: string,
  submissionUuid: string,
) => Promise<string | null>;

/** Record, live or voided, that may match another one. */
export interface MatchCandidate {
  readonly stream: string;
  /** True if it was recorded before the other one. */
  readonly isOlder: boolean;
}

/**
 * Finds the older records of a practice that share a fingerprint with this one, and the record that its flag
 * names. Oldest first, up to a limit.
 */
export type FindMatchCandidates = (
  record: Pick<KnownBirthRecord, 'practiceId' | 'submissionUuid' | 'fingerprints' | 'duplicateOf'>,
) => Promise<readonly MatchCandidate[]>;

/**
 * Loads the records of a practice with any of these fingerprints: the live ones, oldest first, then the voided
 * ones.
 * @param most maximum number for each fingerprint; `null` for all
 */
export type LoadFingerprintHolders = (
  practiceId: string,
  fingerprints: readonly string[],
  most: number | null,
) => Promise<readonly FingerprintHolder[]>;
