import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolStats } from '../../adapters/postgres/read-model/health-stats.ts';
import type { AppendHealth } from '../../domain/event-log.ts';
import {
  BUCKETS_SECONDS,
  type CountsJson,
  createCounts,
  formatCounts,
  type Meters,
} from '../process/counts.ts';
import { isReady } from './health-router.ts';
import {
  countDeadLetterStreams,
  getValue,
  type HealthSnapshot,
  lacksProjector,
} from './health-snapshot.ts';
import type { Readiness } from './readiness.ts';

export interface MetricsSnapshot {
  /** `null` before the log and the database were opened. */
  readonly health: HealthSnapshot | null;
  readonly readiness: Readiness;
  /** `null` before the first connection to Postgres. */
  readonly pool: PoolStats | null;
  readonly background: BackgroundMetrics | null;
}

export interface BackgroundMetrics {
  readonly counts: CountsJson;
  readonly pool: PoolStats;
  readonly appends: AppendHealth;
  readonly busySeconds: number;
}

/** No label contains a submitted value. */
export interface Metrics {
  readonly timeRequests: RequestHandler;
  /** For requests that bypass Express. @param route its pattern */
  readonly timeRoute: (method: string, route: string, res: ServerResponse) => void;
  readonly meters: Meters;
  /** At most a second old. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** One label for all requests without a route, however many addresses a client tries. */
const NO_ROUTE = 'none';
/** Methods of our routes; each of the many others that Node accepts would become a label. */
const OWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const OTHER_METHOD = 'other';
/** Express matches mount paths in any case; only our spelling becomes a label. */
const WRITTEN_AS_MOUNTED = /^(?:\/[a-z-]+){0,4}$/;
const EVENT_LOOP_PRECISION_MS = 200;
const PARTS = ['database', 'event-log', 'projection'] as const;

/**
 * @param metricsSnapshot called once per scrape
 * @see docs/operate/monitor.md for the meaning of each metric
 */
export const createMetrics = (
  about: { readonly version: string; readonly role: string },
  metricsSnapshot: () => Promise<MetricsSnapshot>,
): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    // At the default of 10, the timer is most of what an idle service costs.
    eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS,
  });
  const requests = new Histogram({
    name: 'registry_http_request_seconds',
    help: 'Time from a request to the end of its response. Unknown routes are `none`.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  new Gauge({
    name: 'registry_info',
    help: '1, with the version and role of this process.',
    labelNames: ['version', 'role'],
    registers: [registry],
  }).set({ ...about }, 1);
  const counts = createCounts();
  const updateGauges = createGauges(registry);
  const busy = new Gauge({
    name: 'registry_event_loop_busy_seconds',
    help: 'How long the event loop of a thread has been busy since its start.',
    labelNames: ['thread'],
    registers: [registry],
  });
  return {
    timeRequests: (req, res, next) => {
      const stop = requests.startTimer();
      res.once('close', () => {
        const { path } = (req.route ?? {}) as { readonly path?: unknown };
        const isKnown = typeof path === 'string' && WRITTEN_AS_MOUNTED.test(req.baseUrl);
        const route = isKnown ? `${req.baseUrl}${path}` : NO_ROUTE;
        const method = OWN_METHODS.has(req.method) ? req.method : OTHER_METHOD;
        stop({ method, route, status: res.statusCode });
      });
      next();
    },
    timeRoute: (method, route, res) => {
      const stop = requests.startTimer();
      res.once('close', () => void stop({ method, route, status: res.statusCode }));
    },
    meters: counts.meters,
    text: cacheForSecond(async () => {
      const snapshot = await metricsSnapshot();
      updateGauges(snapshot);
      const { background } = snapshot;
      busy.set({ thread: 'requests' }, performance.eventLoopUtilization().active / 1000);
      if (background !== null) busy.set({ thread: 'background' }, background.busySeconds);
      const threads = [await counts.json(), ...(background === null ? [] : [background.counts])];
      return (await registry.metrics()) + (await formatCounts(threads));
    }),
    contentType: registry.contentType,
  };
};

const TTL_MS = 1_000;

/** Scrapes within a second share one text, so that many cost as much as one. */
const cacheForSecond = (build: () => Promise<string>): (() => Promise<string>) => {
  let cache: { readonly text: Promise<string>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (cache !== null && now - cache.at < TTL_MS) return cache.text;
    const text = build();
    cache = { text, at: now };
    text.catch(() => {
      cache = null;
    });
    return text;
  };
};

