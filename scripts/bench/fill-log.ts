import { randomUUID } from 'node:crypto';
import type { Settings } from '../../api/composition/settings.ts';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { fingerprintsOf } from '../../api/write-path/course-content.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { sampleCourses } from './sample-courses.ts';

const IN_FLIGHT = 256;
const TOLD_EVERY = 20_000;
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
        fingerprints: fingerprintsOf(course, practiceId, identity.fingerprint, null),
      };
      await log.append(
        recordStream(identity.recordHash(practiceId, chart)),
        'no-stream',
        [{ id: randomUUID(), event: { type: 'BirthRecorded', data } }],
        context,
      );
      if (done % RETURNED_EVERY === 0) ids.push(submissionUuid);
      done += 1;
      if (done % TOLD_EVERY === 0) process.stderr.write(`${done} records in the log\n`);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, append));
  // Only now: the client does not bear to be closed with appends on their way.
  await close();
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ids;
};
