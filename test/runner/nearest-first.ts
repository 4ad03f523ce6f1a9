import { findSteps, type Sight } from './import-graph.ts';
import { startsServices } from './select-files.ts';

/** Seconds of processors that files took. */
type Seconds = Readonly<Record<string, number>>;

/** A file that nobody has timed took less. */
const UNTIMED_SECONDS = 0.5;

export const sumSeconds = (files: readonly string[], seconds: Seconds): number =>
  files.reduce((sum, file) => sum + (seconds[file] ?? UNTIMED_SECONDS), 0);

/** Words of a path that say what a file is about. */
const listWords = (path: string): ReadonlySet<string> =>
  new Set(
    path
      .replace(/\.(int\.|long\.)?test\.tsx?$|\.tsx?$/, '')
      .split(/[/.-]/)
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => !['test', 'api', 'domain', 'router', ''].includes(word)),
  );

const countCommonWords = (file: string, changed: string): number => {
  const words = listWords(file);
  return [...listWords(changed)].filter((word) => words.has(word)).length;
};

/**
 * Orders the test files that can see a change, nearest first: fewest steps, where each word that its
 * name shares with what has changed saves two; then those that start no service, then the shortest.
 * @param changedFor what has changed for a test file
 */
export const sortNearestFirst = (
  sights: ReadonlyMap<string, Sight>,
  changedFor: (file: string) => readonly string[],
  seconds: Seconds,
): readonly string[] =>
  [...sights]
    .flatMap(([file, sight]) => {
      const distances = changedFor(file).flatMap((path) => {
        const steps = findSteps(sight, path);
        return steps === null ? [] : steps - 2 * countCommonWords(file, path);
      });
      if (distances.length === 0) return [];
      const isPure = startsServices(file) ? 1 : 0;
      return [{ file, order: [Math.min(...distances), isPure, seconds[file] ?? 0] }];
    })
    .toSorted((a, b) => compareOrder(a.order, b.order) || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);

const compareOrder = (a: readonly number[], b: readonly number[]): number =>
  a.map((place, index) => place - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

/**
 * Takes the first files whose times are within a limit, at least one.
 * @param limit seconds of processors
 */
export const takeWithin = (
  files: readonly string[],
  limit: number,
  seconds: Seconds,
): readonly string[] =>
  files.filter(
    (_, index) => index === 0 || sumSeconds(files.slice(0, index + 1), seconds) <= limit,
  );
