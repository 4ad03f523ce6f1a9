import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { FollowLog, LogBatch } from '../../adapters/event-log/follow-log.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createLeases } from '../../adapters/postgres/leases/leases.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import {
  createProjectionProgress,
  ProjectionBehind,
} from '../../adapters/postgres/projector/projection-progress.ts';
import { startProjector } from '../../adapters/postgres/projector/projector.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { entryAt, followEntries, WHOLE_LOG } from '../support/in-memory.ts';

const epoch = databaseSuite('the epoch of the tables');

epoch.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

const practiceAt = (position: number) =>
  entryAt(BigInt(position), `practice-${position}`, 0n, {
    type: 'PracticeCreated',
    data: { practiceId: String(position), name: 'Cedar', sandbox: false, beta: false },
  });

const batchAt = (position: number): LogBatch => ({
  entries: [practiceAt(position)],
  position: BigInt(position),
});

const practicesIn = async (db: Db) =>
  (await db.selectFrom('read.practice').select('practice_id').orderBy('practice_id').execute()).map(
    (row) => row.practice_id,
  );

epoch(
  'a projector of the former tables cannot advance, and goes on with the new',
  async (context) => {
    const { db, url } = context;
    type Followed = {
      from: bigint | null;
      onBatch: (batch: LogBatch) => Promise<void>;
    };
    const calls: Followed[] = [];
    const waiting: ((followed: Followed) => void)[] = [];
    const followed = (): Promise<Followed> =>
      new Promise((resolve) => {
        const call = calls.shift();
        if (call === undefined) waiting.push(resolve);
        else resolve(call);
      });
    // A log whose batches the test hands over.
    const follow: FollowLog = (from, onBatch, _, signal) =>
      new Promise((resolve, reject) => {
        const call: Followed = {
          from,
          onBatch: (batch) =>
            onBatch(batch).catch((error: unknown) => {
              reject(error as Error);
              throw error;
            }),
        };
        const next = waiting.shift();
        if (next === undefined) calls.push(call);
        else next(call);
        signal.addEventListener('abort', () => resolve());
      });
    const faults: string[] = [];
    const progress = createProjectionProgress(db);
    const projector = startProjector({
      db,
      follow,
      progress,
      wakeups: null,
      leases: createLeases(db, 8_000, null),
      log: WHOLE_LOG,
      onFault: (error) => faults.push((error as Error).name),
    });
    try {
      const before = await followed();
      assert.is(before.from, null);
      await before.onBatch(batchAt(0));

      await rebuildReadTables(
        {
          databaseUrl: url,
          registryId: 'registry',
          ...NO_REPORTER,
          follow: followEntries(2, practiceAt, () => 1),
          head: async () => 1n,
        },
        'swap',
      );
      const refused = await before.onBatch(batchAt(1)).then(
        () => null,
        (error: Error) => error.name,
      );
      assert.is(refused, 'CheckpointMoved');
      assert.equal(await practicesIn(db), ['0', '1']);

      const after = await followed();
      assert.is(after.from, 1n);
      assert.is(progress.position(), 1n);
      await after.onBatch(batchAt(2));
      assert.equal(await practicesIn(db), ['0', '1', '2']);
      assert.equal(faults, ['CheckpointMoved']);
    } finally {
      await projector.stop();
    }
  },
);

const answerOf = (position: bigint, epoch: string) => async () => ({
  position,
  epoch,
});

epoch('a position of the former tables is not believed of the new ones', ({ db }) => {
  const progress = createProjectionProgress(db);
  progress.advance(100n, 'former');
  progress.advance(90n, 'former');
  assert.is(progress.position(), 100n);
  progress.advance(7n, 'new');
  assert.is(progress.position(), 7n);
  progress.advance(101n, 'former');
  assert.is(progress.position(), 7n, 'a late report of the former projector');
});

epoch(
  'an answer below what was known when it was asked for shows that tables went back',
  async ({ db }) => {
    const progress = createProjectionProgress(db);
    progress.advance(100n, 'before the crash');
    await progress.observe(answerOf(90n, 'before the crash'));
    assert.is(progress.position(), 90n);
    progress.advance(100n, 'before the crash');
    assert.is(progress.position(), 90n, 'a late report of what the crash lost');
    await progress.observe(answerOf(91n, 'before the crash'));
    assert.is(progress.position(), 91n);
  },
);

epoch('an answer that was overtaken says nothing', async ({ db }) => {
  const progress = createProjectionProgress(db);
  progress.advance(100n, 'one');
  await progress.observe(async () => {
    progress.advance(110n, 'one');
    return { position: 105n, epoch: 'one' };
  });
  assert.is(progress.position(), 110n, 'a commit while the query ran');
  await progress.observe(async () => {
    await progress.observe(answerOf(90n, 'one'));
    return { position: 110n, epoch: 'one' };
  });
  assert.is(progress.position(), 90n, 'an answer from before the crash');
  await progress.observe(async () => {
    progress.advance(7n, 'two');
    return { position: 95n, epoch: 'one' };
  });
  assert.is(progress.position(), 7n, 'an answer about tables that were replaced');
});

epoch('who takes a lease to read the tables learns that they went back', async ({ db }) => {
  const progress = createProjectionProgress(db);
  const leases = createLeases(db, 8_000, null);
  const worker = randomUUID();
  await progress.look();
  const stored = progress.position();
  progress.advance(stored + 5n, String(progress.epoch()));
  const lease = await leases.takeForReads('turn:crash', worker, progress.observe);
  assert.is(lease?.holder, worker);
  assert.is(progress.position(), stored);
  const waited = await progress.reach(stored + 5n, 50).catch((error: unknown) => error);
  assert.instance(waited, ProjectionBehind);
});

epoch.run();
