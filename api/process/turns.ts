import { createYielder } from './yielder.ts';

/** Runs the steps of an owner's work on this thread, each when it is the owner's turn. */
export type RunInTurn = <Result>(
  owner: string,
  work: Iterator<unknown, Result, undefined>,
) => Promise<Result>;

/** Takes one step. @returns true after the last one */
type TakeStep = () => boolean;

/**
 * Owners take turns with their steps, so that much work of one does not hold up the others, and
 * other requests get in between. The works of one owner are done one after the other.
 */
export const createTurns = (): RunInTurn => {
  /** By owner, the one whose turn is next first. */
  const waiting = new Map<string, TakeStep[]>();
  // Of all work: what arrives together shares one slice.
  const yieldIfDue = createYielder();
  let isRunning = false;

  const runAll = async (): Promise<void> => {
    isRunning = true;
    // An owner goes behind the others, where the loop meets it again.
    for (const [owner, works] of waiting) {
      await yieldIfDue();
      if (works[0]?.() === true) works.shift();
      waiting.delete(owner);
      if (works.length > 0) waiting.set(owner, works);
    }
    isRunning = false;
  };

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const takeStep = (): boolean => {
        try {
          const { done, value } = work.next();
          if (done === true) resolve(value);
          return done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      const before = waiting.get(owner);
      if (before === undefined) waiting.set(owner, [takeStep]);
      else before.push(takeStep);
      if (!isRunning) void runAll();
    });
};
