/**
 * Counts the steps of reading, so that reading can end once it costs more than its input allows.
 * Every list and text of a document is read through `json.ts`, which counts here. The count belongs
 * to one synchronous call, so it needs no parameter in each of the functions that read.
 */

/** Reading would take more steps than it may. */
class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

let taken = 0;
let limit = Number.POSITIVE_INFINITY;
let observe: ((list: readonly unknown[]) => void) | null = null;

/** Counts steps. One step is about as much work as reading one element of a list. */
export const countSteps = (steps: number): void => {
  taken += steps;
  if (taken > limit) throw new BudgetSpent();
};

/** Counts the elements of a list that will be read. */
export const countList = (list: readonly unknown[]): void => {
  countSteps(1 + list.length);
  observe?.(list);
};

// A long text costs more to trim, compare, or look up than a short one: a step for 32 characters.
const STEPS_SHIFT = 5;

/** Counts the reading of a text. */
export const countText = (text: string): void => countSteps(1 + (text.length >> STEPS_SHIFT));

/** Result of work within a budget; null if the work would have taken more steps. */
export type Budgeted<T> = { readonly result: T; readonly steps: number } | null;

/**
 * Runs synchronous work that may take up to `most` steps, and returns its result with the steps it
 * took. Work can be nested: inner steps also count for the outer work.
 */
export const withinBudget = <T>(most: number, work: () => T): Budgeted<T> => {
  const limitBefore = limit;
  // Starts anew, so that the count stays a small integer.
  if (limitBefore === Number.POSITIVE_INFINITY) taken = 0;
  const takenBefore = taken;
  limit = Math.min(limitBefore, taken + most);
  try {
    return { result: work(), steps: taken - takenBefore };
  } catch (error) {
    const isSpentHere = error instanceof BudgetSpent && taken <= limitBefore;
    if (isSpentHere) return null;
    throw error;
  } finally {
    limit = limitBefore;
  }
};

/** Calls `listener` with each list that synchronous work reads. For tests that look for all of them. */
export const observeLists = <T>(listener: (list: readonly unknown[]) => void, work: () => T): T => {
  const before = observe;
  observe = listener;
  try {
    return work();
  } finally {
    observe = before;
  }
};
