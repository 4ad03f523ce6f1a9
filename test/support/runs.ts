/** How much the tests do: little in `npm test`, all of it in `npm run test:long`; and the seed of what is random. */

import type { Test } from 'uvu';

/** Whether this is `npm run test:long`. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** A law that met fewer inputs than this has hardly been tried. */
const MIN_RUNS = 10;

const parseSeed = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) <= 0x7fff_ffff) return Number(text);
  throw new Error(`TEST_SEED must be a whole number up to ${0x7fff_ffff}, not "${text}"`);
};

/**
 * The seed of all random input, a whole number. The runner sets and prints it: one per commit in
 * `npm test`, so that the same commit always meets the same input, and another one in every
 * `npm run test:long`. Without a runner it is a constant.
 */
export const SEED = parseSeed(process.env['TEST_SEED'] ?? '20260101');

/**
 * The parameters of a fast-check property that meets this many inputs in `npm run test:long`, and a
 * tenth of them in `npm test`. An assertion that counts the inputs must count against `numRuns`.
 */
export const runs = (total = 100): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: IS_LONG ? total : Math.min(total, Math.max(MIN_RUNS, Math.ceil(total / 10))),
  seed: SEED,
});

/** The first case in `npm test`, and all of them in `npm run test:long`: each shows the same of another one. */
export const takeCases = <Case>(all: readonly Case[]): readonly Case[] =>
  IS_LONG ? all : all.slice(0, 1);

/**
 * Adds a row to a suite in `npm run test:long` only. The suite has to hold something without it, and
 * its other rows must not go on where this one has ended.
 */
export const addLong = <Context>(rows: Test<Context>, ...row: Parameters<Test<Context>>): void => {
  if (IS_LONG) rows(...row);
};
