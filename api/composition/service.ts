import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { queueCipherOf } from '../../adapters/crypto/queue-cipher.ts';
import { watchAccessVersion } from '../../adapters/postgres/access-version.ts';
import { ingestionQueueOf } from '../../adapters/postgres/ingestion-queue.ts';
import { keyUseOf } from '../../adapters/postgres/key-use.ts';
import { leasesOf } from '../../adapters/postgres/leases.ts';
import { projectionProgressOf } from '../../adapters/postgres/projection-progress.ts';
import { startProjector } from '../../adapters/postgres/projector.ts';
import { openQueueKey } from '../../adapters/postgres/queue-key.ts';
import { quotingDoubtIn } from '../../adapters/postgres/quoting-log.ts';
import { rateLimitStoreOf } from '../../adapters/postgres/rate-limit-store.ts';
import { createApp } from '../app.ts';
import { healthRouter } from '../health/health-router.ts';
import { metricsOf } from '../health/metrics.ts';
import { correlateWith } from '../http/correlate.ts';
import { answerFaultWith, type ReportFault } from '../http/error-middleware.ts';
import { issueOf, outcomeOf } from '../http/operation-outcome.ts';
import { rateLimiter, tokenBucketOf, WINDOW_MS } from '../http/rate-limiter.ts';
import { serviceStarting } from '../http/request-problem.ts';
import { STARTING_PAGE } from '../pages/frame/starting-page.ts';
import { type LimitRequest, pushFront } from '../push/push-front.ts';
import { pushRouter } from '../push/push-router.ts';
import { wantsPage } from '../smart/smart-errors.ts';
import { newDoorFirst } from '../write-path/door-first.ts';
import type { AfterStep } from '../write-path/fault-hook.ts';
import { doubtsOf } from './doubtful-settings.ts';
import { LEASE_MS } from './lease-length.ts';
import { noteOf, type ServiceLog } from './logging.ts';
import { measuredGaugesOf } from './measured-gauges.ts';
import { isPage, pagesOf } from './pages.ts';
import type { SharedParts } from './parts.ts';
import { pushLaneOf } from './push-lane.ts';
import { openReadTables } from './read-tables.ts';
import { readinessOf } from './readiness.ts';
import type { Settings } from './settings.ts';
import { CALLBACKS_PER_MINUTE } from './smart-lane.ts';
import { isOutage, openStores, type Stores } from './stores.ts';
import { startWorker } from './worker.ts';

/** A running service. */
export interface Service {
  /** Address it listens on. */
  readonly url: string;
  /** Settles when every part is up; before that everything but `/health/live` answers 503. */
  readonly started: Promise<void>;
  /** Finishes what is under way, then stops every part and the embedded stores. */
  stop(): Promise<void>;
}

const STORES_RETRY_MS = 1_000;
const DRAIN_MS = 10_000;

/**
 * Starts the service with these settings.
 * @param afterStep called after each step of the write path; for tests that end the process there
 */
export const startService = async (
  settings: Settings,
  serviceLog: ServiceLog,
  afterStep: AfterStep = () => undefined,
): Promise<Service> => {
  const server = createServer(
    { requestTimeout: 120_000 },
    answerWhileStarting(settings.rateLimitPerMinute),
  );
  await listen(server, settings);
  for (const doubt of doubtsOf(settings)) serviceLog.warn(doubt);
  const { port } = server.address() as AddressInfo;
  const url = `http://${settings.host}:${port}`;
  // PORT=0 takes any free port: then only now the public address is known.
  const baseUrl = settings.port === 0 && settings.baseUrl.endsWith(':0') ? url : settings.baseUrl;

  const stopping = new AbortController();
  let stopParts = async (): Promise<void> => undefined;
  const starting = (async () => {
    const stores = await storesInTheEnd(settings, serviceLog, () => stopping.signal.aborted);
    if (stores === null) return;
    stopParts = await startParts(
      { ...settings, baseUrl },
      { stores, server, serviceLog, afterStep, stopping: stopping.signal },
    );
  })();
  // Whoever waits for `started` gets the fault; nobody needs to.
  starting.catch(() => undefined);

  return {
    url,
    started: starting,
    async stop() {
      stopping.abort();
      await starting.catch(() => undefined);
      await closeServer(server);
      await stopParts();
    },
  };
};

