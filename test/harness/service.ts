import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { readSecretFile } from '../../adapters/crypto/keys.ts';
import { type EventStoreNode, openNode } from '../../adapters/embedded-eventstore/node.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { notifyOthers } from '../../adapters/postgres/connection/wakeups.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { type App, openApp } from '../../api/ports/app-ports.ts';
import { createCounts } from '../../api/process/counts.ts';
import type { Failpoint } from '../../api/process/failpoint.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import {
  dismissDuplicate,
  keepRevival,
  restoreDuplicateFlag,
  voidRecord,
} from '../../api/record-commands/change-record.ts';
import { mergeRecords } from '../../api/record-commands/merge-records.ts';
import { restoreVersion, restoreVoided } from '../../api/record-commands/restore-record.ts';
import { saveCourse } from '../../api/record-commands/save-course.ts';
import { readSettings, type Settings } from '../../api/settings/settings.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import type { Scope } from '../../domain/api-key/events.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { copyFreshCluster, copyStartedCluster, createTestDatabase } from './postgres.ts';
import { shared } from './shared.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A service of a test's own, on stores of its own, with everything real. */
export interface TestService {
  readonly url: string;
  readonly settings: Settings;
  /** Of {@link settings}, for another process on the same stores. */
  readonly environment: Readonly<Record<string, string>>;
  readonly commands: OperatorCommands;
  stop(): Promise<void>;
}

/** What sets a throw-away service: any free port, silent, embedded stores, no limit worth the name. */
export const testEnvironment = (
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_MINUTE: '1000000',
  STAFF_SECOND_FACTOR: 'optional',
  ...changes,
});

/** As low as Argon2 goes: no test of a page is about the strength of a hash. */
export const TEST_PASSWORD_COSTS = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

/** Settings of a throw-away service. */
export const testSettings = (
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
): Settings => readSettings(testEnvironment(dataDir, changes));

/** Where the stores of a test are, and what ends them. */
export interface TestStores {
  readonly environment: Readonly<Record<string, string>>;
  /** Opens another node of the log at the same address: one keeps recent events in memory. */
  reopenLog(): Promise<void>;
  stop(): Promise<void>;
}

const openTestNode = async (databaseUrl: string): Promise<EventStoreNode> => {
  const node = await openNode({
    databaseUrl,
    hostKind: 'service',
    authorization: null,
    onLog: () => undefined,
  });
  if (node === null) throw new Error('The log of this database is used by another node.');
  return node;
};

/**
 * Stores of a test's own: a database of the Postgres that files share, and the node of its log in this process.
 * @param template what is in them: nothing, or a registry without a practice
 */
