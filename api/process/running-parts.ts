import type { ServiceLog } from './logging.ts';
import { TIMED_OUT, withTimeout } from './with-timeout.ts';

/** Parts that were started, to be stopped in the reverse order. */
export interface RunningParts {
  add(name: string, stop: () => Promise<void> | void): void;
  /** Begins to stop a part ahead of its turn. */
  beginStop(name: string): void;
  /** Stops them all. What is not done in time is left behind, and said so. @param began the stop */
  stop(began: number): Promise<void>;
}

/**
 * None yet.
 * @param withinMs how long after its beginning a stop may take for a part
 */
export const createRunningParts = (
  serviceLog: ServiceLog,
  withinMs: (name: string) => number,
): RunningParts => {
  const parts: { readonly name: string; readonly stop: () => Promise<void> }[] = [];
  return {
    add(name, stop) {
      let stopped: Promise<void> | null = null;
      parts.push({
        name,
        stop: () => {
          stopped ??= Promise.resolve().then(stop);
          return stopped;
        },
      });
    },
    beginStop(name) {
      // Its fault goes to the caller that waits for it.
      for (const part of parts) if (part.name === name) part.stop().catch(() => undefined);
    },
    async stop(began) {
      const faults: unknown[] = [];
      for (const { name, stop } of parts.splice(0).reverse()) {
        const leftMs = withinMs(name) - (performance.now() - began);
        const ended = await withTimeout(leftMs, stop()).catch(
          (error: unknown) => void faults.push(error),
        );
        if (ended === TIMED_OUT)
          serviceLog.warn({ part: name }, 'A part did not stop in time and is left behind.');
      }
      if (faults.length > 0) throw faults[0];
    },
  };
};
