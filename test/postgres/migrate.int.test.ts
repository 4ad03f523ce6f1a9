import { rejects } from 'node:assert/strict';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { databaseSuite } from '../harness/postgres.ts';

/** So many that one of the looks at all tables meets a schema on its way out. */
const STARTS = 200;
const TABLES = 20;

const migrations = databaseSuite('migrations of the schema app');

migrations('run once, however many processes start with them', async ({ db }) => {
  await Promise.all([migrate(db as never), migrate(db as never)]);
  await migrate(db as never);
});

migrations('go through while the tables of a rebuild come and go', async ({ db }) => {
  await migrate(db as never);
  let isDone = false;
  const rebuilding = (async () => {
    while (!isDone) {
      await sql`create schema rebuilding`.execute(db);
      for (let table = 0; table < TABLES; table += 1)
        await sql`create table rebuilding.${sql.id(`t${table}`)} (id integer, what text)`.execute(
          db,
        );
      await sql`alter schema rebuilding rename to rebuilt`.execute(db);
      await sql`drop schema rebuilt cascade`.execute(db);
    }
  })();
  try {
    for (let time = 0; time < STARTS; time += 1) await migrate(db as never);
  } finally {
    isDone = true;
    await rebuilding;
  }
});

migrations('an older version on a newer database says so, and what to do', async ({ db }) => {
  await migrate(db as never);
  const added = sql`insert into app_migration (name, timestamp) values ('9999-of-later', '')`;
  await added.execute(db);
  await rejects(migrate(db as never), (error: unknown) => {
    assert.match(formatFault(error), /^A newer version of the service has changed this database/);
    return true;
  });
});

migrations.run();
