import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';

export const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const BUCKETS_EVENTS = [1, 3, 10, 30, 100, 300, 1000, 3000];
const OUTCOMES: readonly AppendOutcome[] = ['appended', 'wrong-revision', 'failed'];
const LIMITERS: readonly LimiterName[] = [
  'push-lane',
  'metadata',
  'smart-launch',
  'smart-callback',
  'sign-in-account',
  'sign-in-address',
  'second-factor',
  'sso-begin',
  'sso-callback',
  'sso-logout',
  'log',
];

export type AppendOutcome = 'appended' | 'wrong-revision' | 'failed';

/** Named like the buckets. */
export type LimiterName =
  | 'push-lane'
  | 'metadata'
  | 'smart-launch'
  | 'smart-callback'
  | 'sign-in-account'
  | 'sign-in-address'
  | 'second-factor'
  | 'sso-begin'
  | 'sso-callback'
  | 'sso-logout'
  | 'log';

/** Calls must stay cheap. */
export interface Meters {
  appended(outcome: AppendOutcome, elapsedMs: number): void;
  ended(status: 'completed' | 'failed'): void;
  applied(events: number, elapsedMs: number): void;
  ipNotAllowed(): void;
  refused(limiter: LimiterName): void;
  uncounted(limiter: LimiterName): void;
}

export type CountsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Counts {
  readonly meters: Meters;
  json(): Promise<CountsJson>;
}

export const createCounts = (): Counts => {
  const registry = new Registry();
  return { meters: metersIn(registry), json: () => registry.getMetricsAsJSON() };
};

export const formatCounts = (threads: readonly CountsJson[]): Promise<string> =>
  AggregatorRegistry.aggregate([...threads]).metrics();

/** All series exist from the start, because a rate needs an initial zero. */
const metersIn = (registry: Registry): Meters => {
  const registers = [registry];
  const appends = new Histogram({
    name: 'registry_append_seconds',
    help: 'Time of an append to the log, including retries.',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'registry_projection_batch_seconds',
    help: 'Time to apply a batch of events to the read tables.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const batchEvents = new Histogram({
    name: 'registry_projection_batch_events',
    help: 'Events in such a batch.',
    buckets: BUCKETS_EVENTS,
    registers,
  });
  const ended = new Counter({
    name: 'registry_ingestions_ended_total',
    help: 'Ingestions that this process has completed or failed.',
    labelNames: ['status'],
    registers,
  });
  const refused = new Counter({
    name: 'registry_limiter_refused_total',
    help: 'Requests that got 429 from a limiter.',
    labelNames: ['limiter'],
    registers,
  });
  const uncounted = new Counter({
    name: 'registry_limiter_store_errors_total',
    help: 'Requests that got 503 because they could not be counted.',
    labelNames: ['limiter'],
    registers,
  });
  const elsewhere = new Counter({
    name: 'registry_key_used_elsewhere_total',
    help: 'Requests that got 403 because their key may not be used from their address.',
    registers,
  });
  // Bound once, because finding a series by its labels costs more than counting.
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
    ipNotAllowed: () => elsewhere.inc(),
    refused: (limiter) => refusedBy[limiter].inc(),
    uncounted: (limiter) => uncountedBy[limiter].inc(),
  };
};

const bound = <Name extends string, Series>(
  names: readonly Name[],
  seriesOf: (name: Name) => Series,
): Readonly<Record<Name, Series>> =>
  Object.fromEntries(names.map((name) => [name, seriesOf(name)])) as Record<Name, Series>;
