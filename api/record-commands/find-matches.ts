import type { Matches, RecordCourse } from '../../domain/birth-record/decide.ts';
import type { CourseFingerprints } from '../../domain/birth-record/duplicates/fingerprint.ts';
import { createWorkingSet, type WorkingSet } from '../../domain/birth-record/working-set.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import {
  listComparedFingerprints,
  listKnownFingerprints,
} from '../../domain/submission/decide-item.ts';
import { buildFingerprints } from '../intake/course-content.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import type { RecordUnderLease } from './record-under-lease.ts';

/** A course of care to save to a record under the practice lease. */
export interface CourseUnderLease {
  readonly practiceId: string;
  readonly record: RecordUnderLease;
  readonly course: CourseOfCare;
}

/** Fingerprints of the course, and the practice's other live records that share one. */
export const findMatches = async (
  registry: App,
  { practiceId, record, course }: CourseUnderLease,
): Promise<
  Pick<RecordCourse, 'fingerprints' | 'olderFingerprints' | 'heldFingerprints' | 'matches'>
> => {
  const offsetAt = await findPracticeOffsets(registry, practiceId);
  const keys = registry.fingerprintKeysAt(registry.now());
  const courseFingerprints = buildFingerprints(course, practiceId, keys, offsetAt);
  const workingSet = createWorkingSet();
  workingSet.put(record.stream, record);
  return findSharing(registry, { practiceId, workingSet, record, courseFingerprints });
};

/** Finds matches by existing fingerprints, and reuses what the working set has loaded. */
export const findSharing = async (
  registry: App,
  {
    practiceId,
    workingSet,
    record: { state },
    courseFingerprints,
  }: Pick<CourseUnderLease, 'practiceId' | 'record'> & {
    /** Must contain the record. */
    readonly workingSet: WorkingSet;
    readonly courseFingerprints: CourseFingerprints;
  },
): ReturnType<typeof findMatches> => {
  const compared = listComparedFingerprints(courseFingerprints, state);
  const unknown = compared.filter((one) => !workingSet.knowsFingerprint(one));
  workingSet.putFingerprints(
    unknown,
    await registry.reads.loadFingerprintHolders(practiceId, unknown),
  );
  const own = state.status === 'none' ? null : state.submissionUuid;
  return {
    ...listKnownFingerprints(courseFingerprints, workingSet),
    matches: workingSet.matches(compared, own),
  };
};

/** A page names as many records. */
const MAX_NAMED = 10;

/** Ids of the matching records, of the oldest if there are many. */
export const listIds = (matches: Matches): readonly string[] => {
  const ids: string[] = [];
  for (const { submissionUuid } of matches) if (ids.push(submissionUuid) === MAX_NAMED) break;
  return ids;
};
