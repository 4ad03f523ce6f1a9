import { type GreenRuns, listChanged, type Snapshot } from './green-runs.ts';
import type { Sight } from './import-graph.ts';
import { sortNearestFirst, takeWithin } from './nearest-first.ts';

/** Test files that can see what has changed since they passed. */
export interface Change {
  /** Those to run, nearest first. */
  readonly files: readonly string[];
  /** Those that are farther away. */
  readonly left: readonly string[];
  /** Whether some have never passed, and are compared with the last commit. */
  readonly isComparedWithCommit: boolean;
}

export interface ProjectNow {
  readonly green: GreenRuns;
  readonly now: Snapshot;
  readonly uncommitted: readonly string[];
}

/**
 * Processor time of one run. By imports almost every file that starts a service sees each page and the
 * mapper: all of them would be the whole suite.
 */
const MAX_SECONDS = 20;

/**
 * Chooses what runs after a change: the nearest of the files that can see it.
 * @param seconds of processors that files took
 */
export const chooseChanged = (
  sights: ReadonlyMap<string, Sight>,
  { green, now, uncommitted }: ProjectNow,
  seconds: Readonly<Record<string, number>>,
): Change => {
  const changes = new Map(
    [...sights].map(([file, sight]) => [file, listChanged(file, sight, green, now)]),
  );
  const pending = sortNearestFirst(sights, (file) => changes.get(file) ?? uncommitted, seconds);
  const files = takeWithin(pending, MAX_SECONDS, seconds);
  return {
    files,
    left: pending.slice(files.length),
    isComparedWithCommit: [...changes.values()].includes(null),
  };
};

/** Says what was left out, and why. */
export const describeChange = ({ files, left, isComparedWithCommit }: Change): string =>
  [
    isComparedWithCommit
      ? 'Test files that have not passed here yet were compared with the last commit.\n'
      : '',
    files.length === 0 ? 'No test file can see a change since it passed.\n' : '',
    left.length === 0
      ? ''
      : `${left.length} more test files can see the change, farther away: run this again for the next, or \`npm test\` for all.\n`,
  ].join('');
