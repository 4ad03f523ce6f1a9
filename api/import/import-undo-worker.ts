import type { App } from '../ports/app-ports.ts';
import { runPeriodically } from '../process/run-periodically.ts';
import { nullIfLeaseUnavailable } from '../writes/null-if-lease-unavailable.ts';
import { undoNext } from './undo-import.ts';

/** Interval of the search for imports to undo. */
const POLL_MS = 1_000;
/** Pause between two batches of an import, so that other writers go first. */
const PAUSE_MS = 250;

/**
 * Undoes imports whose undo was requested, including those that a crashed process left. Several processes
 * may do so at once.
 * @param onFault called with what ended a step, which is retried
 * @returns stops it
 */
export const startImportUndoWorker = (
  registry: App,
  onFault: (error: unknown) => void,
): (() => Promise<void>) => {
  const step = async (practiceId: string, importId: string): Promise<boolean> => {
    try {
      // If the practice lease is unavailable, there is still work to do.
      return (await nullIfLeaseUnavailable(undoNext(registry, practiceId, importId))) ?? true;
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  const stepAll = async (): Promise<boolean> => {
    try {
      if ((await registry.reads.tablesVersion()) !== 'same') return false;
      const imports = await registry.reads.imports.beingUndone();
      const steps = imports.map(({ practiceId, importId }) => step(practiceId, importId));
      return (await Promise.all(steps)).includes(true);
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  return runPeriodically(async () => ((await stepAll()) ? PAUSE_MS : POLL_MS));
};
