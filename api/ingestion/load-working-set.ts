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

export type CourseToLoad = Pick<SubmissionItem, 'queued' | 'stream' | 'practiceId'>;

/** Nearly every decision depends on the oldest record that looks alike; thousands may. */
const FIRST_HOLDERS = 16;
const MORE_HOLDERS = 8;

/**
 * Loads more records that share a fingerprint each time that the decision looks further.
 * @param decide repeatable until it returns
 */
export const decideWithHolders = async <Decided>(
  decide: () => Decided,
  loadMore: (fingerprints: readonly string[], most: number) => Promise<void>,
): Promise<Decided> => {
  for (let most = FIRST_HOLDERS * MORE_HOLDERS; ; most *= MORE_HOLDERS)
    try {
      return decide();
    } catch (error) {
      if (!(error instanceof HoldersNotLoaded)) throw error;
      await loadMore(error.fingerprints, most);
    }
};

/** @param most number of records for each fingerprint; `null` for all */
export const loadWorkingSet = async (
  courses: readonly CourseToLoad[],
  workingSet: WorkingSet,
  reads: WorkingSetReads,
  most: number | null = FIRST_HOLDERS,
): Promise<void> => {
  const getRecord = ({ stream }: CourseToLoad) => workingSet.record(stream) ?? NEW_RECORD;
  const loadAlike = () => loadFingerprintHolders(courses, getRecord, workingSet, reads, { most });
  await Promise.all([loadRecords(courses, workingSet, reads), loadAlike()]);
  // A voided record is also compared by its own fingerprints, which are known only now.
  await loadAlike();
};

export const loadRecords = async (
  courses: readonly CourseToLoad[],
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadRecords'>,
): Promise<void> => {
  const streams = new Set(
    courses
      .filter(({ queued, stream }) => queued.kind !== 'rejected' && !workingSet.record(stream))
      .map(({ stream }) => stream),
  );
  if (streams.size === 0) return;
  const found = await reads.loadRecords([...streams]);
  for (const stream of streams) workingSet.put(stream, found.get(stream) ?? NEW_RECORD);
};

interface HoldersToLoad {
  /** For each fingerprint; `null` for all. */
  readonly most?: number | null;
  readonly isLoadedElsewhere?: (submissionUuid: string) => boolean;
}

/** Loads also records that the working set knows already. */
export const loadHolders = async (
  practiceId: string,
  fingerprints: readonly string[],
  workingSet: WorkingSet,
  { loadFingerprintHolders: load }: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  { most = FIRST_HOLDERS, isLoadedElsewhere = () => false }: HoldersToLoad = {},
): Promise<void> =>
  workingSet.putFingerprints(
    fingerprints,
    await load(practiceId, fingerprints, most),
    most,
    isLoadedElsewhere,
  );

/** @param getRecord returns the record before the course */
export const loadFingerprintHolders = async <Course extends CourseToLoad>(
  courses: readonly Course[],
  getRecord: (course: Course) => LoadedRecord,
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  holders: HoldersToLoad = {},
): Promise<void> => {
  const [first] = courses;
  const fingerprints = new Set(
    courses
      .flatMap((course) =>
        course.queued.kind === 'course'
          ? listComparedFingerprints(course.queued, getRecord(course).state)
          : [],
      )
      .filter((fingerprint) => !workingSet.knowsFingerprint(fingerprint)),
  );
  if (first === undefined || fingerprints.size === 0) return;
  await loadHolders(first.practiceId, [...fingerprints], workingSet, reads, holders);
};
