import type { ServiceLog } from './logging.ts';
import { TIMED_OUT, withTimeout } from './with-timeout.ts';

/** Stopped in reverse order. */
export interface RunningParts {
  add(name: string, stop: () => Promise<void> | void): void;
  beginStop(name: string): void;
  /** Abandons parts that miss their deadline. @param began start of the stop */
  stop(began: number): Promise<void>;
}

/** @param withinMs maximum time from the beginning of the stop */
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
      // The caller that awaits the stop receives its fault.
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
