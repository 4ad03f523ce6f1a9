import { rejects } from 'node:assert/strict';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { faultInWords } from '../../api/composition/fault-in-words.ts';
import { databaseSuite } from '../support/database-suite.ts';

const migrations = databaseSuite('migrations of the schema app');

migrations('run once, however many processes start with them', async ({ db }) => {
  await Promise.all([migrate(db as never), migrate(db as never)]);
  await migrate(db as never);
});

migrations('an older version on a newer database says so, and what to do', async ({ db }) => {
  await migrate(db as never);
  const added = sql`insert into app_migration (name, timestamp) values ('9999-of-later', '')`;
  await added.execute(db);
  await rejects(migrate(db as never), (error: unknown) => {
    assert.match(faultInWords(error), /^A newer version of the service has changed this database/);
    return true;
  });
});

migrations.run();