const answerWhileStarting =
  (rateLimit: number) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === '/health/live') {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify({ status: 'ok' }));
      return;
    }
    const problem = serviceStarting();
    const path = req.url?.split('?', 1)[0] ?? '';
    const limit = limitOf(path, rateLimit);
    const counted =
      limit === null ? {} : { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': 0 };
    if (isPage(path) && (!path.startsWith('/smart') || wantsPage(req))) {
      res.writeHead(problem.status, {
        ...{ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
        ...{ 'Content-Security-Policy': "default-src 'none'", ...problem.headers, ...counted },
      });
      res.end(STARTING_PAGE);
      return;
    }
    res.writeHead(problem.status, {
      'Content-Type': 'application/fhir+json; charset=utf-8',
      ...problem.headers,
      ...counted,
    });
    res.end(JSON.stringify(outcomeOf(issueOf(problem))));
  };

/** How many requests the limiter of an address lets through in a minute; null: it has none. */
const limitOf = (path: string, pushLimit: number): number | null => {
  if (path.startsWith('/api/registry/fhir')) return pushLimit;
  return path.startsWith('/smart/callback') ? CALLBACKS_PER_MINUTE : null;
};

const listen = (server: Server, { port, host }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Opens the stores, again and again while they are away. Null: stopped meanwhile. */
const storesInTheEnd = async (
  settings: Settings,
  serviceLog: ServiceLog,
  isStopping: () => boolean,
): Promise<Stores | null> => {
  while (!isStopping()) {
    try {
      return await openStores(settings, 'service', serviceLog);
    } catch (error) {
      if (!isOutage(error)) throw error;
      serviceLog.warn(noteOf(error), 'The log or the database is away; trying again.');
      await sleep(STORES_RETRY_MS);
    }
  }
  return null;
};

interface PartsContext {
  readonly stores: Stores;
  readonly server: Server;
  readonly serviceLog: ServiceLog;
  readonly afterStep: AfterStep;
  /** Comes while the parts are still starting when the service is to stop. */
  readonly stopping: AbortSignal;
}

/** Starts what the role asks for. @returns how to stop it */
const startParts = async (
  settings: Settings,
  { stores, server, serviceLog, afterStep, stopping }: PartsContext,
): Promise<() => Promise<void>> => {
  const { db, log } = stores;
  const stops: (() => Promise<void> | void)[] = [() => stores.close()];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const plays = (role: 'api' | 'worker' | 'projector') =>
      settings.role === 'all' || settings.role === role;
    if (!(await openReadTables(stores, plays('projector'), serviceLog, stopping))) return stop;
    // The embedded one is ours, and quotes none.
    const doubt = settings.databaseUrl === null ? null : await quotingDoubtIn(db);
    if (doubt !== null) serviceLog.warn(doubt);
    const cipher = queueCipherOf(await openQueueKey(db, stores.secret));
    const accessVersion = watchAccessVersion(db);
    stops.push(() => accessVersion.stop());
    const now = () => new Date();
    const onFault: SharedParts['onFault'] = (what) => (error) => {
      serviceLog.warn(noteOf(error), what);
    };
    const keyUse = keyUseOf(db, now, onFault('When keys were last used could not be written.'));
    stops.push(() => keyUse.stop());
    const parts: SharedParts = {
      ...{ settings, stores, accessVersion, keyUse, cipher, afterStep, plays, now, onFault },
      queue: ingestionQueueOf(db, cipher, settings.bufferTtlSeconds),
      doorFirst: newDoorFirst(),
      leases: leasesOf(db, LEASE_MS, stores.presence),
      progress: projectionProgressOf(db),
    };
    if (plays('projector')) {
      const projector = startProjector({
        ...{ db, leases: parts.leases, progress: parts.progress },
        follow: (from, onBatch, onCaughtUp, signal) =>
          log.follow(
            from,
            async (batch) => {
              await parts.doorFirst.giveWay();
              await onBatch(batch);
            },
            onCaughtUp,
            signal,
          ),
        onFault: parts.onFault('The projector starts over.'),
      });
      stops.push(() => projector.stop());
    }
    if (plays('worker')) stops.push(startWorker(parts));
    server.removeAllListeners('request');
    server.on('request', listenerOf(parts, serviceLog));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
};

/** What answers the requests: the push lane's front, then Express. */
const listenerOf = (parts: SharedParts, serviceLog: ServiceLog): RequestListener => {
  const { settings, stores, plays } = parts;
  const report: ReportFault = (error, correlationId) => {
    serviceLog.error({ ...noteOf(error), correlationId }, 'A request ended in a fault.');
  };
  const checks = readinessOf(parts);
  const metrics = metricsOf(checks, measuredGaugesOf(parts));
  const shared = {
    correlate: correlateWith(nanoid),
    answerFault: answerFaultWith(isOutage, report),
  };
  const limitPush = rateLimiter({
    store: rateLimitStoreOf(stores.db, 'push-lane', WINDOW_MS),
    limit: settings.rateLimitPerMinute,
    windowMs: WINDOW_MS,
    bucketOf: tokenBucketOf,
  });
  const lane = plays('api') ? pushLaneOf(parts) : null;
  const app = createApp({
    ...shared,
    ...{ baseUrl: settings.baseUrl, health: healthRouter(checks), metrics, limitPush },
    trustProxy: settings.trustProxy,
    push: lane === null ? null : pushRouter(lane),
    pages: plays('api') ? pagesOf(parts, report) : null,
  });
  if (lane === null) return app;
  const { timeRoute } = metrics;
  // The limiter takes from a request no more than Node gives it, when it has a token.
  const front = pushFront({ ...shared, lane, limit: limitPush as LimitRequest, timeRoute });
  return (req, res) => {
    if (!front(req, res)) app(req, res);
  };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
