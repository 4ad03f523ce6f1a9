import type { ExpectedRevision } from '../event-log.ts';
import type { FingerprintMatch, Matches } from './decide.ts';
import { type BirthRecord, noRecord } from './state.ts';

export interface LoadedRecord {
  readonly state: BirthRecord;
  readonly expectedRevision: ExpectedRevision;
  /** Position of its first event, which orders records by age; `null` if not in the log yet. */
  readonly firstPosition: bigint | null;
}

export const NEW_RECORD: LoadedRecord = {
  state: noRecord,
  expectedRevision: 'no-stream',
  firstPosition: null,
};

interface AgedHolder extends Omit<FingerprintMatch, 'shared'> {
  readonly isLive: boolean;
  readonly age: bigint;
}

interface Holders {
  readonly byUuid: Map<string, AgedHolder>;
  /** Live ones, oldest first: thousands of births may look alike. */
  readonly live: AgedHolder[];
  /** False if the read tables have more. */
  isWhole: boolean;
  /** Age up to which the live ones are loaded; `null` if all are. */
  liveUntil: bigint | null;
}

/** Thrown by a decision that needs more records with these fingerprints: load them, and decide again. */
export class HoldersNotLoaded extends Error {
  override readonly name = 'HoldersNotLoaded';
  readonly fingerprints: readonly string[];
  constructor(fingerprints: readonly string[]) {
    super('The decision depends on more records than were loaded.');
    this.fingerprints = fingerprints;
  }
}

const removeHolder = ({ byUuid, live }: Holders, submissionUuid: string): void => {
  const holder = byUuid.get(submissionUuid);
  if (holder === undefined) return;
  byUuid.delete(submissionUuid);
  if (holder.isLive) live.splice(findPlace(live, holder.age), 1);
};

const putHolder = (holders: Holders, holder: AgedHolder): void => {
  const { byUuid, live } = holders;
  removeHolder(holders, holder.submissionUuid);
  byUuid.set(holder.submissionUuid, holder);
  if (holder.isLive) live.splice(findPlace(live, holder.age), 0, holder);
};

const findPlace = (live: readonly AgedHolder[], age: bigint): number => {
  let [from, to] = [0, live.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((live[middle]?.age ?? age) < age) from = middle + 1;
    else to = middle;
  }
  return from;
};

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
  /** True if a record has this fingerprint, live or voided. @throws HoldersNotLoaded */
  hasHolder(fingerprint: string): boolean;
  put(stream: string, record: LoadedRecord): void;
  /**
   * Stores the records that had these fingerprints at the start of the lease.
   * @param limit maximum number of records requested for each fingerprint; `null` for all
   * @param hasNewerState true for a record whose newer state is put separately
   */
  putFingerprints(
    fingerprints: readonly string[],
    holders: readonly FingerprintHolder[],
    limit?: number | null,
    hasNewerState?: (submissionUuid: string) => boolean,
  ): void;
  /**
   * Returns the other live records that share a fingerprint, oldest first. Throws `HoldersNotLoaded` after the
   * last one that is loaded, if there are more.
   */
  matches(fingerprints: readonly string[], except: string | null): Matches;
  /** Counts the loaded live records with one of these fingerprints, by the one that most have. */
  countLive(fingerprints: readonly string[]): number;
  putSurvivors(survivors: ReadonlyMap<string, string>): void;
  resolveSurvivor(providerId: string): string;
  size(): number;
}

// Greater than any log position, so that new records sort after all loaded ones.
const YOUNGEST = 1n << 63n;

