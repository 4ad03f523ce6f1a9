import { sql } from 'kysely';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { recordEntry } from '../support/any-log.ts';
import { followEntries } from '../support/in-memory.ts';
import { isMissed, printFigures } from './report.ts';

// What a rebuild of the read tables takes, beside one statement for each event, on a Postgres of its own.

const REGISTRY = 'registry';
const EVENTS = 100_000;
const BATCH = 2_000;
const ONE_BY_ONE = 1_000;
const CONNECTIONS = 4;
const MIB = 1_048_576;

/** In one transaction: no commit is counted, only the statements. */
const secondsOneByOne = async (db: Db, from: number): Promise<number> => {
  const events = Array.from({ length: ONE_BY_ONE }, (_, index) => recordEntry(from + index));
  const started = performance.now();
  await db.transaction().execute(async (transaction) => {
    for (const one of events)
      if (one.kind === 'event') await applyChanges(transaction, 'read', collectChanges(one.stored));
  });
  return (performance.now() - started) / 1_000;
};

const postgres = await startTestPostgres({ isDurable: true });
const db = openDatabase(postgres.url, CONNECTIONS);
try {
  await ensureReadSchema(db, REGISTRY);
  const before = await secondsOneByOne(db, 0);
  await sql`drop schema read cascade`.execute(db);
  const idle = process.memoryUsage().rss;
  let most = idle;
  const { eventsPerSecond } = await rebuildReadTables(
    {
      databaseUrl: postgres.url,
      registryId: REGISTRY,
      ...NO_REPORTER,
      follow: followEntries(EVENTS, recordEntry, () => BATCH),
      head: async () => BigInt(EVENTS - 1),
      afterStep: () => {
        most = Math.max(most, process.memoryUsage().rss);
      },
    },
    'swap',
  );
  const oneByOne = (2 * ONE_BY_ONE) / (before + (await secondsOneByOne(db, EVENTS)));
  const figures = [
    {
      name: 'rebuild, times as fast as a statement per event',
      unit: '',
      wanted: { atLeast: 5 },
      value: eventsPerSecond / oneByOne,
      parts: { 'events/s': eventsPerSecond, 'one by one/s': oneByOne },
    },
    {
      name: 'memory that a rebuild takes beyond idle',
      unit: 'MiB',
      wanted: { atMost: 100 },
      value: (most - idle) / MIB,
      parts: { idle: idle / MIB, most: most / MIB },
    },
  ];
  printFigures(figures);
  process.exitCode = figures.some(isMissed) ? 1 : 0;
} finally {
  await db.destroy();
  await postgres.stop();
}
