import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isReady } from './health-router.ts';
import { type Look, parkedStreamsOf, seenIn } from './look.ts';
import type { Readiness } from './readiness.ts';

/** What is shown when somebody asks for the metrics, beside what was counted meanwhile. */
export interface Sight {
  /** Null before log and database were opened. */
  readonly look: Look | null;
  readonly readiness: Readiness;
  /** Connections of this process to Postgres; null before there were any. */
  readonly pool: {
    readonly total: number;
    readonly idle: number;
    readonly waiting: number;
    readonly maximum: number;
  } | null;
}

/** What became of an append. */
export type AppendOutcome = 'appended' | 'wrong-revision' | 'failed';

/** The limiters of the service, each by the name of its buckets. */
export type LimiterName = 'push-lane' | 'smart-callback' | 'sign-in-account' | 'sign-in-address';

/** Where the parts of the service count what they do. Each call costs about a microsecond. */
export interface Meters {
  appended(outcome: AppendOutcome, elapsedMs: number): void;
  /** An ingestion came to its end in this process. */
  ended(status: 'completed' | 'failed'): void;
  /** The projector committed a batch. */
  applied(events: number, elapsedMs: number): void;
  /** A limiter let a request not through. */
  refused(limiter: LimiterName): void;
  /** A limiter could not count a request. */
  uncounted(limiter: LimiterName): void;
}

/** Metrics of one process in the text format of Prometheus. No label holds a submitted value. */
export interface Metrics {
  /** Times every request, by the pattern of its route. */
  readonly timeRequests: RequestHandler;
  /** Times a request that Express does not see. @param route its pattern */
  readonly timeRoute: (method: string, route: string, res: ServerResponse) => void;
  readonly meters: Meters;
  /** Everything, as of now. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const BUCKETS_EVENTS = [1, 3, 10, 30, 100, 300, 1000, 3000];
/** What no route took: one label for all of it, however many addresses are tried. */
const NO_ROUTE = 'none';
/** Methods that something of ours takes; Node knows thirty more, and each would be a label. */
const OWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const OTHER_METHOD = 'other';
/** Express takes any case for a mount path: only ours becomes a label. */
const WRITTEN_AS_MOUNTED = /^(?:\/[a-z-]+){0,4}$/;
const PARTS = ['database', 'event-log', 'projection'] as const;
const OUTCOMES: readonly AppendOutcome[] = ['appended', 'wrong-revision', 'failed'];
const LIMITERS: readonly LimiterName[] = [
  'push-lane',
  'smart-callback',
  'sign-in-account',
  'sign-in-address',
];

/**
 * The metrics of this process.
 * @param about what runs; both become labels
 * @param sight asked once each time somebody asks for the metrics
 * @see docs/operations-watching.md for what each means
 */
export const metricsOf = (
  about: { readonly version: string; readonly role: string },
  sight: () => Promise<Sight>,
): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'registry_http_request_seconds',
    help: 'Time from a request to the end of its answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  new Gauge({
    name: 'registry_info',
    help: '1, with the version and the role of this process.',
    labelNames: ['version', 'role'],
    registers: [registry],
  }).set({ ...about }, 1);
  const meters = metersIn(registry);
  const show = gaugesIn(registry);
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
    meters,
    text: async () => {
      show(await sight());
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
};

/** Counters and histograms. Their series are there from the start: a rate needs a zero before. */
const metersIn = (registry: Registry): Meters => {
  const registers = [registry];
  const appends = new Histogram({
    name: 'registry_append_seconds',
    help: 'Time of an append to the log, all its tries together, by outcome.',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'registry_projection_batch_seconds',
    help: 'Time from a batch of events to the commit of what it changes in the read tables.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const batchEvents = new Histogram({
    name: 'registry_projection_batch_events',
    help: 'Events of a batch that was applied to the read tables.',
    buckets: BUCKETS_EVENTS,
    registers,
  });
  const ended = new Counter({
    name: 'registry_ingestions_ended_total',
    help: 'Ingestions that this process brought to their end, by status.',
    labelNames: ['status'],
    registers,
  });
  const refused = new Counter({
    name: 'registry_limiter_refused_total',
    help: 'Requests that a limiter did not let through.',
    labelNames: ['limiter'],
    registers,
  });
  const uncounted = new Counter({
    name: 'registry_limiter_store_errors_total',
    help: 'Requests that a limiter could not count, and therefore did not let through.',
    labelNames: ['limiter'],
    registers,
  });
  // Bound once: to find a series by its labels costs more than to count.
  const appendsOf = bound(OUTCOMES, (outcome) => appends.labels(outcome));
  const endedOf = bound(['completed', 'failed'] as const, (status) => ended.labels(status));
  const refusedBy = bound(LIMITERS, (limiter) => refused.labels(limiter));
  const uncountedBy = bound(LIMITERS, (limiter) => uncounted.labels(limiter));
  for (const outcome of OUTCOMES) appends.zero({ outcome });
  for (const counter of [endedOf, refusedBy, uncountedBy])
    for (const series of Object.values(counter)) series.inc(0);
  return {
    appended: (outcome, elapsedMs) => appendsOf[outcome].observe(elapsedMs / 1000),
    ended: (status) => endedOf[status].inc(),
    applied(events, elapsedMs) {
      batchSeconds.observe(elapsedMs / 1000);
      batchEvents.observe(events);
    },
    refused: (limiter) => refusedBy[limiter].inc(),
    uncounted: (limiter) => uncountedBy[limiter].inc(),
  };
};

