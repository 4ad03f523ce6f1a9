import type { Matches, RecordCourse } from '../../domain/birth-record/decide.ts';
import type { CourseFingerprints } from '../../domain/birth-record/duplicates/fingerprint.ts';
import { createWorkingSet, type WorkingSet } from '../../domain/birth-record/working-set.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import {
  listComparedFingerprints,
  listKnownFingerprints,
} from '../../domain/submission/decide-item.ts';
import { buildFingerprints } from '../admission/course-content.ts';
import { decideWithHolders, reloadMatches } from '../ingestion/load-working-set.ts';
import type { App } from '../ports/app-ports.ts';
import type { RecordUnderLease } from './record-under-lease.ts';

export interface CourseUnderLease {
  readonly practiceId: string;
  readonly record: RecordUnderLease;
  readonly course: CourseOfCare;
  /** Of the practice's time zone, read before the lease is taken; `null` if it has set none. */
  readonly offsetAt: OffsetAt | null;
}

type KnownMatches = Pick<
  RecordCourse,
  'fingerprints' | 'olderFingerprints' | 'existingFingerprints' | 'matches'
>;

/** @param decide repeatable until it returns */
export const decideByMatches = async <Decided>(
  app: App,
  { practiceId, record, course, offsetAt }: CourseUnderLease,
  decide: (known: KnownMatches) => Decided,
): Promise<Decided> => {
  const keys = app.fingerprintKeysAt(app.now());
  const courseFingerprints = buildFingerprints(course, practiceId, keys, offsetAt);
  const workingSet = createWorkingSet();
  workingSet.put(record.stream, record);
  const known = await findSharing(app, { practiceId, workingSet, record, courseFingerprints });
  return decideWithMore(app, { practiceId, workingSet }, () => decide(known));
};

export const decideWithMore = <Decided>(
  { reads }: App,
  { practiceId, workingSet }: { readonly practiceId: string; readonly workingSet: WorkingSet },
  decide: () => Decided,
): Promise<Decided> =>
  decideWithHolders(decide, (fingerprints, limit) =>
    reloadMatches(practiceId, fingerprints, workingSet, reads, { limit }),
  );

/** Reuses the records that the working set has loaded. */
export const findSharing = async (
  app: App,
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
): Promise<KnownMatches> => {
  const compared = listComparedFingerprints(courseFingerprints, state);
  const unknown = compared.filter((one) => !workingSet.knowsFingerprint(one));
  await reloadMatches(practiceId, unknown, workingSet, app.reads);
  const own = state.status === 'none' ? null : state.submissionUuid;
  return decideWithMore(app, { practiceId, workingSet }, () => ({
    ...listKnownFingerprints(courseFingerprints, workingSet),
    matches: workingSet.matches(compared, own),
  }));
};

const MAX_NAMED = 10;

/** The oldest if there are many. */
export const listIds = (matches: Matches): readonly string[] => {
  const ids: string[] = [];
  for (const { submissionUuid } of matches) if (ids.push(submissionUuid) === MAX_NAMED) break;
  return ids;
};
