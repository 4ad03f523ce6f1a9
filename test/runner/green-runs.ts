import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSteps, type Sight } from './import-graph.ts';

/** Digest of each file of the project. */
export type Snapshot = Readonly<Record<string, string>>;

/** What the project was when test files passed last. */
export interface GreenRuns {
  readonly snapshots: Readonly<Record<string, Snapshot>>;
  /** Snapshot of each test file that has passed. */
  readonly files: Readonly<Record<string, string>>;
}

const NOTHING: GreenRuns = { snapshots: {}, files: {} };

const hash = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** None where there is no git. */
const listFiles = (root: string, ...args: readonly string[]): readonly string[] => {
  const { stdout } = spawnSync('git', [...args, '-z'], { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\0').filter((file) => file !== '');
};

export const takeSnapshot = (root: string): Snapshot =>
  Object.fromEntries(
    listFiles(root, 'ls-files', '--cached', '--others', '--exclude-standard')
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, hash(readFileSync(join(root, file)))]),
  );

/** Files that are not as they were committed. */
export const listUncommitted = (root: string): readonly string[] => [
  ...listFiles(root, 'diff', '--name-only', 'HEAD'),
  ...listFiles(root, 'ls-files', '--others', '--exclude-standard'),
];

/**
 * Lists what has changed since a test file passed, as far as it can see.
 * @returns null if it has never passed
 */
export const listChanged = (
  file: string,
  sight: Sight,
  { snapshots, files }: GreenRuns,
  now: Snapshot,
): readonly string[] | null => {
  const before = snapshots[files[file] ?? ''];
  if (before === undefined) return null;
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (path) => before[path] !== now[path] && findSteps(sight, path) !== null,
  );
};

/** Records test files that passed. Snapshots that are no file's last one are dropped. */
export const addGreen = (
  runs: GreenRuns,
  passed: readonly string[],
  snapshot: Snapshot,
): GreenRuns => {
  const id = hash(JSON.stringify(snapshot));
  const files = { ...runs.files, ...Object.fromEntries(passed.map((file) => [file, id])) };
  const used = new Set(Object.values(files));
  const snapshots = Object.entries({ ...runs.snapshots, [id]: snapshot });
  return { snapshots: Object.fromEntries(snapshots.filter(([name]) => used.has(name))), files };
};

const pathOf = (root: string): string =>
  join(root, 'node_modules', '.cache', 'green-test-files.json');

export const readGreen = (root: string): GreenRuns => {
  try {
    return JSON.parse(readFileSync(pathOf(root), 'utf8'));
  } catch {
    return NOTHING;
  }
};

/** Saves what passed, if nothing has changed while it ran. */
export const saveGreen = (root: string, passed: readonly string[], before: Snapshot): void => {
  if (JSON.stringify(takeSnapshot(root)) !== JSON.stringify(before)) return;
  const path = pathOf(root);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    `${path}.${process.pid}`,
    JSON.stringify(addGreen(readGreen(root), passed, before)),
  );
  renameSync(`${path}.${process.pid}`, path);
};
