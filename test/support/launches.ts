import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createPrefillStore } from '../../adapters/postgres/ephemeral/prefills.ts';
import { loadQueueKeys, openQueueKey } from '../../adapters/postgres/keys/queue-keys.ts';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { openStores } from '../../api/stores/stores.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { ReadChart } from '../../domain/mapping/us-core/prefill.ts';
import { DEFAULT_TIME_ZONE } from '../../domain/practice/state.ts';
import { type SimulatedEhr, startEhr } from '../../scripts/ehr-simulator/start-ehr.ts';
import { newVisitor, sharedTestPages, type TestPages, type TestVisitor } from '../harness/pages.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import {
  startTestService,
  TEST_PASSWORD_COSTS,
  type TestService,
  testSettings,
} from '../harness/service.ts';
import { shared } from '../harness/shared.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import type { TestPage } from '../harness/test-page.ts';
import { soleKey } from './in-memory.ts';

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
  /** The chart that a callback's redirect leads to. @param timeZone whose clock tells its days */
  chartBehind(answer: Response, timeZone?: string): Promise<ReadChart>;
  /** Everything that the service has logged. */
  logged(): string;
  stop(): Promise<void>;
}

const MAX_SPELLINGS = 200;

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
    SMART_ALLOWED_ISSUERS: Array.from({ length: MAX_SPELLINGS }, (_, slashes) =>
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
  const [held] = await loadQueueKeys(stores.db);
  const key = held === undefined ? undefined : openQueueKey(held, stores.secret);
  const prefills = createPrefillStore(stores.db, createRowCipher(soleKey(key)));
  let browsers = 0;
  return {
    ehr,
    settings,
    url: service.url,
    db: stores.db,
    newBrowser(planted = '') {
      browsers += 1;
      // Each spelling is an EHR of its own to the registry, which asks each once in a while.
      const issuer = spelled(ehr.issuer, (browsers - 1) % MAX_SPELLINGS);
      return browserOf(service.url, { ...ehr, issuer }, `203.0.113.${browsers}`, planted);
    },
    async chartBehind(answer, timeZone = DEFAULT_TIME_ZONE) {
      const prefillId = /\?id=([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '')?.[1];
      if (prefillId === undefined) throw new Error(`No pre-fill: ${answer.status}`);
      const { browser } = await stores.db
        .selectFrom('app.prefill')
        .select('browser')
        .where('prefill_id', '=', prefillId)
        .executeTakeFirstOrThrow();
      const kept = await prefills.find(browser, prefillId, timeZone);
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

/** How a browser opens that is launched next: what it pre-fills belongs to its session. */
export const LAUNCHED = { at: 'about:blank', newSession: true } as const;

/** A service that a simulated EHR may launch, with a real browser. */
export interface TestPrefillPages extends TestPages {
  readonly ehr: SimulatedEhr;
  /** Half an hour goes by for every pre-fill that is kept. */
  expirePrefills(): Promise<void>;
  /** What the record under a chart number says; null if there is none. */
  courseUnder(chartNumber: string): Promise<CourseOfCare | null>;
  /** Launches from a patient's chart and ends on the pre-fill. @returns its id */
  launch(page: TestPage, patientId: string): Promise<string>;
  /** The same over HTTP. @returns address of the pre-fill */
  launchWithoutPage(visitor: TestVisitor, patientId: string): Promise<string>;
}

interface LaunchedService {
  readonly service: TestService;
  readonly ehr: SimulatedEhr;
}

const launchedService = shared(
  async (): Promise<LaunchedService> => {
    const ehr = await startEhr();
    const service = await startTestService({
      SMART_CLIENT_ID: ehr.clientId,
      SMART_ALLOWED_ISSUERS: ehr.issuer,
      TRUST_PROXY: 'loopback',
    });
    ehr.register(service.url);
    return { service, ehr };
  },
  async ({ service, ehr }) => {
    await service.stop();
    await ehr.stop();
  },
);

let browsers = 0;

/** Each browser comes from an address of its own, which the limiter of the callback counts. */
const fromAnAddress = () => {
  browsers += 1;
  return { 'X-Forwarded-For': `203.0.113.${browsers}` };
};

/**
 * Starts the service, the browser and an EHR whose charts are of the last days, or shares those of
 * the file before it.
 */
export const startTestPrefillPages = async (): Promise<TestPrefillPages> => {
  const { item, leave } = await launchedService.join();
  const { ehr } = item;
  const pages = await sharedTestPages(Promise.resolve({ ...item.service, stop: leave }), () => ({
    extraHTTPHeaders: fromAnAddress(),
  }));
  const { service } = pages;
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  return {
    ...pages,
    ehr,
    async expirePrefills() {
      await stores.db
        .updateTable('app.prefill')
        .set({ expires_at: new Date(0) })
        .execute();
      await stores.db
        .updateTable('app.prefill_review')
        .set({ expires_at: new Date(0) })
        .execute();
    },
    async courseUnder(chartNumber) {
      const { practiceId } = pages.practice;
      const { state } = await service.commands.history(practiceId, chartNumber, null);
      return state?.courseOfCare ?? null;
    },
    async launch(page, patientId) {
      await page.goto(ehr.launchUrl(service.url, patientId));
      await page.waitForURL(/\/registry\/capture\/prefill\?id=/);
      return new URL(page.url()).searchParams.get('id') ?? '';
    },
    async launchWithoutPage(visitor, patientId) {
      const headers = fromAnAddress();
      const begin = new URL(ehr.launchUrl(service.url, patientId));
      const launched = await visitor.send(begin.pathname + begin.search, undefined, headers);
      const back = await fetch(launched.headers.get('location') ?? '', { redirect: 'manual' });
      const callback = new URL(back.headers.get('location') ?? '');
      const answer = await visitor.send(callback.pathname + callback.search, undefined, headers);
      return answer.headers.get('location') ?? '';
    },
    async stop() {
      await stores.close();
      await pages.stop();
    },
  };
};

/** Presses the form's own button. */
export const save = (page: TestPage): Promise<void> =>
  page.getByRole('button', { name: 'Save', exact: true }).click();

/** The input of a value of the form. */
export const inputOf = <Found>(page: { locator(selector: string): Found }, key: string): Found =>
  page.locator(`[name="${key}"]`);