/** Gauges of the current state. An unknown value has no series, because 0 would be wrong. */
const createGauges = (registry: Registry): ((metricsSnapshot: MetricsSnapshot) => void) => {
  const partUp = new Gauge({
    name: 'registry_part_up',
    help: '1 while a part that readiness checks is as it should be, else 0.',
    labelNames: ['part'],
    registers: [registry],
  });
  const gauges: {
    readonly gauge: Gauge;
    readonly readValue: (metricsSnapshot: MetricsSnapshot) => number | null;
  }[] = [];
  const addGauge = (
    name: string,
    help: string,
    readValue: (metricsSnapshot: MetricsSnapshot) => number | null,
  ) => gauges.push({ gauge: new Gauge({ name, help, registers: [registry] }), readValue });
  const getQueue = ({ health }: MetricsSnapshot) =>
    health === null ? null : getValue(health.queue);
  const getTables = ({ health }: MetricsSnapshot) =>
    health === null ? null : getValue(health.tables);
  const getLog = ({ health }: MetricsSnapshot) => (health === null ? null : getValue(health.log));
  const getLag = ({ health }: MetricsSnapshot) => health?.lag ?? null;
  const toUnixSeconds = (at: Date | null | undefined) => (at ? at.getTime() / 1000 : null);

  addGauge('registry_ready', '1 while `/health/ready` is 200, else 0.', ({ readiness }) =>
    isReady(readiness) ? 1 : 0,
  );
  addGauge(
    'registry_queued_ingestions',
    'Ingestions in the queue, including those being processed, up to 100,000.',
    (metricsSnapshot) => getQueue(metricsSnapshot)?.ingestions ?? null,
  );
  addGauge(
    'registry_queued_courses',
    'Courses of care in the queue.',
    (metricsSnapshot) => getQueue(metricsSnapshot)?.courses ?? null,
  );
  addGauge(
    'registry_queue_oldest_seconds',
    'Age of the oldest ingestion in the queue; 0 if it is empty.',
    (metricsSnapshot) => getQueue(metricsSnapshot)?.oldestSeconds ?? null,
  );
  addGauge(
    'registry_access_notes_oldest_seconds',
    'Age of the oldest access log entry that is not in the log yet; 0 if none.',
    (metricsSnapshot) => getQueue(metricsSnapshot)?.outboxOldestSeconds ?? null,
  );
  addGauge(
    'registry_access_notes_set_aside',
    'Access log entries that this build does not know. They are kept.',
    (metricsSnapshot) => getQueue(metricsSnapshot)?.outboxDeadLetters ?? null,
  );
  addGauge(
    'registry_log_position',
    'Position of the last event in the log. Positions have gaps.',
    (metricsSnapshot) => toNumber(getLog(metricsSnapshot)?.position),
  );
  addGauge(
    'registry_log_newest_event_timestamp_seconds',
    'When the last event was recorded, in Unix time.',
    (metricsSnapshot) => toUnixSeconds(getLog(metricsSnapshot)?.newestAt),
  );
  addGauge(
    'registry_clock_ahead_of_log_seconds',
    'How far the clock of this process is ahead of that of the log.',
    ({ health }) => {
      const clock = health?.appends.clock ?? null;
      return clock === null ? null : clock.aheadMs / 1000;
    },
  );
  addGauge(
    'registry_projection_position',
    'Position up to which the read tables hold the log.',
    (metricsSnapshot) => toNumber(getTables(metricsSnapshot)?.position),
  );
  addGauge(
    'registry_projection_lag_events',
    'Events that are not in the read tables yet; above 100 an estimate.',
    (metricsSnapshot) => getLag(metricsSnapshot)?.events ?? null,
  );
  addGauge(
    'registry_projection_lag_seconds',
    'Age of the oldest event that is not in the read tables yet; 0 if none.',
    (metricsSnapshot) => getLag(metricsSnapshot)?.seconds ?? null,
  );
  addGauge(
    'registry_projection_ahead_of_log',
    '1 while the read tables hold events that the log lacks, else 0.',
    (metricsSnapshot) =>
      getTables(metricsSnapshot) === null || getLog(metricsSnapshot) === null
        ? null
        : toNumber(metricsSnapshot.health?.isAheadOfLog),
  );
  addGauge(
    'registry_projection_progress_timestamp_seconds',
    'When this process last saw the read tables make progress, in Unix time.',
    (metricsSnapshot) => toUnixSeconds(getTables(metricsSnapshot)?.progressAt),
  );
  addGauge(
    'registry_projection_stalled_seconds',
    'How long the read tables have made no progress although the log has more.',
    (metricsSnapshot) => getLag(metricsSnapshot)?.stalledSeconds ?? null,
  );
  addGauge(
    'registry_projection_kept_up',
    '1 while a process keeps the read tables current, else 0.',
    (metricsSnapshot) => {
      const hasProjector = getTables(metricsSnapshot)?.hasActiveProjector;
      const { health } = metricsSnapshot;
      // While the projector waits for something else, its lease says nothing.
      return hasProjector === false && health !== null && !lacksProjector(health)
        ? null
        : toNumber(hasProjector);
    },
  );
  addGauge(
    'registry_parked_streams',
    'Streams whose events could not be applied because of their data.',
    (metricsSnapshot) => {
      const tables = getTables(metricsSnapshot);
      return tables === null ? null : countDeadLetterStreams(tables);
    },
  );
  addGauge(
    'registry_database_pool_connections',
    'Connections of this process to Postgres.',
    ({ pool }) => pool?.total ?? null,
  );
  addGauge(
    'registry_database_pool_idle',
    'Connections of this process that are idle.',
    ({ pool }) => pool?.idle ?? null,
  );
  addGauge(
    'registry_database_pool_waiting',
    'Queries of this process that wait for a connection.',
    ({ pool }) => pool?.waiting ?? null,
  );
  addGauge(
    'registry_database_pool_maximum',
    'Most connections that this process opens to Postgres.',
    ({ pool }) => pool?.maximum ?? null,
  );
  return (metricsSnapshot) => {
    for (const part of PARTS) {
      const isUp = metricsSnapshot.readiness.checks.some(({ name, ok }) => name === part && ok);
      partUp.set({ part }, isUp ? 1 : 0);
    }
    for (const { gauge, readValue } of gauges) {
      const value = readValue(metricsSnapshot);
      if (value === null) gauge.remove();
      else gauge.set(value);
    }
  };
};

const toNumber = (value: bigint | boolean | undefined): number | null =>
  value === undefined ? null : Number(value);
