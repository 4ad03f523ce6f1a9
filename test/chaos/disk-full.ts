import { execFile } from 'node:child_process';
import { appendFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { throwAwayDirectory } from '../harness/measured-service.ts';
import { type ChaosGroup, type Place, runUnderLoad } from './chaos.ts';

const run = promisify(execFile);

const DISK_MIB = 1_024;
const BALLAST_BYTES = 65_536;
/** Room that the service frees is filled again at once. */
const FILL_EVERY_MS = 100;
const STAYS_FULL_MS = { full: 60_000, quick: 10_000 };
const FELT_WITHIN_MS = 120_000;
const GOES_ON_MS = 5_000;

/**
 * Lets the disk run full under a mixed load, and makes room again: meanwhile 503, afterwards the
 * service recovers by itself, and what was taken is there. Needs the right to mount a small file
 * system in memory.
 */
export const runFullDisk: ChaosGroup = (options) =>
  runUnderLoad(
    options,
    { allowedFailures: 'no-response', openPlace: mountDisk },
    async ({ service, dataDir, load }) => {
      const staysFullMs = options.isQuick ? STAYS_FULL_MS.quick : STAYS_FULL_MS.full;
      const ballast = join(dataDir, 'ballast');
      await sleep(GOES_ON_MS);
      await fill(dataDir, ballast);
      options.report('The disk is full.');
      const filledAt = performance.now();
      const isFelt = () => load.refusals() > 0 && performance.now() - filledAt > staysFullMs;
      while (!isFelt() && performance.now() - filledAt < FELT_WITHIN_MS) {
        await sleep(FILL_EVERY_MS);
        await fill(dataDir, ballast);
      }
      if (load.refusals() === 0) load.onFault('The full disk led to no refusal.');
      await rm(ballast);
      await service.ready();
      options.report('There is room again, and the service is ready.');
      load.count('disk full');
      await sleep(GOES_ON_MS);
      return {};
    },
  );

const mountDisk = async (): Promise<Place> => {
  const { path, remove } = await throwAwayDirectory();
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=711`, 'tmpfs', path]);
  return {
    dataDir: path,
    async remove() {
      await run('umount', ['-l', path]);
      await remove();
    },
  };
};

/** Leaves no room. */
const fill = async (disk: string, ballast: string): Promise<void> => {
  const { bavail, bsize } = await statfs(disk);
  // The service may take the room first.
  await appendFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
  await appendFile(ballast, Buffer.alloc(BALLAST_BYTES)).catch(() => undefined);
};
