import { setTimeout as sleep } from 'node:timers/promises';
import {
  areTablesAheadOfLog,
  ReadTablesAheadOfLog,
} from '../../adapters/postgres/projector/ahead-of-log.ts';
import {
  ensureReadSchema,
  ReadTablesOfAnotherVersion,
} from '../../adapters/postgres/projector/read-schema.ts';
import {
  RebuildUnderWay,
  rebuildReadTables,
  SwapRefused,
} from '../../adapters/postgres/rebuild/rebuild.ts';
import { createFindRebuild } from '../../adapters/postgres/rebuild/rebuild-progress.ts';
import { EventLogAccessDenied } from '../../domain/event-log-errors.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { SAYS } from '../health/readiness.ts';
import type { ServiceStatus } from '../health/service-status.ts';
import { isOutage } from '../ports/outage.ts';
import { buildFaultNote, type ServiceLog } from '../process/logging.ts';
import { formatProgress, formatRebuild, LOGGED_EVERY_MS } from '../process/progress-messages.ts';
import { hasRole, type Role } from '../settings/settings.ts';
import type { Stores } from '../stores/stores.ts';

const TRY_AGAIN_MS = 1_000;

const progressOf = (
  report: (line: string) => void,
  rebuilds: (words: string) => void,
): ReportProgress => {
  const began = performance.now();
  let reported = began;
  return (progress) => {
    const now = performance.now();
    const words = formatProgress(progress, (now - began) / MS_PER_SECOND);
    rebuilds(words);
    if (now - reported < LOGGED_EVERY_MS) return;
    reported = now;
    report(words);
  };
};

const MS_PER_SECOND = 1_000;

/**
 * Waits for read tables of this version, while those of another one stay in use until the projector
 * swaps them. Never replaces tables of a newer version, on which only the role `api` starts: the
 * role `all` may be alone, and would not process what it accepts. Never replaces tables ahead of
 * the log by itself: they may be the last trace of lost events, or the log may be the wrong one.
 * @returns false if the signal aborted first
 */
export const awaitReadModel = async (
  { db, databaseUrl, log, registryId, lateLog }: Stores,
  role: Role,
  serviceLog: ServiceLog,
  signal: AbortSignal,
  { waitsFor, rebuilds }: Pick<ServiceStatus, 'waitsFor' | 'rebuilds'>,
): Promise<boolean> => {
  const report = (line: string) => serviceLog.info({ rebuild: line }, 'Rebuilding.');
  const seen = createFindRebuild(db);
  const isBuilder = hasRole(role, 'projector');
  let isReported = false;
  while (!signal.aborted) {
    const found = await ensureReadSchema(db, registryId);
    try {
      // If the log was unavailable, the projector and readiness check this later.
      if (lateLog === null && (await areTablesAheadOfLog(db, log))) {
        waitsFor('tables-ahead-of-log');
        const fault = new ReadTablesAheadOfLog();
        if (!isReported) serviceLog.error(buildFaultNote(fault), fault.message);
        isReported = true;
        await sleep(TRY_AGAIN_MS);
        continue;
      }
      if (found === 'same') return true;
      if (found === 'newer') {
        if (!isReported) serviceLog.warn(SAYS['tables-of-newer-version']);
        isReported = true;
        if (role === 'api') return true;
        waitsFor('tables-of-newer-version');
        await sleep(TRY_AGAIN_MS);
        continue;
      }
      waitsFor('tables-of-another-version');
      serviceLog.info(
        'The read tables are of another version of the service; the projector rebuilds them.',
      );
      const { follow, head } = log;
      const progress = progressOf(report, rebuilds);
      const reporter = { report, step: report, progress };
      const parts = {
        databaseUrl,
        follow,
        head,
        registryId,
        acceptsLoss: true,
        ...reporter,
        signal,
      };
      if (isBuilder) await rebuildReadTables(parts, 'swap');
      else {
        rebuilds(await seen().then((rebuild) => rebuild && formatRebuild(rebuild, new Date())));
        await sleep(TRY_AGAIN_MS);
      }
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof EventLogAccessDenied) throw error;
      const isForLater =
        error instanceof RebuildUnderWay ||
        error instanceof SwapRefused ||
        error instanceof ReadTablesOfAnotherVersion ||
        isOutage(error);
      if (!isForLater) throw error;
      serviceLog.warn(
        buildFaultNote(error),
        'The read tables could not be opened yet; trying again.',
      );
      await sleep(TRY_AGAIN_MS);
    }
  }
  return false;
};
