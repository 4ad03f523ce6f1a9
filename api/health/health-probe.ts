import type { LagSample } from '../../adapters/event-log/event-log.ts';
import { findDatabaseRefusal } from '../../adapters/postgres/connection/outage.ts';
import { isAheadOfLog, type TablesPlace } from '../../adapters/postgres/projector/ahead-of-log.ts';
import type { ProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import {
  createLoadProjectionStats,
  createLoadQueueStats,
} from '../../adapters/postgres/read-model/health-stats.ts';
import { createFindRebuild } from '../../adapters/postgres/rebuild/rebuild-progress.ts';
import type { AppendHealth } from '../../domain/event-log.ts';
import { TIMED_OUT, withTimeout } from '../process/with-timeout.ts';
import type { Stores } from '../stores/stores.ts';
import { type Answer, addAppends, type HealthSnapshot, type Lag } from './health-snapshot.ts';
import type { BackgroundMetrics } from './metrics.ts';

export interface HealthProbe {
  /**
   * At most `oldestMs` old; concurrent callers share a probe. Never rejects, and resolves shortly
   * after {@link PATIENCE_MS} at the latest.
   */
  probe(oldestMs: number): Promise<HealthSnapshot>;
  /** Covers all threads; queries no store. */
  appendHealth(): Promise<AppendHealth>;
  stop(): void;
}

/** A store that does not answer within this time counts as unavailable. */
export const PATIENCE_MS = 3_000;

/** @param readBackground returns `null` if there is no background thread @see HealthProbe */
export const createHealthProbe = (
  { db, log }: Pick<Stores, 'db' | 'log'>,
  progress: Pick<ProjectionProgress, 'observe' | 'onAdvance'>,
  readBackground: () => Promise<Pick<BackgroundMetrics, 'appends'> | null>,
): HealthProbe => {
  let progressAt = new Date();
  const stopListening = progress.onAdvance(() => {
    progressAt = new Date();
  });
  const askQueue = singleFlight(createLoadQueueStats(db));
  const loadProjectionStats = createLoadProjectionStats(db);
  const askRebuild = createFindRebuild(db);
  const askTables = singleFlight(async () => {
    const stats = progress.observe(loadProjectionStats);
    const [tables, rebuild] = await Promise.all([stats, askRebuild()]);
    return { ...tables, progressAt, rebuild };
  });
  const askLog = singleFlight(async () => {
    const { position, recordedAt } = await log.newest();
    return { position, newestAt: recordedAt };
  });
  const loadLag = singleFlight(log.ahead);
  const askAheadOfLog = singleFlight((place: TablesPlace, newest: bigint) => {
    // The tables are rarely past our last event; only then is the end of the log needed.
    const end = async () => (place.position <= newest ? newest : log.end());
    return isAheadOfLog({ holds: log.holds, end }, place);
  });
  const stalledSeconds = createStallClock();
  const appendHealth = async (): Promise<AppendHealth> => {
    const background = await readBackground();
    const own = log.appendHealth();
    return background === null ? own : addAppends([own, background.appends]);
  };

  const takeSnapshot = async (): Promise<HealthSnapshot> => {
    const answers = [askQueue(), askTables(), askLog(), appendHealth()] as const;
    const [queue, tables, end, appends] = await Promise.all(answers);
    const seen = { at: new Date(), queue, tables, log: end, appends, isAheadOfLog: false };
    if ('fault' in tables || 'fault' in end) return { ...seen, lag: null };
    const { position, lastApplied, epoch } = tables.value;
    const found = await askAheadOfLog({ position, lastApplied }, end.value.position);
    if ('fault' in found) return { ...seen, log: found, lag: null };
    if (found.value) return { ...seen, isAheadOfLog: true, lag: null };
    const isBehind = end.value.position > position;
    const stalled = stalledSeconds(isBehind, `${epoch} ${position}`, performance.now());
    if (!isBehind) return { ...seen, lag: buildLag(null, 0, stalled) };
    const ahead = await loadLag(position);
    if ('fault' in ahead) return { ...seen, lag: null };
    // Falls back to the last event if the sample contains none of ours.
    const oldestAt = ahead.value.oldestAt ?? end.value.newestAt ?? seen.at;
    const seconds = Math.max(0, seen.at.getTime() - oldestAt.getTime()) / 1000;
    return {
      ...seen,
      lag: buildLag(eventsAhead(ahead.value, position, end.value.position), seconds, stalled),
    };
  };

  let last: { readonly health: HealthSnapshot; readonly at: number } | null = null;
  let looking: Promise<HealthSnapshot> | null = null;
  return {
    async probe(oldestMs) {
      if (last !== null && performance.now() - last.at <= oldestMs) return last.health;
      looking ??= takeSnapshot().finally(() => {
        looking = null;
      });
      const health = await looking;
      last = { health, at: performance.now() };
      return health;
    },
    appendHealth,
    stop: stopListening,
  };
};

interface Events {
  readonly events: number;
  readonly isEstimate: boolean;
}

const buildLag = (behind: Events | null, seconds: number, stalledSeconds: number): Lag => ({
  ...(behind ?? { events: 0, isEstimate: false }),
  seconds,
  stalledSeconds,
});

/**
 * Extrapolated if the sample is too small: positions have gaps, and a full scan would be expensive.
 */
export const eventsAhead = (ahead: LagSample, position: bigint, end: bigint): Events => {
  const { events, seenTo, isAll } = ahead;
  if (isAll || seenTo >= end) return { events: Math.max(1, events), isEstimate: false };
  const share = Number(end - position) / Number(seenTo - position);
  return { events: Math.max(1, Math.round(events * share)), isEstimate: true };
};

/**
 * A position that is behind at two probes in a row and has not changed was stalled between them,
 * however far apart they are.
 */
export const createStallClock = () => {
  let stuck: { readonly place: string; readonly since: number } | null = null;
  return (isBehind: boolean, place: string, nowMs: number): number => {
    if (!isBehind) stuck = null;
    else if (stuck?.place !== place) stuck = { place, since: nowMs };
    return stuck === null ? 0 : (nowMs - stuck.since) / 1000;
  };
};

/** The driver has one class for all refused connections; the reason says more. */
const nameFault = (error: unknown): string => {
  const refusal = findDatabaseRefusal(error);
  if (refusal !== null) return `database-${refusal}`;
  return error instanceof Error ? error.name : 'Error';
};

/**
 * Callers with the same arguments share a pending query, and others wait for it, so a hanging store
 * does not pile up connections.
 */
export const singleFlight = <About extends readonly unknown[], T>(
  ask: (...about: About) => Promise<T>,
  patienceMs = PATIENCE_MS,
): ((...about: About) => Promise<Answer<T>>) => {
  let inFlight: {
    readonly about: About;
    readonly answer: Promise<Answer<T>>;
    readonly at: number;
  } | null = null;
  return async (...about) => {
    const came = performance.now();
    while (inFlight?.about.some((one, index) => one !== about[index])) {
      const earlier = await withTimeout(patienceMs - (performance.now() - came), inFlight.answer);
      if (earlier === TIMED_OUT) return { fault: 'NoAnswerInTime' };
    }
    if (inFlight === null) {
      const answer = ask(...about)
        .then(
          (value): Answer<T> => ({ value }),
          (error: unknown): Answer<T> => ({ fault: nameFault(error) }),
        )
        .finally(() => {
          inFlight = null;
        });
      inFlight = { about, answer, at: performance.now() };
    }
    const { answer, at } = inFlight;
    const result = await withTimeout(patienceMs - (performance.now() - at), answer);
    return result === TIMED_OUT ? { fault: 'NoAnswerInTime' } : result;
  };
};
