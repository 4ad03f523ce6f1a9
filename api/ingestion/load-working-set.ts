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

/** Queries that fill a working set. */
export interface WorkingSetReads {
  readonly loadRecords: LoadRecords;
  readonly loadFingerprintHolders: LoadFingerprintHolders;
}

/** Fields of a course that are needed to load its records. */
export type CourseToLoad = Pick<SubmissionItem, 'queued' | 'stream' | 'practiceId'>;

/** Nearly every decision depends on the oldest record that looks alike; thousands may. */
const FIRST_HOLDERS = 16;
/** Factor by which the number grows each time that a decision looks further. */
const MORE_HOLDERS = 8;

/**
 * Decides on courses, and loads more of the records that share a fingerprint each time that the decision looks
 * further than is loaded.
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

/**
 * Loads what decisions on these courses of one practice depend on and that is not loaded yet.
 * @param most number of records for each fingerprint; `null` for all
 */
export const loadWorkingSet = async (
  courses: readonly CourseToLoad[],
  workingSet: WorkingSet,
  reads: WorkingSetReads,
  most: number | null = FIRST_HOLDERS,
): Promise<void> => {
  const heldBy = ({ stream }: CourseToLoad) => workingSet.record(stream) ?? NEW_RECORD;
  const loadAlike = () => loadFingerprintHolders(courses, heldBy, workingSet, reads, { most });
  await Promise.all([loadRecords(courses, workingSet, reads), loadAlike()]);
  // A voided record is also compared by its own fingerprints, which are known only now.
  await loadAlike();
};

/** Loads the records that these courses change. */
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

/** Which records that share a fingerprint are loaded. */
interface HoldersToLoad {
  /** Maximum number for each fingerprint; `null` for all. */
  readonly most?: number | null;
  /** Excludes records that do not come from the read tables. */
  readonly isLoadedElsewhere?: (submissionUuid: string) => boolean;
}

/** Loads records with these fingerprints into the working set, also if it knows some already. */
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

/**
 * Loads the records that share fingerprints with these courses.
 * @param heldBy returns the record before the course
 */
export const loadFingerprintHolders = async <Course extends CourseToLoad>(
  courses: readonly Course[],
  heldBy: (course: Course) => LoadedRecord,
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  wanted: HoldersToLoad = {},
): Promise<void> => {
  const [first] = courses;
  const asked = new Set(
    courses
      .flatMap((course) =>
        course.queued.kind === 'course'
          ? listComparedFingerprints(course.queued, heldBy(course).state)
          : [],
      )
      .filter((fingerprint) => !workingSet.knowsFingerprint(fingerprint)),
  );
  if (first === undefined || asked.size === 0) return;
  await loadHolders(first.practiceId, [...asked], workingSet, reads, wanted);
};
