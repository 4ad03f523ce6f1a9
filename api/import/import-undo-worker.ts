import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../ports/app-ports.ts';
import { nullIfLeaseUnavailable } from '../writes/null-if-lease-unavailable.ts';
import { undoNext } from './undo-import.ts';

/** Imports that are being undone are looked for this often. */
const POLL_MS = 1_000;
/** Between two turns of one import, so that what others write goes first. */
const PAUSE_MS = 250;

/** Takes imports back that people have begun to undo, until it is stopped. Several processes may do so at once. */
export interface ImportUndoWorker {
  stop(): Promise<void>;
}

/**
 * Starts it. What a process that ended has left goes on here, or in any other one.
 * @param onFault called with what ended a step; it is tried again
 */
export const startImportUndoWorker = (
  registry: App,
  onFault: (error: unknown) => void,
): ImportUndoWorker => {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;

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
