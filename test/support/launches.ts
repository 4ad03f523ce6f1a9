import { Writable } from 'node:stream';
import { pino } from 'pino';
import { rowCipherOf } from '../../adapters/crypto/sealing.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { openQueueKey, queueKeysIn } from '../../adapters/postgres/queue/queue-keys.ts';
import { keptPrefillsOf } from '../../adapters/postgres/short-lived/kept-prefills.ts';
import { startService } from '../../api/composition/service.ts';
import type { Settings } from '../../api/composition/settings.ts';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { ReadChart } from '../../domain/us-core/prefill.ts';
import { type SimulatedEhr, startEhr } from '../../scripts/ehr-simulator/start-ehr.ts';
import { newVisitor, type TestVisitor } from '../harness/pages.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { TEST_PASSWORD_COSTS, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { soleKey } from './sealing-keys.ts';

/** A clinician's browser, at an address of its own. */
export interface LaunchingBrowser extends TestVisitor {
  /** Opens the registry from a chart. @returns the service's answer to the launch */
  open(patientId: string): Promise<Response>;
  /** Follows the service's answer through the EHR. @returns the path and query of the callback */
  throughEhr(launched: Response): Promise<string>;
  /** All of it. @returns the service's answer to the callback */
  launch(patientId: string): Promise<Response>;
}

/** A service that an EHR may launch, and that EHR. */
export interface TestLaunches {
  readonly url: string;
  readonly ehr: SimulatedEhr;
  readonly db: Db;
  readonly settings: Settings;
  newBrowser(planted?: string): LaunchingBrowser;
  /** The chart that a callback's redirect leads to. */
  chartBehind(answer: Response): Promise<ReadChart>;
  /** Everything that the service has logged. */
  logged(): string;
  stop(): Promise<void>;
}

const MOST_SPELLINGS = 100;

/** All of them lead to the same EHR; the list of those that may launch tells them apart. */
const spelled = (issuer: string, slashes: number): string => issuer + '/'.repeat(slashes);

/** Starts both. @param changes settings of the service beside those for the EHR */
export const startTestLaunches = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<TestLaunches> => {
  const directory = temporaryDirectory('launches');
  const [ehr] = await Promise.all([startEhr(), copyStartedCluster(directory.path)]);
  const settings = testSettings(directory.path, {
    SMART_CLIENT_ID: ehr.clientId,
    SMART_ALLOWED_ISSUERS: Array.from({ length: MOST_SPELLINGS }, (_, slashes) =>
      spelled(ehr.issuer, slashes),
    ).join(),
    // Each browser of the tests comes from an address of its own, which the limiter counts.
    TRUST_PROXY: 'loopback',
    ...changes,
  });
  const lines: string[] = [];
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const service = await startService(settings, log, { passwordCosts: TEST_PASSWORD_COSTS });
  await service.started;
  ehr.register(service.url);
  const stores = await openStores(settings, 'command', openServiceLog('silent'));
  const [held] = await queueKeysIn(stores.db);
  const key = held === undefined ? undefined : openQueueKey(held, stores.secret);
  const prefills = keptPrefillsOf(stores.db, rowCipherOf(soleKey(key)));
  let browsers = 0;
  return {
    ehr,
    settings,
    url: service.url,
    db: stores.db,
    newBrowser(planted = '') {
      browsers += 1;
      // Each spelling is an EHR of its own to the registry, which asks each once in a while.
      const issuer = spelled(ehr.issuer, (browsers - 1) % MOST_SPELLINGS);
      return browserOf(service.url, { ...ehr, issuer }, `203.0.113.${browsers}`, planted);
    },
    async chartBehind(answer) {
      const prefillId = /\?id=([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '')?.[1];
      if (prefillId === undefined) throw new Error(`No pre-fill: ${answer.status}`);
      const { browser } = await stores.db
        .selectFrom('app.prefill')
        .select('browser')
        .where('prefill_id', '=', prefillId)
        .executeTakeFirstOrThrow();
      const kept = await prefills.find(browser, prefillId);
      if (kept === null) throw new Error('The pre-fill is gone.');
      return kept.chart;
    },
    logged: () => lines.join(''),
    async stop() {
      await stores.close();
      await service.stop();
      await ehr.stop();
      directory.remove();
    },
  };
};

const browserOf = (
  url: string,
  ehr: SimulatedEhr,
  address: string,
  planted: string,
): LaunchingBrowser => {
  const visitor = newVisitor(url, planted);
  const send: TestVisitor['send'] = (path, fields, headers = {}) =>
    visitor.send(path, fields, { 'X-Forwarded-For': address, ...headers });
  const open = (patientId: string) => {
    const launch = new URL(ehr.launchUrl(url, patientId));
    launch.searchParams.set('iss', ehr.issuer);
    return send(launch.pathname + launch.search);
  };
  const throughEhr = async (launched: Response): Promise<string> => {
    const away = launched.headers.get('location');
    if (away === null) throw new Error(`No launch: ${launched.status}`);
    const back = await fetch(away, { redirect: 'manual' });
    const { pathname, search } = new URL(back.headers.get('location') ?? '');
    return pathname + search;
  };
  return {
    ...visitor,
    send,
    open,
    throughEhr,
    launch: async (patientId) => send(await throughEhr(await open(patientId))),
  };
};
