import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { ended } from '../harness/built-service.ts';
import { type SingleService, throwAwayCluster, withSingle } from '../harness/measured-service.ts';
import { sized } from './sizes.ts';

/** The service and a Postgres of the same kind for the yardsticks, both new. */
export interface SideBySide extends SingleService {
  /** Address of the yardsticks' Postgres. */
  readonly yardstickUrl: string;
}

/** Starts both for some work, and stops them after it. */
export const withSideBySide = <Result>(
  work: (side: SideBySide) => Promise<Result>,
): Promise<Result> =>
  withSingle(async (single) => {
    const directory = await throwAwayCluster();
    const postgres = await hostPostgres({ dataDir: directory.path });
    try {
      return await work({ ...single, yardstickUrl: postgres.url });
    } finally {
      await postgres.stop();
      await directory.remove();
    }
  });

/** Starts R0 on the Postgres of the yardsticks for some work. @param work takes its address */
export const withR0 = async <Result>(
  yardstickUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> => {
  const r0 = await startYardstick('r0.mjs', [yardstickUrl]);
  try {
    return await work(r0.line);
  } finally {
    await r0.stop();
  }
};

const APPENDS = sized(4_000, 60);
const WARM_UP = sized(200, 20);

/** Appends of emmett in a second, measured now. @param run name of this run, another each time */
export const emmettAppends = async (yardstickUrl: string, run: string): Promise<number> => {
  const counts = [APPENDS, WARM_UP].map(String);
  const names = [`${run}-${process.pid}`];
  const yardstick = await startYardstick('emmett.mjs', [yardstickUrl, ...counts, ...names]);
  await yardstick.stop();
  return Number(yardstick.line);
};

/** A script of the yardsticks in a process of its own; its first line is what it prints. */
const startYardstick = (
  script: string,
  args: readonly string[],
): Promise<{ readonly line: string; stop(): Promise<void> }> =>
  new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(`./baselines/${script}`, import.meta.url));
    const child = spawn(process.execPath, [path, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)));
    child.stdout.once('data', (line: Buffer) =>
      resolve({ line: line.toString().trim(), stop: () => ended(child) }),
    );
  });

const YARDSTICKS = fileURLToPath(new URL('./baselines', import.meta.url));
const INSTALLED = join(YARDSTICKS, 'node_modules');
/** On the same file system, and in no folder of sources. */
const DRAFTS = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const THERE_ALREADY = new Set(['ENOTEMPTY', 'EEXIST']);

/**
 * Installs what the yardsticks need, from their own lockfile, unless it is there. Another
 * benchmark may do the same meanwhile: each installs a draft of its own, the first one moves in.
 * @throws Error when npm cannot install it
 */
export const installYardsticks = (stdio: StdioOptions): void => {
  if (existsSync(INSTALLED)) return;
  mkdirSync(DRAFTS, { recursive: true });
  const draft = mkdtempSync(join(DRAFTS, 'yardsticks-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(YARDSTICKS, file), join(draft, file));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, stdio });
    renameSync(join(draft, 'node_modules'), INSTALLED);
  } catch (error) {
    if (!THERE_ALREADY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};
