import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nanoid } from 'nanoid';
import type { PasswordCosts } from '../../adapters/crypto/credentials.ts';
import { watchAccessVersion } from '../../adapters/postgres/access/access-version.ts';
import { createSaveKeyUses } from '../../adapters/postgres/access/key-use.ts';
import { isAnyAccount } from '../../adapters/postgres/access/passwords.ts';
import { readStatementLoggingWarning } from '../../adapters/postgres/connection/statement-logging.ts';
import { notifyOthers, onEachTopic } from '../../adapters/postgres/connection/wakeups.ts';
import { createKeyUse } from '../access/key-use.ts';
import { createSetUpLink, type SetUpLink } from '../access/set-up-link.ts';
import { createKeyRefusals } from '../access-log/key-refusals.ts';
import { createReceiptNotes } from '../access-log/receipt-notes.ts';
import { createHealthProbe } from '../health/health-probe.ts';
import { healthRouter } from '../health/health-router.ts';
import { startLoggingAppendHealth } from '../health/log-append-health.ts';
import { createMetrics, type Metrics } from '../health/metrics.ts';
import { createServiceStatus, type ServiceStatus } from '../health/service-status.ts';
import { answerUnreadable } from '../http/answer-unreadable.ts';
import { type ClientAddress, createClientAddress } from '../http/client-address.ts';
import { createAnswerFault, type ReportFault } from '../http/error-middleware.ts';
import { limitPipelining } from '../http/limit-pipelining.ts';
import { hasOneHost, toOriginForm } from '../http/origin-form.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { createSetResponseHeaders } from '../http/response-headers.ts';
import { type App, openApp } from '../ports/app-ports.ts';
import { isOutage } from '../ports/outage.ts';
import { drain } from '../process/drain.ts';
import type { Failpoint } from '../process/failpoint.ts';
import { buildFaultNote, createFaultLog, type ServiceLog } from '../process/logging.ts';
import { createRunningParts, type RunningParts } from '../process/running-parts.ts';
import { SERVICE_VERSION } from '../process/version.ts';
import { createMetadataLimit, createPushLimit } from '../push/limit-push.ts';
import { metadataRouter } from '../push/metadata-router.ts';
import { createFhirRouter, createPushAccess, type PushAccess } from '../push/push-access.ts';
import { createPushFastPath } from '../push/push-fast-path.ts';
import { pushRouter } from '../push/push-router.ts';
import { createRecentTokens, type RecentTokens } from '../push/recent-tokens.ts';
import { createReader, createReaderInThisThread } from '../reading/reader.ts';
import { SettingInvalid } from '../settings/setting-parsers.ts';
import { buildAddress, hasRole, type Settings } from '../settings/settings.ts';
import { findSettingsWarnings } from '../settings/settings-warnings.ts';
import { retryUntilAvailable } from '../stores/retry-until-available.ts';
import { type LateLog, openStores, type Stores } from '../stores/stores.ts';
import { watchUnauthenticatedLog } from '../stores/unauthenticated-log-port.ts';
import { PageProblem } from '../web/page-problem.ts';
import { awaitReadModel } from './await-read-model.ts';
import { type BackgroundThread, startBackgroundThread } from './background-thread.ts';
import { createApp } from './create-app.ts';
import { formatFault } from './fault-messages.ts';
import { createPages, type ServingProcess } from './pages.ts';
import { startBackground } from './start-background.ts';
import { createStartupHandler } from './startup-handler.ts';

export interface Service {
  readonly url: string;
  /** `BASE_URL`, or the address that the server listens on. */
  readonly baseUrl: string;
  /** Until then everything but `/health/live` and `/metrics` responds with 503. */
  readonly started: Promise<void>;
  /** Called after the start; false if this process serves no people. */
  lacksAccounts(): Promise<boolean>;
  /** Invalidates the previous link. @returns its address */
  openSetUp(): string;
  /** Takes at most ten seconds, even if a part hangs. @param pace `soon` by default */
  stop(pace?: StopPace): Promise<void>;
}

/**
 * `soon` refuses new connections, because a person is waiting. `gently` accepts requests for two
 * more seconds, until the load balancer has noticed that the service is not ready.
 */
export type StopPace = 'soon' | 'gently';

const MS_IN_SECOND = 1_000;
/** 256 bits, as hard to guess as an API key. */
const SET_UP_TOKEN_BYTES = 32;
/** Each measured from the beginning of the stop. */
const STOP = {
  openMs: { soon: 0, gently: 2_000 },
  answerMs: 6_000,
  partsMs: 7_500,
  storesMs: 9_500,
} as const;

