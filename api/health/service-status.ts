import type { Db } from '../../adapters/postgres/connection/database.ts';
import { addPoolStats, getPoolStats } from '../../adapters/postgres/read-model/health-stats.ts';
import type { HealthProbe } from './health-probe.ts';
import type { HealthSnapshot } from './health-snapshot.ts';
import type { BackgroundMetrics, MetricsSnapshot } from './metrics.ts';
import { findReadiness, type Readiness, type ReasonCode, reason } from './readiness.ts';

/** What a process can be looked at through once its log and database are open. */
export interface ReadyStores {
  readonly db: Db;
  readonly hotDb: Db;
  readonly watch: HealthProbe;
  /** Whether it keeps the read tables up, or stands by for it. */
  readonly projects: boolean;
  readonly hasCaughtUp: () => boolean;
  /** Whether it began to serve while the log was away. */
  readonly isStartedWithoutLog: () => boolean;
  /** Asks the thread behind the door; null: there is none. */
  readonly readBackground: () => Promise<BackgroundMetrics | null>;
}

/** How this process stands, from its start to its stop: for readiness, metrics and staff. */
export interface ServiceStatus {
  readonly startedAt: Date;
  /** Says what the start is waiting for. */
  waitsFor(code: ReasonCode): void;
  /** Says how far the rebuild is that the start is waiting for; null: there is none. */
  rebuilds(words: string | null): void;
  /** How far that rebuild is, in words. */
  rebuild(): string | null;
  opened(parts: ReadyStores): void;
  stops(): void;
  /** As of now. */
  readiness(): Promise<Readiness>;
  /** As of now, or of no more than a second ago. */
  metricsSnapshot(): Promise<MetricsSnapshot>;
  /** What the stores show of themselves in that sight; only once they were opened. */
  look(): Promise<HealthSnapshot>;
}

/** However often metrics are scraped and pages loaded, the stores are asked once a second at most. */
const OLDEST_SIGHT_MS = 1_000;

/** @see ServiceStatus */
export const createServiceStatus = (startedAt: Date): ServiceStatus => {
  let startWaitsFor: ReasonCode = 'starting';
  let rebuild: string | null = null;
  let opened: ReadyStores | null = null;
  let isStopping = false;

  const judge = (look: HealthSnapshot, parts: ReadyStores): Readiness => {
    const { projects, hasCaughtUp, isStartedWithoutLog } = parts;
    return findReadiness(look, {
      isStopping,
      projects,
      hasCaughtUp: hasCaughtUp(),
      isStartedWithoutLog: isStartedWithoutLog(),
    });
  };
  const notOpen = (): Readiness => {
    const codes: ReasonCode[] = isStopping ? ['stopping'] : ['starting'];
    if (startWaitsFor !== 'starting') codes.push(startWaitsFor);
    return { checks: [], reasons: codes.map(reason), warnings: [] };
  };
  return {
    startedAt,
    waitsFor(code) {
      startWaitsFor = code;
    },
    rebuilds(words) {
      rebuild = words;
    },
    rebuild: () => rebuild,
    opened(parts) {
      opened = parts;
    },
    stops() {
      isStopping = true;
    },
    readiness: async () =>
      opened === null ? notOpen() : judge(await opened.watch.probe(0), opened),
    async metricsSnapshot() {
      if (opened === null)
        return { look: null, readiness: notOpen(), pool: null, background: null };
      const parts = opened;
      const [look, background] = await Promise.all([
        parts.watch.probe(OLDEST_SIGHT_MS),
        parts.readBackground(),
      ]);
      const own = getPoolStats(parts.db, parts.hotDb);
      const pool = background === null ? own : addPoolStats([own, background.pool]);
      return { look, readiness: judge(look, parts), pool, background };
    },
    async look() {
      if (opened === null)
        throw new TypeError(
          'The log and the database are not open yet. Look again when the start is over.',
        );
      return opened.watch.probe(OLDEST_SIGHT_MS);
    },
  };
};
