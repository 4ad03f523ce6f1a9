import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LogEntry } from '../../../domain/event-log.ts';
import type { ReadTable } from '../../../projections/projection.ts';
import { READ_MODEL_VERSION, READ_TABLES, READ_VIEWS } from '../../../projections/read-model.ts';
import type { EventIdentity } from '../../event-log/event-log.ts';
import { allSettledOrThrow } from '../connection/all-settled.ts';
import type { Db } from '../connection/database.ts';

/** The read tables belong to another log than the one that the service is connected to. */
export class ReadTablesOfAnotherLog extends Error {
  override readonly name = 'ReadTablesOfAnotherLog';
}

/** The read tables were built by other projections than the ones of this process. */
export class ReadTablesOfAnotherVersion extends Error {
  override readonly name = 'ReadTablesOfAnotherVersion';
  constructor() {
    super(
      'The read tables were built by another version of the service. Run `operator rebuild`, or the command with the running version.',
    );
  }
}

/**
 * Makes the schema `read` if it is missing; the projector then fills it from the start of the log.
 * One process at a time.
 * @returns whether the tables are of the projections of this process; others are left as they are
 * @throws ReadTablesOfAnotherLog when its checkpoint names another registry
 */
export const ensureReadSchema = (
  db: Db,
  registryId: string,
): Promise<'current' | 'other-version'> =>
  db.transaction().execute(async (transaction) => {
    await lockReadSchema(transaction);
    const held = await loadCheckpoint(transaction);
    if (held === null) {
      await createReadSchema(transaction, 'read', registryId);
      await createIndexes([transaction], 'read');
      return 'current';
    }
    if (held.registryId !== registryId)
      throw new ReadTablesOfAnotherLog(
        'The read tables in this database were built from another event log. Check EVENTSTORE_URL and DATABASE_URL; if both are right, `operator rebuild` builds them again from this log.',
      );
    return held.modelVersion === READ_MODEL_VERSION ? 'current' : 'other-version';
  });

/** Lets one transaction at a time make or swap the schema `read`. */
export const lockReadSchema = async (transaction: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('birth-registry read schema'))`.execute(
    transaction,
  );
};

/** The row by which the read tables say what they hold. */
export interface ReadCheckpoint {
  readonly epoch: string;
  readonly position: bigint;
  readonly registryId: string;
  readonly modelVersion: string;
  /** The last event that was applied; null: none, or the tables are of a version that does not tell. */
  readonly lastApplied: EventIdentity | null;
}

/** An event as the checkpoint names it; revisions are no numbers of JSON. */
interface StoredIdentity {
  readonly stream: string;
  readonly revision: string;
  readonly id: string;
}

/** The last event that was applied, from tables of whatever version. */
export const LAST_APPLIED = sql<StoredIdentity | null>`to_jsonb(checkpoint) -> 'last_applied'`;

/** @see LAST_APPLIED */
export const parseLastApplied = (stored: StoredIdentity | null): EventIdentity | null =>
  stored === null ? null : { ...stored, revision: BigInt(stored.revision) };

/** What the checkpoint names as applied after these entries; null: as before. */
export const findLastApplied = (entries: readonly LogEntry[]): string | null => {
  const last = entries.findLast((entry) => entry.kind === 'event');
  if (last === undefined) return null;
  const { stream, revision, id } = last.stored;
  return JSON.stringify({ stream, revision: revision.toString(), id } satisfies StoredIdentity);
};

/**
 * The checkpoint of the live tables; null if there are none.
 * @param lock keeps the projector from moving it until the transaction ends
 */
export const loadCheckpoint = async (
  db: Db,
  lock: 'lock' | 'look' = 'look',
): Promise<ReadCheckpoint | null> => {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('read.checkpoint') is not null as found`.execute(db);
  if (rows[0]?.found !== true) return null;
  const row = await db
    .selectFrom('read.checkpoint')
    .select(['epoch', 'position', 'registry_id', 'model_version'])
    .select(LAST_APPLIED.as('last_applied'))
    .$if(lock === 'lock', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const { epoch, position, registry_id: registryId, model_version: modelVersion } = row;
  const lastApplied = parseLastApplied(row.last_applied);
  return { epoch, position: BigInt(position), registryId, modelVersion, lastApplied };
};

/**
 * Creates a schema with every read table, empty and without the secondary indexes, its checkpoint
 * at the start of the log.
 */
export const createReadSchema = async (
  db: Db,
  schema: string,
  registryId: string,
): Promise<void> => {
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await sql`
    create table ${sql.id(schema, 'checkpoint')} (
      id integer primary key check (id = 1),
      epoch uuid not null,
      position bigint not null,
      registry_id text not null,
      model_version text not null,
      last_applied jsonb
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
  // A view holds on to its tables themselves: it moves with them when schemas are renamed.
  for (const { name, query } of READ_VIEWS)
    await sql`create view ${sql.id(schema, name)} as ${sql.raw(query(schema))}`.execute(db);
  // Position 0 is taken by an event: before the first one is -1.
  await sql`
    insert into ${sql.id(schema, 'checkpoint')} (id, epoch, position, registry_id, model_version)
    values (1, ${randomUUID()}, -1, ${registryId}, ${READ_MODEL_VERSION})`.execute(db);
};

/**
 * Creates the secondary indexes of a schema's read tables: bulk writes go without.
 * @param connections share them: an index is made by one processor, and most are of one table
 * @throws the first fault of any; none of them is at work any more
 */
export const createIndexes = async (connections: readonly Db[], schema: string): Promise<void> => {
  // By names of our own: of two that are made at once Postgres might give both the same.
  const left = READ_TABLES.flatMap(({ name, indexes }) =>
    indexes.map(
      (index, place) =>
        sql`create index ${sql.id(`${name}_index_${place + 1}`)} on ${sql.id(schema, name)} ${sql.raw(index)}`,
    ),
  );
  const makeSome = async (db: Db): Promise<void> => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await next.execute(db);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  await allSettledOrThrow(connections.map(makeSome));
};

const createTable = async (db: Db, schema: string, table: ReadTable): Promise<void> => {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`,
  );
  await sql`
    create table ${sql.id(schema, table.name)} (
      ${sql.join(columns)}, primary key (${sql.join(table.key.map((name) => sql.id(name)))})
    )`.execute(db);
  for (const name of table.withoutStatistics ?? [])
    await sql`
      alter table ${sql.id(schema, table.name)}
      alter column ${sql.id(name)} set statistics 0`.execute(db);
};
