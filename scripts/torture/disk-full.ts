import { execFile } from 'node:child_process';
import { appendFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { throwAwayDirectory } from '../throw-away/service.ts';
import { startLivingService } from './living-service.ts';
import { startMixedLoad } from './load/mixed-load.ts';
import type { Torture } from './torture.ts';

const run = promisify(execFile);

const DISK_MIB = 1_024;
const BALLAST_BYTES = 65_536;
/** Written until nothing more is taken, again and again: what is given back is taken at once. */
const FILL_EVERY_MS = 100;
const STAYS_FULL_MS = { full: 60_000, quick: 10_000 };
const FELT_WITHIN_MS = 120_000;
const GOES_ON_MS = 5_000;

/**
 * Lets the disk run full under a mixed load, and makes room again: meanwhile 503, afterwards the
 * service recovers by itself, and what was taken is there. Needs the right to mount a small file
 * system in memory.
 */
export const tortureByFullDisk: Torture = async ({ seed, isQuick, report }) => {
  const size = isQuick ? 'quick' : 'full';
  const directory = await throwAwayDirectory();
  const disk = directory.path;
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=711`, 'tmpfs', disk]);
  try {
    const service = await startLivingService(disk);
    try {
      const load = await startMixedLoad({
        apis: [service],
        dataDir: disk,
        seed,
        trouble: 'silence',
        isQuick,
      });
      const ballast = join(disk, 'ballast');
      await sleep(GOES_ON_MS);
      await fill(disk, ballast);
      report('The disk is full.');
      const filledAt = performance.now();
      const isFelt = () =>
        load.refusals() > 0 && performance.now() - filledAt > STAYS_FULL_MS[size];
      while (!isFelt() && performance.now() - filledAt < FELT_WITHIN_MS) {
        await sleep(FILL_EVERY_MS);
        await fill(disk, ballast);
      }
      if (load.refusals() === 0) load.onFault('Nobody felt that the disk was full.');
      await rm(ballast);
      await service.ready();
      report('There is room again, and the service is ready.');
      load.count('disk full');
      await sleep(GOES_ON_MS);
      return await load.end();
    } finally {
      await service.stop();
    }
  } finally {
    await run('umount', ['-l', disk]);
    await directory.remove();
  }
};

/** Leaves no room. */
const fill = async (disk: string, ballast: string): Promise<void> => {
  const { bavail, bsize } = await statfs(disk);
  const bytes = bavail * bsize;
  // Somebody else may be faster.
  await appendFile(ballast, Buffer.alloc(bytes)).catch(() => undefined);
  await appendFile(ballast, Buffer.alloc(BALLAST_BYTES)).catch(() => undefined);
};
