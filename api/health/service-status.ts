import type { Db } from '../../adapters/postgres/connection/database.ts';
import { addPoolStats, getPoolStats } from '../../adapters/postgres/read-model/health-stats.ts';
import type { HealthProbe } from './health-probe.ts';
import type { HealthSnapshot } from './health-snapshot.ts';
import type { BackgroundMetrics, MetricsSnapshot } from './metrics.ts';
import { findReadiness, type Readiness, type ReasonCode, reason } from './readiness.ts';

/** Sources of a process's health once its log and database are open. */
export interface ReadyStores {
  readonly db: Db;
  readonly hotDb: Db;
  readonly watch: HealthProbe;
  /** True if it keeps the read tables current, or is on standby for that. */
  readonly projects: boolean;
  readonly hasCaughtUp: () => boolean;
  /** True if it began to serve while the log was unavailable. */
  readonly isStartedWithoutLog: () => boolean;
  /** True if it has read the log since it started. */
  readonly hasReachedLog: () => boolean;
  /** Queries the background thread; returns `null` if there is none. */
  readonly readBackground: () => Promise<BackgroundMetrics | null>;
}

/** Status of this process from start to stop, for readiness, metrics and staff. */
export interface ServiceStatus {
  readonly startedAt: Date;
  /** Sets the reason that delays the start. */
  waitsFor(code: ReasonCode): void;
  /** Sets the progress of the rebuild that delays the start; `null` if there is none. */
  rebuilds(words: string | null): void;
  /** Progress of that rebuild in words. */
  rebuild(): string | null;
  opened(parts: ReadyStores): void;
  stops(): void;
  /** Current readiness. */
  readiness(): Promise<Readiness>;
  /** Current snapshot, or one at most a second old. */
  metricsSnapshot(): Promise<MetricsSnapshot>;
  /** Health snapshot used for the metrics; throws before the stores are open. */
  look(): Promise<HealthSnapshot>;
}

/**
 * Limits queries to the stores to one per second, however often metrics are scraped and pages
 * loaded.
 */
const MAX_SNAPSHOT_AGE_MS = 1_000;

/** @see ServiceStatus */
export const createServiceStatus = (startedAt: Date): ServiceStatus => {
  let startWaitsFor: ReasonCode = 'starting';
  let rebuild: string | null = null;
  let opened: ReadyStores | null = null;
  let isStopping = false;

  const judge = (look: HealthSnapshot, parts: ReadyStores): Readiness => {
    const { projects, hasCaughtUp, isStartedWithoutLog, hasReachedLog } = parts;
    return findReadiness(look, {
      isStopping,
      projects,
      hasCaughtUp: hasCaughtUp(),
      isStartedWithoutLog: isStartedWithoutLog(),
      hasReachedLog: hasReachedLog(),
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
        parts.watch.probe(MAX_SNAPSHOT_AGE_MS),
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
      return opened.watch.probe(MAX_SNAPSHOT_AGE_MS);
    },
  };
};
