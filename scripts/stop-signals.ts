import { CommandRefused } from '../api/commands/command-refused.ts';

/**
 * A terminal sends Ctrl-C to all of its processes, and npm forwards it again: signals within this
 * time count as one.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * SIGINT comes from a person, SIGTERM from an orchestrator. One that comes later than
 * {@link SAME_SIGNAL_MS} after the first ends the process at once.
 */
export const onStopSignal = (stop: (signal: NodeJS.Signals) => void): void => {
  let stoppingSince: number | null = null;
  const take = (signal: NodeJS.Signals): void => {
    if (stoppingSince === null) {
      stoppingSince = performance.now();
      stop(signal);
    } else if (performance.now() - stoppingSince >= SAME_SIGNAL_MS) process.exit(1);
  };
  process.on('SIGINT', take);
  process.on('SIGTERM', take);
};

/** Signal that aborts with a message on the first stop signal. */
export const createStopSignal = (says: string): AbortSignal => {
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort(new CommandRefused('stopped', says)));
  return stopping.signal;
};
