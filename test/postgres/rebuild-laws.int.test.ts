import { mock } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import * as assert from 'uvu/assert';
import type { FollowLog } from '../../adapters/event-log/follow-log.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import {
  applyPrepared,
  getPosition,
  prepareBatch,
} from '../../adapters/postgres/projector/apply-entries.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { LogEntry } from '../../domain/event-log.ts';
import { EventLogUnavailable } from '../../domain/event-log-errors.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { anyLog, recordEntry } from '../support/any-log.ts';
import { followEntries } from '../support/in-memory.ts';
import { runs } from '../support/runs.ts';

/** Laws of the read tables, without a service. */
const laws = databaseSuite('laws of a rebuild');

const REGISTRY = 'registry';

const freshTables = async (db: Db): Promise<void> => {
  await sql`drop schema if exists read cascade`.execute(db);
  await ensureReadSchema(db, REGISTRY);
};

/** Applies entries as the projector does, in batches of these sizes over and over. */
const applyInBatches = async (
  db: Db,
  entries: readonly LogEntry[],
  sizes: readonly number[],
): Promise<number> => {
  const parked = new Set<string>();
  const left = [...entries];
  for (let batches = 0; left.length > 0; batches += 1) {
    const batch = left.splice(0, sizes[batches % sizes.length] ?? 1);
    const applied = await db.transaction().execute(async (transaction) => {
      const to = batch.map(getPosition).at(-1) ?? 0n;
      await sql`update read.checkpoint set position = ${to.toString()}::bigint`.execute(
        transaction,
      );
      const ready = await prepareBatch('read', batch, parked);
      return applyPrepared(transaction, 'read', ready, null);
    });
    for (const stream of applied.parked) parked.add(stream);
  }
  return parked.size;
};

const partsOf = (url: string, entries: readonly LogEntry[], size: number) => ({
  databaseUrl: url,
  follow: followEntries(
    entries.length,
    (position) => {
      const entry = entries[position];
      if (entry === undefined) throw new Error(`No entry at ${position}`);
      return entry;
    },
    () => size,
  ),
  head: async () => BigInt(entries.length - 1),
  registryId: REGISTRY,
  ...NO_REPORTER,
});

const EVENTS = 2_000;

/** How many statements a database gets while something is done: services of other files run in this process. */
const statementsDuring = async (url: string, work: () => Promise<unknown>): Promise<number> => {
  const query = mock.method(pg.Client.prototype, 'query');
  await work();
  query.mock.restore();
  const name = new URL(url).pathname.slice(1);
  return query.mock.calls.filter(({ this: client }) => (client as pg.Client).database === name)
    .length;
};

laws(
  'a rebuild sends a fifth of a statement per event at most, one batch after the other',
  async ({ db, url }) => {
    await freshTables(db);
    const oneByOne = await statementsDuring(url, async () => {
      for (let position = 0; position < EVENTS / 10; position += 1) {
        const one = recordEntry(position);
        if (one.kind === 'event') await applyChanges(db, 'read', collectChanges(one.stored));
      }
    });
    assert.ok(oneByOne >= EVENTS / 10);
    await sql`drop schema read cascade`.execute(db);
    let isUnderWay = false;
    const follow = followEntries(EVENTS, recordEntry, () => EVENTS / 4);
    const inTurn: FollowLog = (from, onBatch, onCaughtUp, signal) =>
      follow(
        from,
        async (batch) => {
          assert.not(isUnderWay, 'no batch is kept beside another');
          isUnderWay = true;
          await onBatch(batch);
          isUnderWay = false;
        },
        onCaughtUp,
        signal,
      );
    const rebuilt = await statementsDuring(url, async () => {
      const parts = { databaseUrl: url, registryId: REGISTRY, ...NO_REPORTER };
      const head = async () => BigInt(EVENTS - 1);
      const { events } = await rebuildReadTables({ ...parts, follow: inTurn, head }, 'swap');
      assert.is(events, EVENTS);
    });
    assert.ok(rebuilt <= EVENTS / 5, `${rebuilt} statements`);
  },
);

/** A log that ends each subscription after so many batches. */
const endingAfter = (batches: number, follow: FollowLog, onEnd: () => void): FollowLog => {
  return async (from, onBatch, onCaughtUp, signal) => {
    let left = batches;
    const endOrPass: typeof onBatch = async (batch) => {
      if (left === 0) {
        onEnd();
        throw new EventLogUnavailable('Consumer too slow.');
      }
      left -= 1;
      await onBatch(batch);
    };
    await follow(from, endOrPass, onCaughtUp, signal);
  };
};

laws('a rebuild goes on when the log ends its subscription', async ({ db, url }) => {
  await freshTables(db);
  const entries = Array.from({ length: 9 }, (_, position) => recordEntry(position));
  await applyInBatches(db, entries, [9]);
  const parts = partsOf(url, entries, 2);
  let ends = 0;
  const onEnd = () => {
    ends += 1;
  };
  const { differences, events } = await rebuildReadTables(
    { ...parts, follow: endingAfter(1, parts.follow, onEnd) },
    'compare',
  );
  assert.equal([differences, events], [[], 9]);
  assert.ok(ends >= 4);
  const withoutAny = { ...parts, follow: endingAfter(0, parts.follow, onEnd) };
  const fault = await rebuildReadTables(withoutAny, 'compare').catch((error: unknown) => error);
  assert.instance(fault, EventLogUnavailable);
});

const RUNS = runs(40);

laws('applied in batches of any size = rebuilt from zero, table by table', async ({ db, url }) => {
  const size = fc.integer({ min: 1, max: 9 });
  let parkedStreams = 0;
  await fc.assert(
    fc.asyncProperty(
      anyLog,
      fc.array(size, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 70 }),
      async (entries, sizes, rebuiltBy) => {
        await freshTables(db);
        parkedStreams += await applyInBatches(db, entries, sizes);
        const { differences, events } = await rebuildReadTables(
          partsOf(url, entries, rebuiltBy),
          'compare',
        );
        assert.equal(differences, []);
        assert.is(events, entries.length);
      },
    ),
    RUNS,
  );
  assert.ok(parkedStreams > RUNS.numRuns / 4, `the sequences park streams, too: ${parkedStreams}`);
});

laws.run();
