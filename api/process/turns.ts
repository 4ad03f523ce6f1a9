import { createSlices, SLICE_MS } from './yielder.ts';

export type RunInTurn = <Result>(
  owner: string,
  work: Iterator<unknown, Result, undefined>,
) => Promise<Result>;

/** @returns hands the result over after the last step; `null` before */
type TakeStep = () => (() => void) | null;

/** Turns and pauses cost time, which one owner alone spends on its steps. */
const ONE_OWNER_SLICE_MS = 1;

/** Results wait for each other at most this long: what is handed over together shares one write. */
const MAX_GATHERING_MS = 25;

/**
 * Much work of one owner does not hold up the others or other requests. The works of one owner are
 * done one after the other.
 */
export const createTurns = (): RunInTurn => {
  /** By owner, the one whose turn is next first. */
  const waiting = new Map<string, TakeStep[]>();
  // Of all work: what arrives together shares one slice.
  const slices = createSlices();
  let isRunning = false;
  let finished: (() => void)[] = [];
  let gatheringSince = 0;

  const isAlone = (): boolean => waiting.size === 1;
  const isSliceOver = (): boolean => slices.isOver(isAlone() ? ONE_OWNER_SLICE_MS : SLICE_MS);
  const gather = (settle: () => void): void => {
    if (finished.length === 0) gatheringSince = performance.now();
    finished.push(settle);
  };
  const handOver = (): void => {
    for (const settle of finished) settle();
    finished = [];
  };
  const runAll = async (): Promise<void> => {
    isRunning = true;
    // An owner goes behind the others, where the loop meets it again.
    for (const [owner, works] of waiting) {
      // Also without a pause, work that comes together is known before the first step.
      await (isSliceOver() ? slices.next() : undefined);
      do {
        const settle = works[0]?.() ?? null;
        if (settle !== null) {
          works.shift();
          gather(settle);
        }
      } while (isAlone() && works.length > 0 && !isSliceOver());
      waiting.delete(owner);
      if (works.length > 0) waiting.set(owner, works);
      if (performance.now() - gatheringSince >= MAX_GATHERING_MS) handOver();
    }
    isRunning = false;
    handOver();
  };

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const takeStep = () => {
        try {
          const { done, value } = work.next();
          return done === true ? () => resolve(value) : null;
        } catch (error) {
          return () => reject(error);
        }
      };
      const before = waiting.get(owner);
      if (before === undefined) waiting.set(owner, [takeStep]);
      else before.push(takeStep);
      if (!isRunning) void runAll();
    });
};
