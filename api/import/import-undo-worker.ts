import type { App } from '../ports/app-ports.ts';
import { pause, runPeriodically } from '../process/run-periodically.ts';
import { nullIfLeaseUnavailable } from '../writes/null-if-lease-unavailable.ts';
import { undoNext } from './undo-import.ts';

const PAUSE_AFTER_FAULT_MS = 1_000;
/** Pause between two batches of an import, so that other writers go first. */
const PAUSE_MS = 250;

/**
 * Includes imports that a crashed process left. Several processes may do so at once.
 * @param pollMs time after which to look for imports without having been woken
 * @returns stops it
 */
export const startImportUndoWorker = (
  app: App,
  pollMs: () => number,
  onFault: (error: unknown) => void,
): (() => Promise<void>) => {
  /** @returns pause before the next step, in milliseconds */
  const step = async (practiceId: string, importId: string): Promise<number> => {
    // If the practice lease is unavailable, there is still work to do.
    const hasMore = (await nullIfLeaseUnavailable(undoNext(app, practiceId, importId))) ?? true;
    return hasMore ? PAUSE_MS : pollMs();
  };
  const stepAll = async (): Promise<number> => {
    const imports = await app.reads.imports.beingUndone();
    if (imports.length === 0 || (await app.reads.findTablesVersion()) !== 'same') return pollMs();
    const steps = imports.map(({ practiceId, importId }) =>
      step(practiceId, importId).catch((error: unknown) => {
        onFault(error);
        return PAUSE_AFTER_FAULT_MS;
      }),
    );
    return Math.min(...(await Promise.all(steps)));
  };
  return runPeriodically(
    async (signal) => {
      try {
        return await stepAll();
      } catch (error) {
        onFault(error);
        await pause(PAUSE_AFTER_FAULT_MS, signal);
        return 0;
      }
    },
    (wake) => void app.wakeups.on('undo', wake),
  );
};
