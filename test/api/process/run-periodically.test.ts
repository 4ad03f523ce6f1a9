import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runPeriodically } from '../../../api/process/run-periodically.ts';
import { eventually } from '../../harness/eventually.ts';

const repeated = suite('a task that is repeated');

const NEVER_MS = 600_000;

/** Repeats a task that counts its runs. */
const counted = (pauseMs: number, during: (wake: () => void, runs: number) => void = () => {}) => {
  let runs = 0;
  let wake = (): void => undefined;
  const stop = runPeriodically(
    async () => {
      runs += 1;
      during(wake, runs);
      return pauseMs;
    },
    (given) => {
      wake = given;
    },
  );
  return { runs: () => runs, wake: () => wake(), stop };
};

repeated('is woken by its own process while it rests', async () => {
  const { runs, wake, stop } = counted(NEVER_MS);
  assert.is(runs(), 1);
  await Promise.resolve();
  wake();
  await eventually('it ran again', () => runs() === 2);
  await stop();
});

repeated('runs again if it was woken during a run, which may not have seen the work', async () => {
  const { runs, stop } = counted(NEVER_MS, (wake, run) => {
    if (run < 3) setImmediate(wake);
  });
  await eventually('it ran for each', () => runs() === 3);
  await stop();
});

repeated('finds by itself what nobody woke it for', async () => {
  const { runs, stop } = counted(1);
  await eventually('it ran again', () => runs() > 2);
  await stop();
});

repeated('does not rest when it is stopped', async () => {
  const { runs, stop } = counted(NEVER_MS);
  await stop();
  assert.is(runs(), 1);
});

repeated.run();
