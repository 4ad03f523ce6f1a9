import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../ports/app-ports.ts';
import { nullIfLeaseUnavailable } from '../writes/null-if-lease-unavailable.ts';
import { undoNext } from './undo-import.ts';

/** Interval of the search for imports to undo. */
const POLL_MS = 1_000;
/** Pause between two batches of an import, so that other writers go first. */
const PAUSE_MS = 250;

/** Undoes imports step by step until stopped. Several processes may do so at once. */
export interface ImportUndoWorker {
  stop(): Promise<void>;
}

/**
 * Starts the worker, which also resumes work of processes that exited.
 * @param onFault called with the fault of a step; the worker retries it
 */
export const startImportUndoWorker = (
  registry: App,
  onFault: (error: unknown) => void,
): ImportUndoWorker => {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;

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
      const imports = await registry.reads.imports.beingUndone();
      const steps = imports.map(({ practiceId, importId }) => step(practiceId, importId));
      return (await Promise.all(steps)).includes(true);
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping()) {
      const pauseMs = (await stepAll()) ? PAUSE_MS : POLL_MS;
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};