export const createWorkingSet = (): WorkingSet => {
  const records = new Map<string, LoadedRecord>();
  const ages = new Map<string, bigint>();
  const holders = new Map<string, Holders>();
  const known = new Set<string>();
  const survivorIds = new Map<string, string>();
  let added = 0n;

  const getHolders = (fingerprint: string): Holders => {
    let found = holders.get(fingerprint);
    if (found === undefined) {
      found = { byUuid: new Map(), live: [], isWhole: true, liveUntil: null };
      holders.set(fingerprint, found);
    }
    return found;
  };

  const getAge = (uuid: string, record: LoadedRecord): bigint => {
    const knownAge = ages.get(uuid);
    if (knownAge !== undefined) return knownAge;
    const age = record.firstPosition ?? YOUNGEST + added++;
    ages.set(uuid, age);
    return age;
  };

  return {
    record: (stream) => records.get(stream),
    knowsFingerprint: (fingerprint) => known.has(fingerprint),
    hasHolder(fingerprint) {
      const found = holders.get(fingerprint);
      const hasAny = found !== undefined && found.byUuid.size > 0;
      // All loaded ones have moved on under this lease.
      if (!hasAny && found?.isWhole === false) throw new HoldersNotLoaded([fingerprint]);
      return hasAny;
    },
    size: () => records.size,
    resolveSurvivor: (providerId) => survivorIds.get(providerId) ?? providerId,

    countLive: (fingerprints) =>
      Math.max(0, ...fingerprints.map((one) => holders.get(one)?.live.length ?? 0)),

    putSurvivors(survivors) {
      for (const [providerId, survivorId] of survivors) survivorIds.set(providerId, survivorId);
    },

    put(stream, record) {
      const before = records.get(stream)?.state;
      if (before !== undefined && before.status !== 'none')
        for (const fingerprint of before.fingerprints)
          removeHolder(getHolders(fingerprint), before.submissionUuid);
      records.set(stream, record);
      const { state } = record;
      if (state.status === 'none') return;
      const age = getAge(state.submissionUuid, record);
      const { submissionUuid, duplicateOf, dismissedMatches } = state;
      const isLive = state.status === 'live';
      for (const fingerprint of state.fingerprints)
        putHolder(getHolders(fingerprint), {
          submissionUuid,
          duplicateOf,
          dismissedMatches,
          isLive,
          age,
        });
    },

    putFingerprints(fingerprints, found, limit = null, hasNewerState = () => false) {
      for (const fingerprint of fingerprints) known.add(fingerprint);
      const counts = new Map<string, number>();
      for (const { fingerprint, ...holder } of found) {
        const count = (counts.get(fingerprint) ?? 0) + 1;
        counts.set(fingerprint, count);
        const all = getHolders(fingerprint);
        all.isWhole = count !== limit;
        // Live ones come first: after a voided one there is no other.
        all.liveUntil = count === limit && holder.isLive ? holder.age : null;
        // For records in it, the working set is newer than the read tables.
        if (!ages.has(holder.submissionUuid) && !hasNewerState(holder.submissionUuid))
          putHolder(all, holder);
      }
    },

    matches: (fingerprints, except) => ({
      *[Symbol.iterator]() {
        const heads = fingerprints.map((fingerprint) => {
          const { live = [], liveUntil = null } = holders.get(fingerprint) ?? {};
          return { fingerprint, live, liveUntil, at: 0 };
        });
        for (;;) {
          const [oldest] = heads
            .flatMap(({ live, at }) => live[at] ?? [])
            .sort((one, other) => (one.age < other.age ? -1 : 1));
          const cut = heads.filter(
            ({ liveUntil }) =>
              liveUntil !== null && (oldest === undefined || oldest.age > liveUntil),
          );
          if (cut.length > 0) throw new HoldersNotLoaded(cut.map(({ fingerprint }) => fingerprint));
          if (oldest === undefined) return;
          const { age: _age, isLive: _isLive, ...match } = oldest;
          const shared = heads.filter(
            ({ live, at }) => live[at]?.submissionUuid === match.submissionUuid,
          );
          for (const head of shared) head.at += 1;
          if (match.submissionUuid !== except)
            yield { ...match, shared: shared.map(({ fingerprint }) => fingerprint) };
        }
      },
    }),
  };
};
