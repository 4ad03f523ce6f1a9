import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { isAlive } from '../../adapters/embedded-postgres/process-identity.ts';
import type { WorkDone } from './people-at-work.ts';
import type { SandboxPractice, SignIn } from './sample-practices.ts';

export interface FilledDemo extends WorkDone {
  /** Date on which it was filled, `YYYY-MM-DD`. */
  readonly filledOn: string;
  readonly practice: SandboxPractice;
  readonly signIns: readonly SignIn[];
}

/** The directory is not a demo's, or is in use; the message suggests a remedy. */
export class DemoDirectoryRefused extends Error {
  override readonly name = 'DemoDirectoryRefused';
}

export interface DemoDirectory {
  readonly displayPath: string;
  readonly dataDir: string;
  readonly bundleFile: string;
  /** Summary of an earlier start; `null` if there is none, and the directory is empty. */
  readonly filled: FilledDemo | null;
  /** Marks the directory as in use by a demo at this address, until `leave`. */
  enter(url: string): Promise<void>;
  leave(): Promise<void>;
  keep(filled: FilledDemo): Promise<void>;
}

const PASS_THROUGH = 0o711; // the database user must be able to enter
const OWN_ONLY = 0o600; // contains keys
const MARK = 'demo.json';
const DATA = 'data';
const BUNDLE = 'birth.json';
const RUNNING = 'running.json';
const ANSWERS_WITHIN_MS = 2_000;
/** Version of the stored format; another one discards the data. */
const FORMAT = 1;

/**
 * Opens or creates the directory of a demo, and deletes data of an interrupted start.
 * @param isReset also deletes complete data
 * @throws DemoDirectoryRefused if the directory contains something else, or a demo is running in it
 */
export const openDemoDirectory = async (path: string, isReset: boolean): Promise<DemoDirectory> => {
  const root = resolve(path);
  const displayPath = relative('', root).startsWith('..') ? root : relative('', root) || '.';
  const mark = parseMark(await readJson(join(root, MARK)));
  if (mark === null && (await listNames(root)).length > 0)
    throw new DemoDirectoryRefused(
      `${displayPath} holds something that is no demo. Nothing in it was touched; name another directory with --directory.`,
    );
  const running = await findRunning(root);
  if (running !== null)
    throw new DemoDirectoryRefused(
      `A demo is running in ${displayPath} already, at ${running}. Stop it, or name another directory with --directory.`,
    );
  const summary = !isReset && mark?.format === FORMAT ? mark.filled : null;
  if (summary === null) {
    await clearDirectory(root);
    await mkdir(root, { recursive: true });
    await chmod(root, PASS_THROUGH);
    await writeMark(root, null);
  }
  const runningFile = join(root, RUNNING);
  return {
    displayPath,
    dataDir: join(root, DATA),
    bundleFile: join(root, BUNDLE),
    filled: summary,
    enter: (url) => writeFile(runningFile, JSON.stringify({ pid: process.pid, url })),
    leave: () => rm(runningFile, { force: true }),
    keep: (filled) => writeMark(root, filled),
  };
};

const listNames = (path: string): Promise<readonly string[]> =>
  readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

const readJson = async (file: string): Promise<Readonly<Record<string, unknown>> | null> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
};

interface Mark {
  readonly format: number;
  readonly filled: FilledDemo | null;
}

/** `null` if the file is not a demo's: data of other programs must not be deleted. */
const parseMark = (found: Readonly<Record<string, unknown>> | null): Mark | null =>
  typeof found?.['format'] === 'number' && 'filled' in found ? (found as unknown as Mark) : null;

/** Atomic, so that an interrupted start keeps the earlier mark. */
const writeMark = async (root: string, filled: FilledDemo | null): Promise<void> => {
  const draft = join(root, `${MARK}.${randomUUID()}`);
  const mark: Mark = { format: FORMAT, filled };
  await writeFile(draft, JSON.stringify(mark, null, 2), { mode: OWN_ONLY });
  await rename(draft, join(root, MARK));
};

/** `null` if none. */
const findRunning = async (root: string): Promise<string | null> => {
  const running = await readJson(join(root, RUNNING));
  const { pid, url } = running ?? {};
  if (typeof pid !== 'number' || typeof url !== 'string' || !isAlive(pid)) return null;
  // After a crash, another process may have this id. A suspended demo keeps the request waiting.
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const isThere = await fetch(`${url}/health/live`, { signal }).then(
    ({ ok }) => ok,
    () => signal.aborted,
  );
  return isThere ? url : null;
};

const clearDirectory = async (root: string): Promise<void> => {
  const dataDir = join(root, DATA);
  // A killed demo leaves its database running.
  if ((await listNames(join(dataDir, 'postgres'))).includes('postmaster.pid'))
    await (await hostPostgres({ dataDir })).stop();
  // The mark is deleted last, so that the directory stays recognizable if this is interrupted.
  for (const name of [DATA, BUNDLE, RUNNING, MARK])
    await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
};
