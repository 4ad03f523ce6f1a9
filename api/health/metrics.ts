import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReadinessCheck } from './health-router.ts';

/** A number that is looked up when somebody asks for the metrics. */
export interface MeasuredGauge {
  readonly name: string;
  readonly help: string;
  /** What a rejection says: not known now. */
  readonly measure: () => Promise<number>;
}

/** Metrics of one process in the text format of Prometheus. No label holds a submitted value. */
export interface Metrics {
  /** Times every request, by the pattern of its route. */
  readonly timeRequests: RequestHandler;
  /** Times a request that Express does not see. @param route its pattern */
  readonly timeRoute: (method: string, route: string, res: ServerResponse) => void;
  /** Answers with the metrics. */
  readonly show: RequestHandler;
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** What no route took: one label for all of it, however many addresses are tried. */
const NO_ROUTE = 'none';
/** Express takes any case for a mount path: only ours becomes a label. */
const WRITTEN_AS_MOUNTED = /^(?:\/[a-z-]+){0,4}$/;

/** @see Metrics */
export const metricsOf = (
  checks: readonly ReadinessCheck[],
  gauges: readonly MeasuredGauge[],
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
    name: 'registry_part_up',
    help: '1 while a part that readiness asks for answers, else 0.',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      await Promise.all(
        checks.map(async ({ name, check }) => {
          const isUp = await check().then(
            () => 1,
            () => 0,
          );
          this.set({ part: name }, isUp);
        }),
      );
    },
  });
  for (const { name, help, measure } of gauges)
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(await measure().catch(() => Number.NaN));
      },
    });
  return {
    timeRequests: (req, res, next) => {
      const stop = requests.startTimer();
      res.once('close', () => {
        const { path } = (req.route ?? {}) as { readonly path?: unknown };
        const isKnown = typeof path === 'string' && WRITTEN_AS_MOUNTED.test(req.baseUrl);
        const route = isKnown ? `${req.baseUrl}${path}` : NO_ROUTE;
        stop({ method: req.method, route, status: res.statusCode });
      });
      next();
    },
    timeRoute: (method, route, res) => {
      const stop = requests.startTimer();
      res.once('close', () => void stop({ method, route, status: res.statusCode }));
    },
    show: async (_req, res) => {
      res.type(registry.contentType).send(await registry.metrics());
    },
  };
};
