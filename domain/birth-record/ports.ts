import type { KnownBirthRecord } from './state.ts';
import type { FingerprintHolder, LoadedRecord } from './working-set.ts';

/** Omits streams without a record. */
export type LoadRecords = (
  streams: readonly string[],
) => Promise<ReadonlyMap<string, LoadedRecord>>;

export type FindRecordStream = (
  practiceId: string,
  submissionUuid: string,
) => Promise<string | null>;

export interface MatchCandidate {
  readonly stream: string;
  readonly isOlder: boolean;
}

/** Oldest first, up to a limit. */
export type FindMatchCandidates = (
  record: Pick<KnownBirthRecord, 'practiceId' | 'submissionUuid' | 'fingerprints' | 'duplicateOf'>,
) => Promise<readonly MatchCandidate[]>;

/** Live records first, oldest first. @param most maximum number for each fingerprint; `null` for all */
export type LoadFingerprintHolders = (
  practiceId: string,
  fingerprints: readonly string[],
  limit: number | null,
) => Promise<readonly FingerprintHolder[]>;
