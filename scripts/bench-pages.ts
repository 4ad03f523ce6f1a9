import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommands } from '../api/composition/commands.ts';
import { openServiceLog } from '../api/composition/logging.ts';
import { startService } from '../api/composition/service.ts';
import { readSettings, type Settings } from '../api/composition/settings.ts';
import { openStores } from '../api/composition/stores.ts';
import { PLACES_OF_BIRTH } from '../domain/bfdr/codes.ts';
import { fingerprintTexts } from '../domain/course-of-care/fingerprint.ts';
import { recordStream } from '../domain/stream-names.ts';
import { sampleCourses } from './bench-pages/sample-courses.ts';
import { type AskFor, signIn } from './bench-pages/signed-in.ts';

// How fast the pages answer in a practice of many records: a throw-away service is filled through
// the event log, then asked one request after the other. Exits 1 when a p99 is over the limit.

const RECORDS = Number(process.argv[2] ?? 100_000);
const IN_FLIGHT = 128;
const REQUESTS = 200;
const WARM_UP = 20;
const LIMIT_MS = 100;
const PASS_THROUGH = 0o711; // the database's user must be able to enter
const EMAIL = 'bench@cedar.example';
const PASSWORD = 'a long synthetic passphrase';

const silent = openServiceLog('warn');
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Appends a first version of each record, as the worker would. @returns ids of some of them */
const fill = async (settings: Settings, practiceId: string): Promise<readonly string[]> => {
  const { log, identity, close } = await openStores(settings, 'command', silent);
  const context = {
    ...{ correlationId: 'bench', causationId: null },
    actor: { kind: 'operator', id: 'bench' },
  } as const;
  const courses = sampleCourses(RECORDS);
  const ids: string[] = [];
  let done = 0;
  const append = async (): Promise<void> => {
    for (const course of courses) {
      const submissionUuid = randomUUID();
      const chart = course.chart_number ?? '';
      const data = {
        ...{ submissionUuid, practiceId, version: 1, source: 'fhir_push', keyKind: 'native' },
        ...{ course, providers: [], stamp: null, mark: null },
        fingerprints: fingerprintTexts(course).map((text) =>
          identity.fingerprint(practiceId, text),
        ),
      };
      await log.append(
        recordStream(identity.recordHash(practiceId, chart)),
        'no-stream',
        [{ id: randomUUID(), event: { type: 'BirthRecorded', data } }],
        context,
      );
      if (done % 500 === 0) ids.push(submissionUuid);
      done += 1;
      if (done % 10_000 === 0) say(`${done} records in the log`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, append));
  await close();
  return ids;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const measure = async (
  name: string,
  ask: AskFor,
  pathOf: (n: number) => string,
  { warmUp, requests } = { warmUp: WARM_UP, requests: REQUESTS },
) => {
  for (let n = 0; n < warmUp; n += 1) await ask(pathOf(n));
  const took: number[] = [];
  for (let n = 0; n < requests; n += 1) took.push(await ask(pathOf(warmUp + n)));
  took.sort((a, b) => a - b);
  return { page: name, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
};

const ATTENDANTS = ['', 'midwife', 'physician', 'doula', 'nurse', 'assistant'];
const LETTERS = 'abcdefghijklmnoprstuvw';
/** Three letters that begin some of the names. */
const begin = (n: number): string =>
  ['mar', 'joh', 'gar', 'wil', 'and', 'rod', 'ngu', 'pat'][n % 8] ?? LETTERS.slice(0, 3);

const bench = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'birth-registry-bench-'));
  await chmod(dataDir, PASS_THROUGH);
  const settings = readSettings({ ...process.env, DATA_DIR: dataDir, PORT: '0' });
  const service = await startService(settings, silent);
  try {
    await service.started;
    const commands = await openCommands(settings, silent);
    const practiceId = await commands.practices.create({
      ...{ name: 'Cedar Birth Center', sandbox: false, beta: false },
    });
    const account = { practiceId, role: 'Admin', email: EMAIL, password: PASSWORD } as const;
    await commands.accounts.addMember(account);
    const ids = await fill(settings, practiceId);
    say('Waiting for the read tables.');
    const { coursesOfCare } = await commands.statistics(practiceId, null);
    await commands.close();
    const ask = await signIn(service.url, EMAIL, PASSWORD);

    const results = [
      await measure('Home', ask, () => '/registry'),
      await measure('Records, first page', ask, () => '/registry/records'),
      await measure('Records, three letters', ask, (n) => `/registry/records?q=${begin(n)}`),
      await measure('Records, end of a chart number', ask, (n) => {
        const end = String((n * 37) % 1_000).padStart(3, '0');
        return `/registry/records?q=${end}`;
      }),
      await measure('A record', ask, (n) => `/registry/records/${ids[n % ids.length]}`),
      await measure('Births log', ask, () => '/registry/births'),
      await measure('Statistics, nothing changed', ask, () => '/registry/statistics'),
      // A question that was not asked before is added up.
      await measure(
        'Statistics, all years, a new question',
        ask,
        (n) => {
          const place = PLACES_OF_BIRTH[n % PLACES_OF_BIRTH.length] ?? '';
          const attendant = ATTENDANTS[Math.floor(n / PLACES_OF_BIRTH.length)] ?? '';
          return `/registry/statistics?${new URLSearchParams({ place, attendant })}`;
        },
        { warmUp: 2, requests: PLACES_OF_BIRTH.length * ATTENDANTS.length - 2 },
      ),
      await measure('Statistics, a month, a new question', ask, (n) => {
        const year = 2015 + (n % 10);
        const month = String(1 + (Math.floor(n / 10) % 12)).padStart(2, '0');
        return `/registry/statistics?period=${year}-${month}&attendant=${n % 2 ? 'midwife' : ''}`;
      }),
    ];
    console.log(`${coursesOfCare} records in the practice, ms`);
    console.table(
      Object.fromEntries(
        results.map(({ page, p50, p99 }) => [page, { p50: p50.toFixed(1), p99: p99.toFixed(1) }]),
      ),
    );
    console.log(JSON.stringify({ records: coursesOfCare, results }));
    if (results.some(({ p99 }) => p99 > LIMIT_MS)) process.exitCode = 1;
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

await bench();
process.exit();
