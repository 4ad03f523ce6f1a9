import fc from 'fast-check';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { EventLogUnavailable } from '../../adapters/eventstore/errors.ts';
import type { FollowLog } from '../../adapters/eventstore/follow-log.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import {
  applyReady,
  positionOf,
  readyEntries,
} from '../../adapters/postgres/projector/apply-entries.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { LogEntry } from '../../domain/event-log.ts';
import { changesOf } from '../../projections/read-model.ts';
import { databaseSuite } from '../harness/database-suite.ts';
import { anyLog, uuid } from '../support/any-log.ts';
import { birthBundle, courseOf } from '../support/bundles.ts';
import { runs } from '../support/runs.ts';
import { entryAt, followEntries } from '../support/stored-entries.ts';

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
      const to = batch.map(positionOf).at(-1) ?? 0n;
      await sql`update read.checkpoint set position = ${to.toString()}::bigint`.execute(
        transaction,
      );
      const ready = await readyEntries('read', batch, parked);
      return applyReady(transaction, 'read', ready, null);
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

/** `npm run bench:rebuild` takes five times as many. */
const EVENTS = Number(process.env['REBUILD_EVENTS'] ?? 20_000);
const ONE_BY_ONE = 1_000;
const RECORDS_AT_ONCE = 4_000;
const COURSE = courseOf(birthBundle());

/** Record events as in a year of a practice: most are new, every fifth amends an earlier record. */
const recordEntry = (position: number): LogEntry => {
  const isAmendment = position % 5 === 4;
  const of = isAmendment ? Math.max(position - RECORDS_AT_ONCE - 1, 0) : position;
  const data = {
    submissionUuid: uuid(of),
    practiceId: 'practice',
    version: isAmendment ? 2 : 1,
    source: 'fhir_push',
    keyKind: 'native',
    providers: [],
    mark: null,
    stamp: '2026-05-13T09:00:00.000000000Z',
    fingerprints: [`fingerprint-of-forty-three-characters-${position}`],
    course: { ...COURSE, chart_number: `C-${of}` },
  };
  const type = isAmendment ? 'BirthAmended' : 'BirthRecorded';
  return entryAt(BigInt(position), `record-${of}`, isAmendment ? 1n : 0n, { type, data });
};

/** In one transaction: no commit is counted, only the statements. */
const secondsOneByOne = async (db: Db, from: number): Promise<number> => {
  const events = Array.from({ length: ONE_BY_ONE }, (_, index) => recordEntry(from + index));
  const started = performance.now();
  await db.transaction().execute(async (transaction) => {
    for (const one of events)
      if (one.kind === 'event') await applyChanges(transaction, 'read', changesOf(one.stored));
  });
  return (performance.now() - started) / 1_000;
};

laws(
  'a rebuild is five times as fast as a statement per event, in flat memory',
  async (context) => {
    const { db, url } = context;
    await freshTables(db);
    const before = await secondsOneByOne(db, 0);
    await sql`drop schema read cascade`.execute(db);
    const idle = process.memoryUsage().rss;
    let most = idle;
    const { eventsPerSecond, events } = await rebuildReadTables(
      {
        databaseUrl: url,
        registryId: REGISTRY,
        ...NO_REPORTER,
        follow: followEntries(EVENTS, recordEntry, () => 2_000),
        head: async () => BigInt(EVENTS - 1),
        afterStep: () => {
          most = Math.max(most, process.memoryUsage().rss);
        },
      },
      'swap',
    );
    const oneByOne = (2 * ONE_BY_ONE) / (before + (await secondsOneByOne(db, EVENTS)));
    const grownMiB = (most - idle) / 1_048_576;
    console.log(
      `rebuild ${eventsPerSecond} events/s, one statement per event ${Math.round(oneByOne)} events/s, ` +
        `ratio ${(eventsPerSecond / oneByOne).toFixed(1)}, RSS +${grownMiB.toFixed(0)} MiB`,
    );
    assert.is(events, EVENTS);
    assert.ok(eventsPerSecond >= 5 * oneByOne);
    assert.ok(grownMiB <= 100);
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
    runs(40),
  );
  assert.ok(parkedStreams > 5, `the sequences park streams, too: ${parkedStreams}`);
});

laws.run();
