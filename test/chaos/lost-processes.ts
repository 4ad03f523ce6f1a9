import { setTimeout as sleep } from 'node:timers/promises';
import { type Tables, withTables } from '../harness/measured-service.ts';
import { type ChaosGroup, runUnderLoad } from './chaos.ts';

const ROUNDS = { full: 30, quick: 2 };
const CALM_MS = 2_000;
/** Longer than the practice lease and the projector's lease last; a minute now and then. */
const DISTURBED_MS = 12_000;
const FROZEN_LONG_MS = 60_000;
const FROZEN_LONG = 0.2;
/** Another process takes over within this; a quick run shares the machine with other tests. */
const TAKEN_OVER_MS = { full: 10_000, quick: 20_000 };
const LOOK_EVERY_MS = 100;

const DISTURBANCES = [
  ['worker lost', 3],
  ['projector lost', 3],
  ['worker frozen', 3],
  ['projector frozen', 2],
  ['API lost', 1],
] as const;

/**
 * Two processes of each role on one log and one database, under a mixed load on both APIs: one
 * process is lost or stands still, and the other of its role takes over; a process that wakes up
 * after its lease was taken does no harm.
 */
export const runProcesses: ChaosGroup = (options) => {
  const size = options.isQuick ? 'quick' : 'full';
  const roles = ['api', 'api', 'worker', 'worker', 'projector', 'projector'] as const;
  return runUnderLoad(
    options,
    { allowedFailures: 'no-response', roles },
    ({ services, dataDir, load, random }) =>
      withTables(dataDir, async (tables) => {
        const watch = watchProgress(tables);
        let longest = 0;
        try {
          for (let round = 1; round <= ROUNDS[size]; round += 1) {
            await sleep(CALM_MS);
            const disturbance = random.weighted(DISTURBANCES);
            load.count(disturbance);
            const [role, how] = disturbance.toLowerCase().split(' ');
            const victim = random.pick(services.filter((service) => service.role === role));
            const isLong = how === 'frozen' && !options.isQuick && random.chance(FROZEN_LONG);
            watch.begin();
            const undo = how === 'lost' ? victim.killUntilRestarted() : victim.freeze().thaw;
            await sleep(isLong ? FROZEN_LONG_MS : DISTURBED_MS);
            undo();
            await victim.ready();
            const stall = Math.round(watch.longestStall());
            const what = `Round ${round} of ${ROUNDS[size]}, ${disturbance}: no progress for ${stall} ms.`;
            options.report(what);
            longest = Math.max(longest, stall);
            if (stall > TAKEN_OVER_MS[size]) load.onFault(what);
          }
        } finally {
          await watch.stop();
        }
        return { 'longest stall ms': longest };
      }),
  );
};

/** Watches for the longest time in which no ingestion is completed and projected. */
const watchProgress = (tables: Tables) => {
  let isStopped = false;
  let completed = 0;
  let movedAt = performance.now();
  let longest = 0;
  const longestStall = () => Math.max(longest, performance.now() - movedAt);
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      const [row] = await tables.query(
        "select count(*) as count from read.ingestion where status = 'completed'",
      );
      const count = Number(row?.['count']);
      if (count > completed) {
        longest = longestStall();
        movedAt = performance.now();
        completed = count;
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  const watching = watch();
  return {
    begin() {
      longest = 0;
      movedAt = performance.now();
    },
    longestStall,
    async stop() {
      isStopped = true;
      await watching;
    },
  };
};