const bound = <Name extends string, Series>(
  names: readonly Name[],
  seriesOf: (name: Name) => Series,
): Readonly<Record<Name, Series>> =>
  Object.fromEntries(names.map((name) => [name, seriesOf(name)])) as Record<Name, Series>;

/** Gauges of what is looked at. One that is not known now has no series: 0 would be a lie. */
const gaugesIn = (registry: Registry): ((sight: Sight) => void) => {
  const partUp = new Gauge({
    name: 'registry_part_up',
    help: '1 while a part that readiness asks for answers, else 0.',
    labelNames: ['part'],
    registers: [registry],
  });
  const shown: { readonly gauge: Gauge; readonly valueIn: (sight: Sight) => number | null }[] = [];
  const show = (name: string, help: string, valueIn: (sight: Sight) => number | null) =>
    shown.push({ gauge: new Gauge({ name, help, registers: [registry] }), valueIn });
  const queueOf = ({ look }: Sight) => (look === null ? null : seenIn(look.queue));
  const tablesOf = ({ look }: Sight) => (look === null ? null : seenIn(look.tables));
  const logOf = ({ look }: Sight) => (look === null ? null : seenIn(look.log));
  const lagOf = ({ look }: Sight) => look?.lag ?? null;
  const unixSeconds = (at: Date | null | undefined) => (at ? at.getTime() / 1000 : null);

  show('registry_ready', '1 while this process takes requests, else 0.', ({ readiness }) =>
    isReady(readiness) ? 1 : 0,
  );
  show(
    'registry_queued_ingestions',
    'Ingestions in the queue, those under way included; counted up to 100000.',
    (sight) => queueOf(sight)?.ingestions ?? null,
  );
  show(
    'registry_queued_courses',
    'Courses of care of the ingestions in the queue.',
    (sight) => queueOf(sight)?.courses ?? null,
  );
  show(
    'registry_queue_oldest_seconds',
    'How long the oldest ingestion of the queue has been in it; 0 when it is empty.',
    (sight) => queueOf(sight)?.oldestSeconds ?? null,
  );
  show(
    'registry_access_notes_oldest_seconds',
    'How long the oldest note of the access log has waited to be in the log; 0 when none waits.',
    (sight) => queueOf(sight)?.noteSeconds ?? null,
  );
  show(
    'registry_access_notes_set_aside',
    'Notes of the access log that the log would refuse: kept beside it until a build takes them.',
    (sight) => queueOf(sight)?.notesSetAside ?? null,
  );
  show('registry_log_position', 'Position of the last event of the log.', (sight) =>
    numberOf(logOf(sight)?.position),
  );
  show(
    'registry_log_newest_event_timestamp_seconds',
    'When the last event of the log was recorded, in Unix time.',
    (sight) => unixSeconds(logOf(sight)?.newestAt),
  );
  show(
    'registry_projection_position',
    'Position of the log up to which the read tables are built.',
    (sight) => numberOf(tablesOf(sight)?.position),
  );
  show(
    'registry_projection_lag_events',
    'Events of the log that are not in the read tables; beyond 100 an estimate.',
    (sight) => lagOf(sight)?.events ?? null,
  );
  show(
    'registry_projection_lag_seconds',
    'Age of the oldest event of the log that is not in the read tables; 0 when all are.',
    (sight) => lagOf(sight)?.seconds ?? null,
  );
  show(
    'registry_projection_progress_timestamp_seconds',
    'When this process last saw the read tables go on, in Unix time.',
    (sight) => unixSeconds(tablesOf(sight)?.progressAt),
  );
  show(
    'registry_projection_stalled_seconds',
    'For how long the read tables have not gone on although the log has more; else 0.',
    (sight) => lagOf(sight)?.stalledSeconds ?? null,
  );
  show(
    'registry_projection_kept_up',
    '1 while some process holds the lease of keeping the read tables up, else 0.',
    (sight) => numberOf(tablesOf(sight)?.isKeptUp),
  );
  show(
    'registry_parked_streams',
    'Streams that the projector has parked for a fault of their data.',
    (sight) => {
      const tables = tablesOf(sight);
      return tables === null ? null : parkedStreamsOf(tables);
    },
  );
  show(
    'registry_database_pool_connections',
    'Connections of this process to Postgres.',
    ({ pool }) => pool?.total ?? null,
  );
  show(
    'registry_database_pool_idle',
    'Connections of this process that nobody uses now.',
    ({ pool }) => pool?.idle ?? null,
  );
  show(
    'registry_database_pool_waiting',
    'Queries of this process that wait for a connection.',
    ({ pool }) => pool?.waiting ?? null,
  );
  show(
    'registry_database_pool_maximum',
    'Most connections that this process opens to Postgres for requests and work.',
    ({ pool }) => pool?.maximum ?? null,
  );
  return (sight) => {
    for (const part of PARTS) {
      const isUp = sight.readiness.checks.some(({ name, ok }) => name === part && ok);
      partUp.set({ part }, isUp ? 1 : 0);
    }
    for (const { gauge, valueIn } of shown) {
      const value = valueIn(sight);
      if (value === null) gauge.remove();
      else gauge.set(value);
    }
  };
};

const numberOf = (value: bigint | boolean | undefined): number | null =>
  value === undefined ? null : Number(value);
