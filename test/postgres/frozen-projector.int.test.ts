import { once } from 'node:events';
import type { KyselyPlugin } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { createWakeups, listenForWakeups } from '../../adapters/postgres/connection/wakeups.ts';
import { createLeases } from '../../adapters/postgres/leases/leases.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { createProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import { startProjector } from '../../adapters/postgres/projector/projector.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { within } from '../harness/eventually.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { entryAt, followEntries, WHOLE_LOG } from '../support/in-memory.ts';

const frozen = suite('a projector that stands still');

const LEASE_MS = 1_000;
const TAKEN_OVER_WITHIN_MS = 9_000;

const practiceAt = (position: number) =>
  entryAt(BigInt(position), `practice-${position}`, 0n, {
    type: 'PracticeCreated',
    data: { practiceId: String(position), name: 'Cedar', sandbox: false, beta: false },
  });

/** A process that goes no further once the checkpoint has moved, in the middle of its transaction. */
const standingStillAfterCheckpoint = (
  db: Db,
): { readonly db: Db; readonly standsStill: Promise<void>; readonly goOn: () => void } => {
  let stand: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const standsStill = new Promise<void>((resolve) => {
    stand = resolve;
  });
  const isFreed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [row] = result.rows as Readonly<Record<string, unknown>>[];
      if (row !== undefined && 'set_config' in row) {
        stand();
        await isFreed;
      }
      return result;
    },
  };
  return { db: db.withPlugin(plugin), standsStill, goOn };
};

frozen('in the middle of a batch is taken over, and harms nothing when it goes on', async () => {
  const postgres = await startTestPostgres();
  const db = openDatabase(postgres.url, 4);
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
  const own = openDatabase(postgres.url, 2);
  const { db: frozenDb, standsStill, goOn } = standingStillAfterCheckpoint(own);
  const leases = createLeases(db, LEASE_MS, null);
  const wakeups = createWakeups();
  const listening = await listenForWakeups(postgres.url, db, wakeups);
  const projectorOn = (over: Db, faults: string[], renew = leases.renew) => {
    const progress = createProjectionProgress(over);
    const follow = followEntries(2, practiceAt, () => 1);
    const projector = startProjector({
      db: over,
      follow,
      log: WHOLE_LOG,
      progress,
      wakeups,
      leases: { ...leases, renew },
      onFault: (error) => faults.push(String(error)),
    });
    return { ...projector, progress };
  };
  // What renews its lease stands still, too.
  const first = projectorOn(frozenDb, [], () => new Promise(() => undefined));
  await standsStill;
  const faults: string[] = [];
  const second = projectorOn(db, faults);
  try {
    await second.progress.reach(1n, TAKEN_OVER_WITHIN_MS);
    goOn();
    const rows = await db.selectFrom('read.practice').select('practice_id').execute();
    assert.equal(rows.map((row) => row.practice_id).sort(), ['0', '1']);
    assert.equal(faults, []);
    const released = once(wakeups, 'projection');
    await second.stop();
    await within('who stands by hears of its release', released);
  } finally {
    goOn();
    await first.stop();
    await second.stop();
    await listening.stop();
    await own.destroy();
    await db.destroy();
    await postgres.stop();
  }
});

frozen.run();
