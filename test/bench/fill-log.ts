import { randomUUID } from 'node:crypto';
import { buildFingerprints } from '../../api/admission/course-content.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { openStores } from '../../api/stores/stores.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { recordStream } from '../../domain/stream-names.ts';
import {
  createPractice,
  generateSubmissions,
  type SynthesisPlan,
} from '../../scripts/synthesis/submissions.ts';
import { buildBundle } from '../../scripts/synthesis/written-submissions.ts';

const IN_FLIGHT = 256;
const REPORTED_EVERY = 20_000;
const RETURNED_EVERY = 500;

/**
 * Appends a first version of each of so many records to the log of a service that runs, as its
 * worker would; its projector takes them from there. @returns submission uuids of some of them
 */
export const fillLog = async (
  settings: Settings,
  practiceId: string,
  records: number,
): Promise<readonly string[]> => {
  const { log, identity, close } = await openStores(settings, 'command', openServiceLog('warn'));
  const context = {
    correlationId: 'bench',
    causationId: null,
    actor: { kind: 'operator', id: 'bench' },
  } as const;
  const fingerprintKeys = { current: [findFirstFingerprintKey(identity.fingerprint)], older: [] };
  const courses = sampleCourses(records);
  const ids: string[] = [];
  let done = 0;
  const append = async (): Promise<void> => {
    for (const course of courses) {
      const submissionUuid = randomUUID();
      const chart = course.chart_number ?? '';
      const data = {
        submissionUuid,
        practiceId,
        version: 1,
        source: 'fhir_push',
        keyKind: 'native',
        course,
        providers: [],
        stamp: null,
        mark: null,
        ...buildFingerprints(course, practiceId, fingerprintKeys, null),
      };
      await log.append(
        recordStream(identity.recordHash(practiceId, chart)),
        'no-stream',
        [{ id: randomUUID(), event: { type: 'BirthRecorded', data } }],
        context,
      );
      if (done % RETURNED_EVERY === 0) ids.push(submissionUuid);
      done += 1;
      if (done % REPORTED_EVERY === 0) process.stderr.write(`${done} records in the log\n`);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, append));
  // Only now: the client fails when it is closed with appends on their way.
  await close();
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ids;
};

const DIFFERENT = 2_000;
const BASE = 36;
/** As many as the pages ask for. */
const YEARS = 10;
const ISO_DATE = /^(\d{4})(-\d{2}.*)$/;

/**
 * Courses of care for a practice of many years: synthetic births, repeated under other names, chart
 * numbers and years.
 */
function* sampleCourses(count: number): Generator<CourseOfCare, void> {
  const different = differentCourses();
  for (let n = 0; n < count; n += 1) {
    const course = different[n % different.length];
    if (course === undefined) return;
    const again = Math.floor(n / different.length);
    const { mother, ...others } = yearsEarlier(course, 1 + (again % YEARS));
    yield {
      ...others,
      chart_number: `BENCH-${String(n).padStart(7, '0')}`,
      mother: { ...mother, family_name: `${mother.family_name} ${nameOf(n)}` },
    };
  }
}

/** The same course of care with all its dates so many years before. */
const yearsEarlier = (course: CourseOfCare, years: number): CourseOfCare =>
  JSON.parse(JSON.stringify(course), (_, value: unknown) => {
    const date = typeof value === 'string' ? ISO_DATE.exec(value) : null;
    if (date === null) return value;
    const [, year, rest] = date;
    return `${Number(year) - years}${rest === '-02-29' ? '-02-28' : rest}`;
  }) as CourseOfCare;

const differentCourses = (): readonly CourseOfCare[] => {
  const plan: SynthesisPlan = {
    courses: DIFFERENT,
    seed: 'bench',
    lane: 'native',
    year: 2025,
    until: null,
    practicePrefix: 'BENCH',
  };
  const practice = createPractice(plan);
  return [...generateSubmissions(plan)].flatMap((submission) => {
    if (submission.kind !== 'birth') return [];
    const bundle = buildBundle(submission, practice, 'native');
    const mapped = mapCourse({ position: 0, bundle, retractedByEntry: false }, 'native', []);
    return mapped.kind === 'course' ? [mapped.course] : [];
  });
};

/** Letters that tell one family from another. */
const nameOf = (n: number): string =>
  n
    .toString(BASE)
    .replace(/\d/g, (digit) => String.fromCharCode('q'.charCodeAt(0) + Number(digit)));
