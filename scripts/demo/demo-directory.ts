import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { isAlive } from '../../adapters/embedded-postgres/process-identity.ts';
import type { WorkDone } from './people-at-work.ts';
import type { SandboxPractice, SignIn } from './sample-practices.ts';

/** What a filled demo has to say again at its next start. */
export interface FilledDemo extends WorkDone {
  /** When it was filled, `YYYY-MM-DD`. */
  readonly filledOn: string;
  readonly practice: SandboxPractice;
  readonly signIns: readonly SignIn[];
}

/** The directory of a demo is not one, or is in use; the message says what to do. */
export class DemoDirectoryRefused extends Error {
  override readonly name = 'DemoDirectoryRefused';
}

/** Where a demo keeps its data. */
export interface DemoDirectory {
  /** As it is typed in a command. */
  readonly shown: string;
  /** The service's DATA_DIR. */
  readonly dataDir: string;
  /** A Bundle to push by hand. */
  readonly bundleFile: string;
  /** What an earlier start has filled; null: nothing yet, and the directory is empty. */
  readonly filled: FilledDemo | null;
  /** Says that a demo runs here, at this address, until `leave`. */
  enter(url: string): Promise<void>;
  leave(): Promise<void>;
  keep(filled: FilledDemo): Promise<void>;
}

const PASS_THROUGH = 0o711; // the database's user must be able to enter
const OWN_ONLY = 0o600; // keys are in it
const MARK = 'demo.json';
const DATA = 'data';
const BUNDLE = 'birth.json';
const RUNNING = 'running.json';
const ANSWERS_WITHIN_MS = 2_000;
/** Another shape of what is kept: the demo is filled anew. */
const FORMAT = 1;

/**
 * Opens the directory of a demo, or makes it. What was not filled to its end is thrown away.
 * @param isReset throws away what was filled too
 * @throws DemoDirectoryRefused for a directory that holds something else, or in which a demo runs
 */
export const openDemoDirectory = async (path: string, isReset: boolean): Promise<DemoDirectory> => {
  const root = resolve(path);
  const shown = relative('', root).startsWith('..') ? root : relative('', root) || '.';
  const mark = markIn(await readJson(join(root, MARK)));
  if (mark === null && (await namesIn(root)).length > 0)
    throw new DemoDirectoryRefused(
      `${shown} holds something that is no demo. Nothing in it was touched; name another directory with --directory.`,
    );
  const running = await runningIn(root);
  if (running !== null)
    throw new DemoDirectoryRefused(
      `A demo is running in ${shown} already, at ${running}. Stop it, or name another directory with --directory.`,
    );
  const kept = !isReset && mark?.format === FORMAT ? mark.filled : null;
  if (kept === null) {
    await throwAway(root);
    await mkdir(root, { recursive: true });
    await chmod(root, PASS_THROUGH);
    await writeKept(root, null);
  }
  const runningFile = join(root, RUNNING);
  return {
    shown,
    dataDir: join(root, DATA),
    bundleFile: join(root, BUNDLE),
    filled: kept,
    enter: (url) => writeFile(runningFile, JSON.stringify({ pid: process.pid, url })),
    leave: () => rm(runningFile, { force: true }),
    keep: (filled) => writeKept(root, filled),
  };
};

const namesIn = (path: string): Promise<readonly string[]> =>
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

/** Null: no mark of a demo. Others call files of theirs by its name, too, and theirs are not thrown away. */
const markIn = (found: Readonly<Record<string, unknown>> | null): Mark | null =>
  typeof found?.['format'] === 'number' && 'filled' in found ? (found as unknown as Mark) : null;

/** Whole or not at all: an interrupted start leaves the mark of before. */
const writeKept = async (root: string, filled: FilledDemo | null): Promise<void> => {
  const draft = join(root, `${MARK}.${randomUUID()}`);
  const mark: Mark = { format: FORMAT, filled };
  await writeFile(draft, JSON.stringify(mark, null, 2), { mode: OWN_ONLY });
  await rename(draft, join(root, MARK));
};

/** Address of the demo that runs in a directory; null: none does. */
const runningIn = async (root: string): Promise<string | null> => {
  const running = await readJson(join(root, RUNNING));
  const { pid, url } = running ?? {};
  if (typeof pid !== 'number' || typeof url !== 'string' || !isAlive(pid)) return null;
  // After a crash another process may have the number: only one that answers is a demo, or one
  // that keeps a request waiting, as a stopped demo does.
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const isThere = await fetch(`${url}/health/live`, { signal }).then(
    ({ ok }) => ok,
    () => signal.aborted,
  );
  return isThere ? url : null;
};

const throwAway = async (root: string): Promise<void> => {
  const dataDir = join(root, DATA);
  // A demo that was killed has left its database running.
  if ((await namesIn(join(dataDir, 'postgres'))).includes('postmaster.pid'))
    await (await hostPostgres({ dataDir })).stop();
  // The mark goes last: an interrupted start still knows its directory.
  for (const name of [DATA, BUNDLE, RUNNING, MARK])
    await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
};
