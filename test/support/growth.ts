import * as assert from 'uvu/assert';

const ROUNDS = 5;
/** What takes too long does so each time, and a busy moment of the machine comes once. */
const MAX_TRIES = 10;
/** Below it a clock tells more of the machine than of the work. */
const UNMEASURABLE_MS = 2;
const TIMES_AS_LARGE = 8;
/** Between 8 times as long, of linear time, and 64 times, of quadratic time. */
const MOST_TIMES_AS_LONG = 24;

/** The shortest of a few runs: other work of the machine does not count. */
const fastestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    }),
  );

/**
 * Claims that work takes a time that grows with its input alone, whatever the machine: both times are
 * of one run.
 * @param inputOf an input of a size
 */
export const assertLinear = <Input>(
  claim: string,
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => void,
): void => {
  const [small, large] = [inputOf(size), inputOf(TIMES_AS_LARGE * size)];
  work(small);
  const measureRatio = (): number => {
    const largeMs = fastestMs(() => work(large));
    if (largeMs < UNMEASURABLE_MS) return 0;
    const smallMs = fastestMs(() => work(small));
    return largeMs / Math.max(smallMs, UNMEASURABLE_MS / ROUNDS);
  };
  let ratio = measureRatio();
  for (let tries = 1; ratio >= MOST_TIMES_AS_LONG && tries < MAX_TRIES; tries += 1)
    ratio = Math.min(ratio, measureRatio());
  assert.ok(ratio < MOST_TIMES_AS_LONG, `${claim}: ${ratio.toFixed(1)} times as long`);
};
