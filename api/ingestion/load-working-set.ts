import type { LoadFingerprintHolders, LoadRecords } from '../../domain/birth-record/ports.ts';
import {
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

/** Loads everything that decisions on these courses of one practice depend on and that is not loaded yet. */
export const loadWorkingSet = async (
  courses: readonly CourseToLoad[],
  workingSet: WorkingSet,
  reads: WorkingSetReads,
): Promise<void> => {
  const heldBy = ({ stream }: CourseToLoad) => workingSet.record(stream) ?? NEW_RECORD;
  const loadHolders = () => loadFingerprintHolders(courses, heldBy, workingSet, reads);
  await Promise.all([loadRecords(courses, workingSet, reads), loadHolders()]);
  // A voided record is also compared by its own fingerprints, which are known only now.
  await loadHolders();
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

/**
 * Loads the records that share fingerprints with these courses.
 * @param heldBy returns the record before the course
 * @param isLoadedElsewhere excludes records that do not come from the read tables
 */
export const loadFingerprintHolders = async <Course extends CourseToLoad>(
  courses: readonly Course[],
  heldBy: (course: Course) => LoadedRecord,
  workingSet: WorkingSet,
  reads: Pick<WorkingSetReads, 'loadFingerprintHolders'>,
  isLoadedElsewhere: (submissionUuid: string) => boolean = () => false,
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
  const found = await reads.loadFingerprintHolders(first.practiceId, [...asked]);
  workingSet.putFingerprints(
    [...asked],
    found.filter(({ submissionUuid }) => !isLoadedElsewhere(submissionUuid)),
  );
};
