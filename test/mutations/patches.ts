import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A slip that a person could make, as a patch of the product. */
export interface Mutation {
  /** Name of the patch without its ending, such as `07-decide-email-not-vouched-for`. */
  readonly name: string;
  readonly path: string;
  /** Files that it changes. */
  readonly files: readonly string[];
}

const NAME = /^(\d\d-[a-z]+-[a-z-]+)\.patch$/;
const CHANGED = /^\+\+\+ b\/(.+)$/gm;

/** Parses a patch; its name has a number, an area, and what is wrong. @throws Error for another name */
export const parseMutation = (path: string, text: string): Mutation => {
  const name = NAME.exec(basename(path))?.[1];
  if (name === undefined) throw new Error(`${basename(path)} is not named NN-area-what.patch`);
  return { name, path, files: [...text.matchAll(CHANGED)].flatMap(([, file]) => file ?? []) };
};

/**
 * Reads the patches of a directory, in order.
 * @param words of names, one of which a patch has to hold; none: all patches
 */
export const readMutations = (directory: string, words: readonly string[]): readonly Mutation[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => join(directory, file))
    .map((path) => parseMutation(path, readFileSync(path, 'utf8')))
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

/** What came of a mutation: the test file that caught it, `ESCAPED`, or why it was not tried. */
export type Outcome = string;

export const ESCAPED = 'ESCAPED';
export const NOT_APPLIED = 'DOES NOT APPLY';

/** Names the mutations that were caught before and are not now, or that no longer apply. */
export const findRegressions = (
  expected: Readonly<Record<string, Outcome>>,
  found: Readonly<Record<string, Outcome>>,
): readonly string[] =>
  Object.entries(found)
    .filter(
      ([name, outcome]) =>
        outcome === NOT_APPLIED ||
        (outcome === ESCAPED && expected[name] !== undefined && expected[name] !== ESCAPED),
    )
    .map(([name]) => name);