const stopWithinMs = (part: string): number => (part === 'stores' ? STOP.storesMs : STOP.partsMs);

/** Node's default of 30 seconds lets a slow sender stay longer. */
const LOOK_AT_CONNECTIONS_MS = 1_000;

/**
 * Longer than the usual 60 seconds of proxies: the side that closes first may cut off a request.
 */
const IDLE_CONNECTION_MS = 75_000;

/**
 * With the limits per connection, limits the memory of callers without a key.
 * @see docs/threat-model.md
 */
const MAX_CONNECTIONS = 4_096;

interface ServiceOptions {
  /**
   * Calls `runBackground` in a thread if the role is `all`; if `null`, this thread does the work.
   */
  readonly backgroundScript?: URL | null;
  /** Calls `runReading` in a thread; if `null`, long inputs are read in this one. */
  readonly readingScript?: URL | null;
  /** Tests end the process there. */
  readonly afterStep?: Failpoint;
  /** For tests; `undefined` in production. */
  readonly passwordCosts?: PasswordCosts | undefined;
}

export const startService = async (
  settings: Settings,
  serviceLog: ServiceLog,
  {
    backgroundScript = null,
    readingScript = null,
    afterStep = () => undefined,
    passwordCosts,
  }: ServiceOptions = {},
): Promise<Service> => {
  const standing = createServiceStatus(new Date());
  const about = { version: SERVICE_VERSION, role: settings.role };
  const metrics = createMetrics(about, standing.metricsSnapshot);
  const requestMs = settings.requestWithinSeconds * MS_IN_SECOND;
  let answer = limitPipelining(
    createStartupHandler(settings.rateLimitPerMinute, standing, metrics),
  );
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: settings.headersWithinSeconds * MS_IN_SECOND,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
    },
    (req, res) => answer(req, res),
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Node has no other timeout for a connection whose client does not read the response.
  server.timeout = requestMs;
  answerUnreadable(server);
  await listen(server, settings);
  for (const doubt of findSettingsWarnings(settings)) serviceLog.warn(doubt);
  const { port } = server.address() as AddressInfo;
  const url = buildAddress(settings.host, port);
  // With PORT=0, the public address is known only after the server listens.
  const baseUrl = settings.port === 0 && settings.baseUrl.endsWith(':0') ? url : settings.baseUrl;

  const stopping = new AbortController();
  const setUpLink = createSetUpLink(
    () => new Date(),
    () => randomBytes(SET_UP_TOKEN_BYTES).toString('base64url'),
  );
  let lacksAccounts: () => Promise<boolean> = async () => false;
  const background =
    backgroundScript === null || settings.role !== 'all'
      ? null
      : startBackgroundThread(backgroundScript, { settings });
  let parts = createRunningParts(serviceLog, stopWithinMs);
  const starting = (async () => {
    const stores = await retryUntilAvailable(
      () => openStores(settings, 'service', serviceLog, stopping.signal),
      serviceLog,
      stopping.signal,
      (store) => standing.waitsFor(store),
    );
    if (stores === null) return;
    if (hasRole(settings.role, 'api')) lacksAccounts = async () => !(await isAnyAccount(stores.db));
    parts = await startParts(
      { ...settings, baseUrl },
      {
        stores,
        // Keeps the server's other listeners, because a stop may have begun.
        serve(listener) {
          answer = limitPipelining(listener);
        },
        serviceLog,
        afterStep,
        passwordCosts,
        standing,
        metrics,
        background,
        readingScript,
        setUpLink,
        stopping: stopping.signal,
      },
    );
  })();
  // The fault is for callers that await `started`, which is optional.
  starting.catch(() => undefined);

  return {
    url,
    started: starting,
    lacksAccounts: () => lacksAccounts(),
    baseUrl,
    openSetUp: () => `${baseUrl}/set-up/${setUpLink.open()}`,
    async stop(pace = 'soon') {
      const began = performance.now();
      standing.stops();
      stopping.abort();
      const drained = drain(server, { openMs: STOP.openMs[pace], answerMs: STOP.answerMs });
      await starting.catch(() => undefined);
      // No request needs the worker, so it can finish its step while requests are answered.
      parts.beginStop('worker');
      parts.beginStop('access log');
      await drained;
      await parts.stop(began);
      await background?.stop();
    },
  };
};

const listen = (server: Server, { port, host }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => {
      const says = WHY_NOT_LISTENING[cause.code ?? '']?.(port, host);
      reject(
        says === undefined
          ? new SettingInvalid(
              `The service cannot listen at HOST ${host} and PORT ${port}. Set others.`,
              { cause },
            )
          : new SettingInvalid(says),
      );
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });

