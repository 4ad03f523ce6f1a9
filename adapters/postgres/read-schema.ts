import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ReadTable } from '../../projections/projection.ts';
import { READ_MODEL_VERSION, READ_TABLES } from '../../projections/read-model.ts';
import type { Db } from './database.ts';

/** The read tables belong to another log than the one that the service is connected to. */
export class ReadTablesOfAnotherLog extends Error {
  override readonly name = 'ReadTablesOfAnotherLog';
}

/**
 * Makes the schema `read` if it is missing or was made by other projections; the projector then
 * fills it from the start of the log. One process at a time.
 * @throws ReadTablesOfAnotherLog when its checkpoint names another registry
 */
export const ensureReadSchema = async (db: Db, registryId: string): Promise<void> => {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('birth-registry read schema'))`.execute(
      transaction,
    );
    const { rows } = await sql<{ found: boolean }>`
      select to_regclass('read.checkpoint') is not null as found`.execute(transaction);
    if (rows[0]?.found === true) {
      const held = await transaction
        .selectFrom('read.checkpoint')
        .select(['registry_id', 'model_version'])
        .executeTakeFirstOrThrow();
      if (held.registry_id !== registryId)
        throw new ReadTablesOfAnotherLog(
          'The read tables in this database were built from another event log. Check EVENTSTORE_URL and DATABASE_URL; to build them anew from this log, drop the schema "read" first.',
        );
      if (held.model_version === READ_MODEL_VERSION) return;
      await sql`drop schema read cascade`.execute(transaction);
    }
    await createReadSchema(transaction, 'read', registryId);
  });
};

/** Creates a schema with every read table, empty, its checkpoint at the start of the log. */
const createReadSchema = async (db: Db, schema: string, registryId: string): Promise<void> => {
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await sql`
    create table ${sql.id(schema, 'checkpoint')} (
      id integer primary key check (id = 1),
      epoch uuid not null,
      position bigint not null,
      registry_id text not null,
      model_version text not null
    )`.execute(db);
  await sql`
    create table ${sql.id(schema, 'parked_stream')} (
      stream text primary key,
      revision bigint not null,
      position bigint not null,
      event_type text not null,
      problem text not null
    )`.execute(db);
  for (const table of READ_TABLES) await createTable(db, schema, table);
  // Position 0 is taken by an event: before the first one is -1.
  await sql`
    insert into ${sql.id(schema, 'checkpoint')} (id, epoch, position, registry_id, model_version)
    values (1, ${randomUUID()}, -1, ${registryId}, ${READ_MODEL_VERSION})`.execute(db);
};

const createTable = async (db: Db, schema: string, table: ReadTable): Promise<void> => {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`,
  );
  await sql`
    create table ${sql.id(schema, table.name)} (
      ${sql.join(columns)}, primary key (${sql.join(table.key.map((name) => sql.id(name)))})
    )`.execute(db);
  for (const index of table.indexes)
    await sql`create index on ${sql.id(schema, table.name)} ${sql.raw(index)}`.execute(db);
};
