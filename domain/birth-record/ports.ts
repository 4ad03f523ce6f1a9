import type { KnownBirthRecord } from './state.ts';
import type { FingerprintHolder, LoadedRecord } from './working-set.ts';

/** Records by their streams, as the read tables have them; a stream without record is left out. */
export type LoadRecords = (
  streams: readonly string[],
) => Promise<ReadonlyMap<string, LoadedRecord>>;

/** The stream of a record of the practice; null if it has none of this id. */
export type FindRecordStream = (
  practiceId: string,
  submissionUuid: string,
) => Promise<string | null>;

/** A record, live or voided, that may look like another one. */
export interface MatchCandidate {
  readonly stream: string;
  /** It was first recorded before the other one. */
  readonly isOlder: boolean;
}

/**
 * Records of a practice that hold a fingerprint of this one by now and were recorded before it, and
 * the one that its flag names; oldest first, some hundreds at most.
 */
export type FindMatchCandidates = (
  record: Pick<KnownBirthRecord, 'practiceId' | 'submissionUuid' | 'fingerprints' | 'duplicateOf'>,
) => Promise<readonly MatchCandidate[]>;

/** Records of a practice that hold any of these fingerprints, live or voided. */
export type LoadFingerprintHolders = (
  practiceId: string,
  fingerprints: readonly string[],
) => Promise<readonly FingerprintHolder[]>;
