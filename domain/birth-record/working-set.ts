import type { ExpectedRevision } from '../event-log.ts';
import type { FingerprintMatch } from './decide.ts';
import { type BirthRecord, noRecord } from './state.ts';

/** A record of the practice as it stands now, and the fence for its next append. */
export interface LoadedRecord {
  readonly state: BirthRecord;
  readonly expected: ExpectedRevision;
  /** Place in the order of age among the records of the practice; null for one not yet in the log. */
  readonly age: bigint | null;
}

/** What a stream without a record holds. */
export const NEW_RECORD: LoadedRecord = { state: noRecord, expected: 'no-stream', age: null };

interface AgedHolder extends Omit<FingerprintMatch, 'shared'> {
  readonly isLive: boolean;
  /** Place in the order of age, as of a held record. */
  readonly age: bigint;
}

/** A record that holds a fingerprint, as the read tables have it. */
export interface FingerprintHolder extends AgedHolder {
  readonly fingerprint: string;
}

/**
 * What one turn of a practice knows: the records it has loaded, with what it has decided since.
 * It answers like the read tables will once they have caught up.
 */
export interface WorkingSet {
  record(stream: string): LoadedRecord | undefined;
  knowsFingerprint(fingerprint: string): boolean;
  /** Whether a record holds a fingerprint, live or voided. */
  isHeld(fingerprint: string): boolean;
  /** Takes in a record that was loaded, or its state after a decision. */
  hold(stream: string, record: LoadedRecord): void;
  /** Takes in who held these fingerprints when the turn began. */
  holdFingerprints(fingerprints: readonly string[], holders: readonly FingerprintHolder[]): void;
  /** Live records that share one of the fingerprints, but one, oldest first. */
  matches(fingerprints: readonly string[], except: string | null): readonly FingerprintMatch[];
  /** Takes in who stands for providers after all merges. */
  holdSurvivors(survivors: ReadonlyMap<string, string>): void;
  /** Who stands for a provider; itself unless another is known to. */
  survivorOf(providerId: string): string;
  /** Records held, to keep the ledger within bounds. */
  size(): number;
}

// Behind every position of the log: what this turn adds is younger than all it found.
const YOUNGEST = 1n << 63n;

/** An empty ledger. */
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
    const age = record.age ?? YOUNGEST + added++;
    heldUuids.set(uuid, age);
    return age;
  };

  return {
    record: (stream) => records.get(stream),
    knowsFingerprint: (fingerprint) => known.has(fingerprint),
    isHeld: (fingerprint) => (holders.get(fingerprint)?.size ?? 0) > 0,
    size: () => records.size,
    survivorOf: (providerId) => survivorIds.get(providerId) ?? providerId,

    holdSurvivors(survivors) {
      for (const [providerId, survivorId] of survivors) survivorIds.set(providerId, survivorId);
    },

    hold(stream, record) {
      const before = records.get(stream)?.state;
      if (before !== undefined && before.status !== 'none')
        for (const fingerprint of before.fingerprints)
          holders.get(fingerprint)?.delete(before.submissionUuid);
      records.set(stream, record);
      const { state } = record;
      if (state.status === 'none') return;
      const age = ageOf(state.submissionUuid, record);
      const { submissionUuid, duplicateOf, toldApartFrom } = state;
      const isLive = state.status === 'live';
      for (const fingerprint of state.fingerprints)
        holdersOf(fingerprint).set(submissionUuid, {
          submissionUuid,
          duplicateOf,
          toldApartFrom,
          isLive,
          age,
        });
    },

    holdFingerprints(fingerprints, found) {
      for (const fingerprint of fingerprints) known.add(fingerprint);
      // A record that the ledger holds is known better than the read tables know it.
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