const describeUnknownHost = (port: number, host: string): string =>
  `HOST ${host} is a name that this machine does not know, so that nothing listens on PORT ${port}. Set HOST to one of its addresses, such as 127.0.0.1, or 0.0.0.0 for all.`;

const WHY_NOT_LISTENING: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `PORT ${port} on ${host} is taken: stop what listens there, or set another PORT.`,
  EACCES: (port) => `PORT ${port} may not be used by this user: set one of 1024 and more.`,
  EADDRNOTAVAIL: (_port, host) => `HOST ${host} is no address of this machine.`,
  ENOTFOUND: describeUnknownHost,
  EAI_AGAIN: describeUnknownHost,
};

interface PartsContext {
  readonly stores: Stores;
  readonly serve: (listener: RequestListener) => void;
  readonly serviceLog: ServiceLog;
  readonly afterStep: Failpoint;
  readonly passwordCosts: PasswordCosts | undefined;
  readonly standing: ServiceStatus;
  readonly metrics: Metrics;
  readonly setUpLink: SetUpLink;
  readonly background: BackgroundThread | null;
  readonly readingScript: URL | null;
  readonly stopping: AbortSignal;
}

const startParts = async (settings: Settings, context: PartsContext): Promise<RunningParts> => {
  const { serve, serviceLog, afterStep, stopping, standing, metrics } = context;
  const { background, passwordCosts } = context;
  const running = createRunningParts(serviceLog, stopWithinMs);
  running.add('stores', () => context.stores.close());
  try {
    standing.waitsFor('starting');
    const { stores, readingScript } = context;
    const reader =
      readingScript === null ? createReaderInThisThread() : createReader(readingScript);
    running.add('reader', () => reader.stop());
    const app = await openApp(stores, {
      meters: metrics.meters,
      afterStep,
      now: () => new Date(),
      onFault: createFaultLog(serviceLog),
      baseUrl: settings.baseUrl,
      bufferTtlSeconds: settings.bufferTtlSeconds,
      queueLimitRecords: settings.queueLimitRecords,
      queueLimitMib: settings.queueLimitMib,
      passwordCosts,
      reader,
    });
    running.add('keys', () => app.stopWatchingKeys());
    const { progress, now, onFault } = app;
    const { db, hotDb } = stores;
    const projects = hasRole(settings.role, 'projector');
    if (!(await awaitReadModel(stores, settings.role, serviceLog, stopping, standing)))
      return running;
    // The embedded database is configured to log no statements.
    const doubt = settings.databaseUrl === null ? null : await readStatementLoggingWarning(db);
    if (doubt !== null) serviceLog.warn(doubt);
    running.add(
      'open log',
      watchUnauthenticatedLog(settings, db, (words) => serviceLog.warn(words)),
    );
    const accessVersion = watchAccessVersion(hotDb);
    running.add('access version', () => accessVersion.stop());
    const keyUse = createKeyUse(
      createSaveKeyUses(db, 'app.key_use'),
      now,
      onFault(
        'When keys were last used could not be written; lists show an earlier use until the next one.',
      ),
    );
    running.add('key use', () => keyUse.stop());
    const keyRefused = createKeyUse(
      createSaveKeyUses(db, 'app.key_refusal'),
      now,
      onFault('The addresses where keys were last refused could not be stored.'),
    );
    running.add('refused key use', () => keyRefused.stop());
    const keyRefusals = createKeyRefusals(
      app.noteAccess,
      now,
      onFault(
        'Uses of keys from addresses that are not allowed could not be logged; trying again.',
      ),
    );
    running.add('key refusals', () => keyRefusals.stop());
    const receiptNotes = createReceiptNotes(
      app.noteAccess,
      now,
      onFault('Which receipts were read could not be noted; trying again.'),
    );
    running.add('receipt notes', () => receiptNotes.stop());
    const readBackground = async () => background?.look() ?? null;
    const watch = createHealthProbe({ ...stores, log: app.log }, progress, readBackground);
    running.add('watch', () => watch.stop());
    running.add('append health', startLoggingAppendHealth(watch.appendHealth, serviceLog));
    const { lateLog } = stores;
    if (lateLog !== null) {
      serviceLog.warn(
        'The event log cannot be used yet. Submissions are taken with the keys as they were last read, and wait in the queue.',
      );
      const checking = checkLogInTheEnd(lateLog, serviceLog, stopping);
      running.add('log check', () => checking);
    }
    if (!hasRole(settings.role, 'worker')) notifyOthers(hotDb, app.wakeups);
    if (background === null) await startBackground({ settings, stores, app, serviceLog }, running);
    else {
      onEachTopic(app.wakeups, background.wake);
      const { databaseUrl, logAddress, registryId, secret, livenessLock } = stores;
      const showsPresence = livenessLock !== null;
      background.start({ databaseUrl, logAddress, registryId, secret, showsPresence }, progress);
      running.add('background', () => background.stop());
      running.add('worker', () => background.stopWork());
    }
    standing.opened({
      db,
      hotDb,
      watch,
      projects,
      hasCaughtUp: progress.hasCaughtUp,
      isStartedWithoutLog: () => lateLog?.wasAway() ?? false,
      hasReachedLog: () => lateLog?.isOpen() ?? true,
      readBackground,
    });
    const knownTokens = createRecentTokens();
    const getAddress = createClientAddress(settings.trustProxy);
    const serving: Serving = {
      settings,
      stores,
      standing,
      setUpLink: context.setUpLink,
      accessVersion: accessVersion.current,
      knownTokens,
      getAddress,
      pushAccess: createPushAccess(
        app,
        accessVersion.current,
        getAddress,
        {
          use: keyUse.note,
          receipt: receiptNotes.note,
          refusal(caller, address) {
            app.meters.ipNotAllowed();
            keyRefused.note(caller.keyId, address);
            keyRefusals.note(caller);
          },
        },
        knownTokens,
      ),
      metrics,
      serviceLog,
    };
    serve(createListener(app, serving));
    return running;
  } catch (error) {
    await running.stop(performance.now());
    throw error;
  }
};

