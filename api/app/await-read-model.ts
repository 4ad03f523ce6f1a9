import { setTimeout as sleep } from 'node:timers/promises';
import {
  areTablesAheadOfLog,
  ReadTablesAheadOfLog,
} from '../../adapters/postgres/projector/ahead-of-log.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import {
  RebuildUnderWay,
  rebuildReadTables,
  SwapRefused,
} from '../../adapters/postgres/rebuild/rebuild.ts';
import { createFindRebuild } from '../../adapters/postgres/rebuild/rebuild-progress.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import type { ServiceStatus } from '../health/service-status.ts';
import { isOutage } from '../ports/outage.ts';
import { buildFaultNote, type ServiceLog } from '../process/logging.ts';
import { formatProgress, formatRebuild, LOGGED_EVERY_MS } from '../process/progress-messages.ts';
import type { Stores } from '../stores/stores.ts';

const TRY_AGAIN_MS = 1_000;

/** Logs every ten seconds how far a rebuild is, and shows it at once where it is waited for. */
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
 * Waits until there are read tables of this version. Those of another one stay as they are, for
 * processes that can still use them, until new ones are built beside them and swapped by the process
 * that keeps the tables up; other roles wait for that. Those that hold more than the log are not
 * replaced unasked: they may be the last trace of what was lost, or this the wrong log.
 * @param standing told when there is something to wait for, and how far it is
 * @returns whether they are there; not when the signal came first
 */
export const awaitReadModel = async (
  { db, databaseUrl, log, registryId, lateLog }: Stores,
  isBuilder: boolean,
  serviceLog: ServiceLog,
  signal: AbortSignal,
  { waitsFor, rebuilds }: Pick<ServiceStatus, 'waitsFor' | 'rebuilds'>,
): Promise<boolean> => {
  const report = (line: string) => serviceLog.info({ rebuild: line }, 'Rebuilding.');
  const seen = createFindRebuild(db);
  let isRefused = false;
  while (!signal.aborted) {
    const found = await ensureReadSchema(db, registryId);
    try {
      // Else the projector and readiness find it out as soon as the log is there.
      if (lateLog === null && (await areTablesAheadOfLog(db, log))) {
        waitsFor('tables-ahead-of-log');
        const fault = new ReadTablesAheadOfLog();
        if (!isRefused) serviceLog.error(buildFaultNote(fault), fault.message);
        isRefused = true;
        await sleep(TRY_AGAIN_MS);
        continue;
      }
      if (found === 'current') return true;
      waitsFor('tables-of-another-version');
      serviceLog.info(
        'The read tables are of another version of the service; the projector rebuilds them.',
      );
      const { follow, head } = log;
      const progress = progressOf(report, rebuilds);
      const reporter = { report, step: report, progress };
      const parts = { databaseUrl, follow, head, registryId, ...reporter, signal };
      if (isBuilder) await rebuildReadTables(parts, 'swap');
      else {
        rebuilds(await seen().then((rebuild) => rebuild && formatRebuild(rebuild, new Date())));
        await sleep(TRY_AGAIN_MS);
      }
    } catch (error) {
      if (signal.aborted) return false;
      const isForLater =
        error instanceof RebuildUnderWay || error instanceof SwapRefused || isOutage(error);
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