export const startTestStores = async (template: 'template1' | 'registry'): Promise<TestStores> => {
  const database = await createTestDatabase(template);
  let node = await openTestNode(database.url);
  const port = await node.listen(0);
  return {
    environment: {
      DATABASE_URL: database.url,
      EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`,
      REGISTRY_SECRET: (await readSecretFile(database.directory)) ?? randomUUID(),
    },
    async reopenLog() {
      await node.stop();
      node = await openTestNode(database.url);
      await node.listen(port);
    },
    async stop() {
      await node.stop();
      await database.stop();
    },
  };
};

/** The stores that a data directory holds without further settings: a Postgres and a node of its own. */
const copyEmbeddedStores = async (dataDir: string, isFounded: boolean) => {
  await (isFounded ? copyStartedCluster : copyFreshCluster)(dataDir);
  return { environment: {}, stop: async () => undefined };
};

/**
 * Starts a service in this process and waits until it is ready.
 * @param isEmbedded on the stores that it starts itself, for tests that are about those
 */
export const startTestService = async (
  changes: Readonly<Record<string, string>> = {},
  {
    backgroundScript = null,
    isEmbedded = 'EVENTSTORE_PORT' in changes,
  }: { readonly backgroundScript?: URL | null; readonly isEmbedded?: boolean } = {},
): Promise<TestService> => {
  const directory = temporaryDirectory('service');
  // A secret of the test's own opens no registry that was founded with another one.
  const isFounded = !('REGISTRY_SECRET' in changes);
  const stores = isEmbedded
    ? await copyEmbeddedStores(directory.path, isFounded)
    : await startTestStores(isFounded ? 'registry' : 'template1');
  const environment = testEnvironment(directory.path, { ...stores.environment, ...changes });
  const settings = readSettings(environment);
  const silent = openServiceLog('silent');
  const service: Service = await startService(settings, silent, {
    backgroundScript,
    passwordCosts: TEST_PASSWORD_COSTS,
  });
  await service.started;
  const commands = await openCommands(settings, silent, { passwordCosts: TEST_PASSWORD_COSTS });
  return {
    url: service.url,
    settings,
    environment,
    commands,
    async stop() {
      await commands.close();
      await service.stop();
      await stores.stop();
      directory.remove();
    },
  };
};

/** A connection of a test's own to the database of a service. */
export const openTestConnection = ({ settings }: Pick<TestService, 'settings'>): Db =>
  openDatabase(settings.databaseUrl ?? '', 1);

const theService = shared(
  () => startTestService(),
  (service) => service.stop(),
);

/**
 * The service that the files of a process share, each with practices of its own. For files that need
 * no settings, stop nothing, and neither count nor list what is beyond a practice.
 */
export const sharedTestService = async (): Promise<TestService> => {
  const { item, leave } = await theService.join();
  return { ...item, stop: leave };
};

/** A practice in the beta with a native key. */
export interface TestPractice {
  readonly practiceId: string;
  readonly keyId: string;
  readonly token: string;
}

/** Creates a practice and mints a key for it. */
export const newPractice = async (
  commands: OperatorCommands,
  scopes: readonly Scope[] = ['ingest:write', 'ingest:read'],
  sandbox = true,
): Promise<TestPractice> => {
  const practiceId = await commands.practices.create({
    name: 'Cedar Birth Center',
    sandbox,
    beta: true,
  });
  const { keyId, token } = await commands.keys.mintNative({ practiceId, scopes, name: null });
  return { practiceId, keyId, token };
};

/** Posts a body to the push lane. */
export const post = (
  url: string,
  token: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/fhir+json',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body instanceof Uint8Array ? Buffer.from(body) : textOf(body),
  });

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The status address that a push was answered with. */
export const receiptAddress = ({ headers }: Pick<Response, 'headers'>): string =>
  headers.get('content-location') ?? '';

/** Pushes a Bundle that has to be taken. @returns its status address */
export const pushAddress = async (...sent: Parameters<typeof post>): Promise<string> => {
  const response = await post(...sent);
  if (response.status !== 202) throw new Error(`Expected 202, got ${response.status}`);
  return receiptAddress(response);
};

/** Reads a status address. */
export const poll = (address: string, token: string): Promise<Response> =>
  fetch(address, { headers: { Authorization: `Bearer ${token}` } });

/** What a push takes where nothing else runs. */
const FIRST_POLL_MS = 40;
/** What takes long, such as the end of a lease, is not asked about a hundred times in a second. */
const MAX_POLL_MS = 100;

/** No receipt takes as long where the processors are free: this is for a machine that is busy with more. */
const RECEIPT_WITHIN_MS = 240_000;

/** Polls a status address until the receipt is terminal. */
export const receiptAt = async (
  address: string,
  token: string,
  withinMs = RECEIPT_WITHIN_MS,
  ask: typeof poll = poll,
): Promise<Receipt> => {
  const until = performance.now() + withinMs;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.2, MAX_POLL_MS)) {
    const response = await ask(address, token);
    const receipt = (await response.json()) as Receipt;
    if (receipt.status === 'completed' || receipt.status === 'failed') return receipt;
    if (performance.now() > until)
      throw new Error(`No terminal receipt within ${withinMs} ms: ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};

/** Pushes a Bundle and waits for its receipt. */
export const push = async (
  url: string,
  token: string,
  bundle: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Receipt> => receiptAt(await pushAddress(url, token, bundle, headers), token);

/**
 * Pushes one birth that has to be accepted, with the practice's own key unless another is given.
 * @returns its submission uuid
 */
export const sendBirth = async (
  { service, practice }: { readonly service: TestService; readonly practice: TestPractice },
  bundle: unknown,
  token: string = practice.token,
): Promise<string> => {
  const receipt = await push(service.url, token, bundle);
  if (receipt.status !== 'completed') throw new Error('The ingestion failed.');
  const [entry] = receipt.outcome.accepted;
  if (entry === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return entry.submission_uuid;
};

const lastMetrics = new Map<string, string>();

/** The metrics of a service as Prometheus would get them, and not those of an earlier call. */
export const metricsAt = async (url: string): Promise<string> => {
  const before = lastMetrics.get(url);
  for (;;) {
    const response = await fetch(`${url}/metrics`);
    assert.is(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', 'text/plain');
    const text = await response.text();
    lastMetrics.set(url, text);
    // The time that its event loop has been busy is never the same twice.
    if (text !== before) return text;
    await new Promise((resolve) => setTimeout(resolve, MAX_POLL_MS));
  }
};

/** Value of a series, with its labels as written; NaN if there is none. */
export const seriesValue = (text: string, series: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
};

/** Opens the registry on the stores of a running service, as another API process would. */
export const openTestRegistry = async (
  stores: Stores,
  settings: TestService['settings'],
  afterStep: Failpoint = () => undefined,
): Promise<App> => {
  const registry = await openApp(stores, {
    meters: createCounts().meters,
    afterStep,
    now: () => new Date(),
    onFault: () => () => undefined,
    baseUrl: settings.baseUrl,
    bufferTtlSeconds: settings.bufferTtlSeconds,
    queueLimitRecords: settings.queueLimitRecords,
    queueLimitMib: settings.queueLimitMib,
  });
  notifyOthers(stores.hotDb, registry.wakeups);
  return registry;
};

/** What people write into records, on a registry. */
const writesOn = (registry: App) => {
  const bound =
    <Args extends readonly unknown[], Result>(write: (on: App, ...args: Args) => Result) =>
    (...args: Args): Result =>
      write(registry, ...args);
  return {
    saveCourse: bound(saveCourse),
    voidRecord: bound(voidRecord),
    restoreVersion: bound(restoreVersion),
    bringBack: bound(restoreVoided),
    keepRevival: bound(keepRevival),
    dismissDuplicate: bound(dismissDuplicate),
    restoreDuplicateFlag: bound(restoreDuplicateFlag),
    mergeRecords: bound(mergeRecords),
  };
};

/** A service, and what people write into it, as another API process would. */
export interface WritingService extends TestService {
  readonly stores: Stores;
  readonly registry: App;
  readonly writes: ReturnType<typeof writesOn>;
  /** The same from one more process, whose clock may be another. */
  writesAt(now: () => Date): ReturnType<typeof writesOn>;
}

/** Starts a service of a test's own with everything that people write into records. */
export const startWritingService = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<WritingService> => {
  const service = await startTestService(changes);
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const registry = await openTestRegistry(stores, service.settings);
  return {
    ...service,
    stores,
    registry,
    writesAt: (now) => writesOn({ ...registry, now }),
    writes: writesOn(registry),
    async stop() {
      await stores.close();
      await service.stop();
    },
  };
};
