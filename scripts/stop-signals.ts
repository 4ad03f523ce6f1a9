/**
 * A terminal sends Ctrl-C to everything that runs in it, and npm passes it on once more: what comes
 * within this time is the same Ctrl-C.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `stop` at the first SIGINT (a person) or SIGTERM (what distributes requests to several). A
 * second one, a second later or more, ends the process at once.
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
