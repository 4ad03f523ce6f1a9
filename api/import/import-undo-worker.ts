import type { App } from '../ports/app-ports.ts';
import { runPeriodically } from '../process/run-periodically.ts';
import { nullIfLeaseUnavailable } from '../writes/null-if-lease-unavailable.ts';
import { undoNext } from './undo-import.ts';

/** Imports that are being undone are looked for this often. */
const POLL_MS = 1_000;
/** Between two turns of one import, so that what others write goes first. */
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
      // Busy is as good as more to do.
      return (await nullIfLeaseUnavailable(undoNext(registry, practiceId, importId))) ?? true;
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  const stepAll = async (): Promise<boolean> => {
    try {
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