/** Ends the process if a start would refuse the log. */
const checkLogInTheEnd = async (
  { check }: LateLog,
  serviceLog: ServiceLog,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await retryUntilAvailable(check, serviceLog, signal);
    if (!signal.aborted)
      serviceLog.info('The event log is back. The submissions in the queue are being processed.');
  } catch (error) {
    serviceLog.fatal(buildFaultNote(error), formatFault(error));
    throw error;
  }
};

const isExpected = (error: unknown): boolean =>
  (error instanceof RequestProblem || error instanceof PageProblem) && error.isExpected;

interface Serving extends ServingProcess {
  readonly pushAccess: PushAccess;
  readonly knownTokens: RecentTokens;
  readonly getAddress: ClientAddress;
  readonly metrics: Metrics;
  readonly serviceLog: ServiceLog;
}

const createListener = (app: App, serving: Serving): RequestListener => {
  const { settings, standing, metrics, serviceLog } = serving;
  const isAnswering = hasRole(settings.role, 'api');
  const report: ReportFault = (error, correlationId) => {
    if (isExpected(error)) {
      // Not a warning, because anyone can trigger it at any rate.
      serviceLog.debug({ correlationId }, 'A request was refused as the settings want it.');
      return;
    }
    serviceLog.error({ ...buildFaultNote(error), correlationId }, 'A request ended in a fault.');
  };
  const shared = {
    setResponseHeaders: createSetResponseHeaders(nanoid),
    answerFault: createAnswerFault(isOutage, report),
  };
  const limits = createPushLimit(
    app,
    serving.pushAccess,
    serving.knownTokens,
    serving.getAddress,
    settings.rateLimitPerMinute,
  );
  const lane = isAnswering ? createFhirRouter(app, serving.pushAccess) : null;
  const handler = createApp({
    ...shared,
    baseUrl: settings.baseUrl,
    supportContact: settings.supportContact,
    health: healthRouter(standing.readiness),
    metrics,
    limitPush: limits.all,
    trustProxy: settings.trustProxy,
    push: lane === null ? null : pushRouter(lane),
    metadata:
      lane === null
        ? null
        : metadataRouter(settings.baseUrl, createMetadataLimit(app, settings.rateLimitPerMinute)),
    pages: isAnswering ? createPages(app, serving, report) : null,
  });
  const { timeRoute } = metrics;
  const fastPath =
    lane === null
      ? () => false
      : createPushFastPath({
          ...shared,
          lane,
          recentTokens: serving.knownTokens,
          getAddress: serving.getAddress,
          limit: limits.forRecentTokens,
          timeRoute,
        });
  return (req, res) => {
    const target = toOriginForm(req.url ?? '');
    if (target === null || !hasOneHost(req.rawHeaders)) {
      const problem = new RequestProblem(REQUEST_PROBLEMS['malformed-address']);
      shared.answerFault(problem, res, shared.setResponseHeaders(res));
      return;
    }
    req.url = target;
    if (!fastPath(req, res)) handler(req, res);
  };
};
