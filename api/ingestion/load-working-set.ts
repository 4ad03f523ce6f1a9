import type { LoadFingerprintHolders, LoadRecords } from '../../domain/birth-record/ports.ts';
import {
  HoldersNotLoaded,
  type LoadedRecord,
  NEW_RECORD,
  type WorkingSet,
} from '../../domain/birth-record/working-set.ts';
import {
  listComparedFingerprints,
  type SubmissionItem,
} from '../../domain/submission/decide-item.ts';

export interface WorkingSetReads {
  readonly loadRecords: LoadRecords;
  readonly loadFingerprintHolders: LoadFingerprintHolders;
}

export type ItemToLoad = Pick<SubmissionItem, 'queued' | 'stream' | 'practiceId'>;

/** Nearly every decision needs only the oldest record that shares a fingerprint, though thousands may share it. */
const INITIAL_LIMIT = 16;
const LIMIT_GROWTH_FACTOR = 8;

/**
 * Loads more records that share a fingerprint each time that the decision needs them.
 * @param decide called again after each load, so it must change nothing if it throws
 */
export const decideWithHolders = async <Decided>(
  decide: () => Decided,
  loadMore: (fingerprints: readonly string[], limit: number) => Promise<void>,
): Promise<Decided> => {
  for (let limit = INITIAL_LIMIT * LIMIT_GROWTH_FACTOR; ; limit *= LIMIT_GROWTH_FACTOR)
    try {
      return decide();
    } catch (error) {
      if (!(error instanceof HoldersNotLoaded)) throw error;
      await loadMore(error.fingerprints, limit);
    }
};

/** @param limit number of records for each fingerprint; `null` for all */
export const loadWorkingSet = async (
  items: readonly ItemToLoad[],
  workingSet: WorkingSet,
  reads: WorkingSetReads,
  limit: number | null = INITIAL_LIMIT,
): Promise<void> => {
  const getRecord = ({ stream }: ItemToLoad) => workingSet.record(stream) ?? NEW_RECORD;
  const loadAlike = () => loadMissingMatches(items, getRecord, workingSet, reads, { limit });
  await Promise.all([loadMissingRecords(items, workingSet, reads), loadAlike()]);
  // A voided record is also compared by its own fingerprints, which are known only now.
  await loadAlike();
};

export const loadMissingRecords = async (
  items: readonly ItemToLoad[],
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadRecords'>,
): Promise<void> => {
  const streams = new Set(
    items
      .filter(({ queued, stream }) => queued.kind !== 'rejected' && !workingSet.record(stream))
      .map(({ stream }) => stream),
  );
  if (streams.size === 0) return;
  const found = await reads.loadRecords([...streams]);
  for (const stream of streams) workingSet.put(stream, found.get(stream) ?? NEW_RECORD);
};

interface HoldersToLoad {
  /** For each fingerprint; `null` for all. */
  readonly limit?: number | null;
  readonly hasNewerState?: (submissionUuid: string) => boolean;
}

/** Also reloads fingerprints that the working set already knows. */
export const reloadMatches = async (
  practiceId: string,
  fingerprints: readonly string[],
  workingSet: WorkingSet,
  { loadFingerprintHolders: load }: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  { limit = INITIAL_LIMIT, hasNewerState = () => false }: HoldersToLoad = {},
): Promise<void> =>
  workingSet.putFingerprints(
    fingerprints,
    await load(practiceId, fingerprints, limit),
    limit,
    hasNewerState,
  );

/** @param getRecord returns the record before the item */
export const loadMissingMatches = async <Item extends ItemToLoad>(
  items: readonly Item[],
  getRecord: (item: Item) => LoadedRecord,
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  holders: HoldersToLoad = {},
): Promise<void> => {
  const [first] = items;
  const fingerprints = new Set(
    items
      .flatMap((item) =>
        item.queued.kind === 'course'
          ? listComparedFingerprints(item.queued, getRecord(item).state)
          : [],
      )
      .filter((fingerprint) => !workingSet.knowsFingerprint(fingerprint)),
  );
  if (first === undefined || fingerprints.size === 0) return;
  await reloadMatches(first.practiceId, [...fingerprints], workingSet, reads, holders);
};
