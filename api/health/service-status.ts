import type { Db } from '../../adapters/postgres/connection/database.ts';
import { addPoolStats, getPoolStats } from '../../adapters/postgres/read-model/health-stats.ts';
import type { HealthProbe } from './health-probe.ts';
import type { HealthSnapshot } from './health-snapshot.ts';
import type { BackgroundMetrics, MetricsSnapshot } from './metrics.ts';
import { findReadiness, type Readiness, type ReasonCode, reason } from './readiness.ts';

export interface ReadyStores {
  readonly db: Db;
  readonly hotDb: Db;
  readonly watch: HealthProbe;
  /** Also true on standby. */
  readonly projects: boolean;
  readonly hasCaughtUp: () => boolean;
  readonly isStartedWithoutLog: () => boolean;
  readonly hasReachedLog: () => boolean;
  /** `null` if there is no background thread. */
  readonly readBackground: () => Promise<BackgroundMetrics | null>;
}

export interface ServiceStatus {
  readonly startedAt: Date;
  waitsFor(code: ReasonCode): void;
  /** `null` if no rebuild delays the start. */
  rebuilds(words: string | null): void;
  rebuild(): string | null;
  opened(parts: ReadyStores): void;
  stops(): void;
  readiness(): Promise<Readiness>;
  /** At most a second old. */
  metricsSnapshot(): Promise<MetricsSnapshot>;
  /** Throws before the stores are open. */
  look(): Promise<HealthSnapshot>;
}

/** However often metrics are scraped and pages loaded. */
const MAX_SNAPSHOT_AGE_MS = 1_000;

/** @see ServiceStatus */
export const createServiceStatus = (startedAt: Date): ServiceStatus => {
  let startWaitsFor: ReasonCode = 'starting';
  let rebuild: string | null = null;
  let opened: ReadyStores | null = null;
  let isStopping = false;

  const judge = (health: HealthSnapshot, parts: ReadyStores): Readiness => {
    const { projects, hasCaughtUp, isStartedWithoutLog, hasReachedLog } = parts;
    return findReadiness(health, {
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
        return { health: null, readiness: notOpen(), pool: null, background: null };
      const parts = opened;
      const [health, background] = await Promise.all([
        parts.watch.probe(MAX_SNAPSHOT_AGE_MS),
        parts.readBackground(),
      ]);
      const own = getPoolStats(parts.db, parts.hotDb);
      const pool = background === null ? own : addPoolStats([own, background.pool]);
      return { health, readiness: judge(health, parts), pool, background };
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
