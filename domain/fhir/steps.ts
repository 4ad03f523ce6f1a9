/**
 * Every list and text of a document is read through `json.ts`, which counts here. The count belongs to
 * one synchronous call, so it needs no parameter in each function that reads.
 */

class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

class ListTooLong extends Error {
  override readonly name = 'ListTooLong';
  readonly list: readonly unknown[];

  constructor(list: readonly unknown[]) {
    super();
    this.list = list;
  }
}

let taken = 0;
let limit = Number.POSITIVE_INFINITY;
let findHigherLimit: (() => number) | null = null;
let longest = Number.POSITIVE_INFINITY;
let observe: ((list: readonly unknown[]) => void) | null = null;

/** One step is about as much work as reading one element of a list. */
export const spendBudget = (steps: number): void => {
  taken += steps;
  if (taken > limit) raiseLimit();
};

const raiseLimit = (): void => {
  limit = findHigherLimit?.() ?? limit;
  findHigherLimit = null;
  if (taken > limit) throw new BudgetSpent();
};

export const countList = (list: readonly unknown[]): void => {
  spendBudget(1 + list.length);
  if (list.length > longest) throw new ListTooLong(list);
  observe?.(list);
};

// A long text costs more to trim, compare, or look up than a short one: a step for 32 characters.
const STEPS_SHIFT = 5;

export const countText = (text: string): void => spendBudget(1 + (text.length >> STEPS_SHIFT));

// An object with more names is stored as a table, which is slow to go through.
const MANY_NAMES = 1000;
const STEPS_OF_ONE_OF_MANY = 32;

export const countName = (index: number): void =>
  spendBudget(index < MANY_NAMES ? 1 : STEPS_OF_ONE_OF_MANY);

/** Result of work within a budget; null if the work would have taken more steps. */
export type Budgeted<T> = { readonly result: T; readonly steps: number } | null;

/**
 * Can be nested: inner steps also count for the outer work.
 * @param findHigher budget to use once `most` is spent, if finding it is costly
 */
export const withinBudget = <T>(
  most: number,
  work: () => T,
  findHigher?: () => number,
): Budgeted<T> => {
  const limitBefore = limit;
  const findBefore = findHigherLimit;
  // Starts again, so that the count stays a small integer.
  if (limitBefore === Number.POSITIVE_INFINITY) taken = 0;
  const takenBefore = taken;
  const toLimit = (steps: number): number => Math.min(limitBefore, takenBefore + steps);
  limit = toLimit(most);
  findHigherLimit = findHigher === undefined ? null : () => toLimit(findHigher());
  try {
    return { result: work(), steps: taken - takenBefore };
  } catch (error) {
    const isSpentHere = error instanceof BudgetSpent && taken <= limitBefore;
    if (isSpentHere) return null;
    throw error;
  } finally {
    limit = limitBefore;
    findHigherLimit = findBefore;
  }
};

export type ListLimited<T> =
  | { readonly result: T; readonly tooLong: null }
  | { readonly result: null; readonly tooLong: readonly unknown[] };

/** Runs synchronous work that may read lists of up to `most` elements. Ends before it reads a longer one. */
export const withinListLimit = <T>(most: number, work: () => T): ListLimited<T> => {
  const before = longest;
  longest = Math.min(before, most);
  try {
    return { result: work(), tooLong: null };
  } catch (error) {
    const isTooLongHere = error instanceof ListTooLong && error.list.length <= before;
    if (isTooLongHere) return { result: null, tooLong: error.list };
    throw error;
  } finally {
    longest = before;
  }
};

/** For tests that look for all lists. */
export const observeLists = <T>(listener: (list: readonly unknown[]) => void, work: () => T): T => {
  const before = observe;
  observe = listener;
  try {
    return work();
  } finally {
    observe = before;
  }
};
