import type { ExpectedRevision } from '../event-log.ts';
import type { FingerprintMatch } from './decide.ts';
import { type BirthRecord, noRecord } from './state.ts';

/** Current state of a record, and the expected revision of its next append. */
export interface LoadedRecord {
  readonly state: BirthRecord;
  readonly expectedRevision: ExpectedRevision;
  /** Position of its first event, which orders records by age; `null` if not in the log yet. */
  readonly firstPosition: bigint | null;
}

/** Entry for a stream without a record. */
export const NEW_RECORD: LoadedRecord = {
  state: noRecord,
  expectedRevision: 'no-stream',
  firstPosition: null,
};

interface AgedHolder extends Omit<FingerprintMatch, 'shared'> {
  readonly isLive: boolean;
  /** Orders records by age. */
  readonly age: bigint;
}

/** Record with a fingerprint, as stored in the read tables. */
export interface FingerprintHolder extends AgedHolder {
  readonly fingerprint: string;
}

/**
 * In-memory state of a practice during its lease: loaded records, plus decisions that are not projected yet.
 * Returns what the read tables will contain once the projector catches up.
 */
export interface WorkingSet {
  record(stream: string): LoadedRecord | undefined;
  knowsFingerprint(fingerprint: string): boolean;
  /** True if a record has this fingerprint, live or voided. */
  isHeld(fingerprint: string): boolean;
  /** Stores a loaded record, or its state after a decision. */
  put(stream: string, record: LoadedRecord): void;
  /** Stores the records that had these fingerprints at the start of the lease. */
  putFingerprints(fingerprints: readonly string[], holders: readonly FingerprintHolder[]): void;
  /** Returns the other live records that share a fingerprint, oldest first. */
  matches(fingerprints: readonly string[], except: string | null): readonly FingerprintMatch[];
  /** Stores the survivors of providers after all merges. */
  putSurvivors(survivors: ReadonlyMap<string, string>): void;
  /** Returns the survivor of a provider, or the provider itself if none is known. */
  resolveSurvivor(providerId: string): string;
  /** Number of records, to limit the size of the set. */
  size(): number;
}

// Greater than any log position, so that new records sort after all loaded ones.
const YOUNGEST = 1n << 63n;

/** Creates an empty working set. */
export const createWorkingSet = (): WorkingSet => {
  const records = new Map<string, LoadedRecord>();
  const heldUuids = new Map<string, bigint>();
  const holders = new Map<string, Map<string, AgedHolder>>();
  const known = new Set<string>();
  const survivorIds = new Map<string, string>();
  let added = 0n;

  const holdersOf = (fingerprint: string): Map<string, AgedHolder> => {
    let found = holders.get(fingerprint);
    if (found === undefined) {
      found = new Map();
      holders.set(fingerprint, found);
    }
    return found;
  };

  const ageOf = (uuid: string, record: LoadedRecord): bigint => {
    const held = heldUuids.get(uuid);
    if (held !== undefined) return held;
    const age = record.firstPosition ?? YOUNGEST + added++;
    heldUuids.set(uuid, age);
    return age;
  };

  return {
    record: (stream) => records.get(stream),
    knowsFingerprint: (fingerprint) => known.has(fingerprint),
    isHeld: (fingerprint) => (holders.get(fingerprint)?.size ?? 0) > 0,
    size: () => records.size,
    resolveSurvivor: (providerId) => survivorIds.get(providerId) ?? providerId,

    putSurvivors(survivors) {
      for (const [providerId, survivorId] of survivors) survivorIds.set(providerId, survivorId);
    },

    put(stream, record) {
      const before = records.get(stream)?.state;
      if (before !== undefined && before.status !== 'none')
        for (const fingerprint of before.fingerprints)
          holders.get(fingerprint)?.delete(before.submissionUuid);
      records.set(stream, record);
      const { state } = record;
      if (state.status === 'none') return;
      const age = ageOf(state.submissionUuid, record);
      const { submissionUuid, duplicateOf, dismissedMatches } = state;
      const isLive = state.status === 'live';
      for (const fingerprint of state.fingerprints)
        holdersOf(fingerprint).set(submissionUuid, {
          submissionUuid,
          duplicateOf,
          dismissedMatches,
          isLive,
          age,
        });
    },

    putFingerprints(fingerprints, found) {
      for (const fingerprint of fingerprints) known.add(fingerprint);
      // For records in it, the working set is newer than the read tables.
      for (const { fingerprint, ...holder } of found)
        if (!heldUuids.has(holder.submissionUuid))
          holdersOf(fingerprint).set(holder.submissionUuid, holder);
    },

    matches(fingerprints, except) {
      const found = new Map<string, { holder: AgedHolder; shared: string[] }>();
      for (const fingerprint of fingerprints)
        for (const [uuid, holder] of holders.get(fingerprint) ?? []) {
          if (uuid === except || !holder.isLive) continue;
          const known = found.get(uuid);
          if (known === undefined) found.set(uuid, { holder, shared: [fingerprint] });
          else known.shared.push(fingerprint);
        }
      return [...found.values()]
        .sort(({ holder: a }, { holder: b }) => (a.age < b.age ? -1 : a.age > b.age ? 1 : 0))
        .map(({ holder: { age: _age, isLive: _isLive, ...match }, shared }) => ({
          ...match,
          shared,
        }));
    },
  };
};
