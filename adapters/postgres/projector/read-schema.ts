import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LogEntry } from '../../../domain/event-log.ts';
import { isStorableName } from '../../../domain/stream-names.ts';
import type { ReadTable } from '../../../projections/projection.ts';
import { READ_TABLES, READ_VIEWS } from '../../../projections/read-model.ts';
import type { EventIdentity } from '../../event-log/read-streams.ts';
import { allSettledOrThrow } from '../connection/all-settled.ts';
import { hasTable } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import { compareVersions, READ_MODEL_VERSION, type TablesVersion } from './tables-version.ts';

/** The read tables were built from a log other than the connected one. */
export class ReadTablesOfAnotherLog extends Error {
  override readonly name = 'ReadTablesOfAnotherLog';
}

export class ReadTablesOfAnotherVersion extends Error {
  override readonly name = 'ReadTablesOfAnotherVersion';
  constructor(tables: Exclude<TablesVersion, 'same'>) {
    super(
      tables === 'newer'
        ? 'The read tables were built by a newer version of the service, and this version does not change them. Run the newer version, or restore the backup from before the upgrade.'
        : 'The read tables were built by another version of the service. Run `birth-registry rebuild`, or run this command with the version of the running service.',
    );
  }
}

/** Tables of another version stay. @throws ReadTablesOfAnotherLog if they are of another registry */
export const ensureReadSchema = (db: Db, registryId: string): Promise<TablesVersion> =>
  db.transaction().execute(async (transaction) => {
    await lockReadSchema(transaction);
    const checkpoint = await loadCheckpoint(transaction);
    if (checkpoint === null) {
      await createReadSchema(transaction, 'read', registryId);
      await createIndexes([transaction], 'read');
      return 'same';
    }
    if (checkpoint.registryId !== registryId)
      throw new ReadTablesOfAnotherLog(
        'The read tables in this database were built from another event log. Check EVENTSTORE_URL and DATABASE_URL; if both are right, `birth-registry rebuild` builds them again from this log.',
      );
    return checkpoint.tables;
  });

/** Allows one transaction at a time to create or swap the schema `read`. */
export const lockReadSchema = async (transaction: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('birth-registry read schema'))`.execute(
    transaction,
  );
};

export interface ReadCheckpoint {
  readonly epoch: string;
  readonly position: bigint;
  readonly registryId: string;
  readonly tables: TablesVersion;
  /** Last applied event, or `null` if there is none or the table version predates the column. */
  readonly lastApplied: EventIdentity | null;
}

/** The revision is a string because JSON numbers cannot represent it. */
interface StoredIdentity {
  readonly stream: string;
  readonly revision: string;
  readonly id: string;
}

/** Works on tables of any version. */
export const LAST_APPLIED = sql<StoredIdentity | null>`to_jsonb(checkpoint) -> 'last_applied'`;

export const parseLastApplied = (stored: StoredIdentity | null): EventIdentity | null =>
  stored === null ? null : { ...stored, revision: BigInt(stored.revision) };

/** Value of `last_applied` after these entries, or `null` to keep it unchanged. */
export const findLastApplied = (entries: readonly LogEntry[]): string | null => {
  // Skips names of other programs' streams that the tables do not store.
  const last = entries
    .filter((entry) => entry.kind !== 'retention')
    .map((entry) => ('stored' in entry ? entry.stored : entry))
    .findLast(({ stream }) => isStorableName(stream));
  if (last === undefined) return null;
  const { stream, revision, id } = last;
  return JSON.stringify({ stream, revision: revision.toString(), id } satisfies StoredIdentity);
};

/** `null` if there are none. @param lock `lock` keeps the projector from moving it in this transaction */
export const loadCheckpoint = async (
  db: Db,
  lock: 'lock' | 'look' = 'look',
): Promise<ReadCheckpoint | null> => {
  if (!(await hasTable(db, 'read.checkpoint'))) return null;
  const row = await db
    .selectFrom('read.checkpoint')
    .select(['epoch', 'position', 'registry_id', 'model_version'])
    .select(LAST_APPLIED.as('last_applied'))
    .$if(lock === 'lock', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const { epoch, position, registry_id: registryId } = row;
  const tables = compareVersions(row.model_version);
  const lastApplied = parseLastApplied(row.last_applied);
  return { epoch, position: BigInt(position), registryId, tables, lastApplied };
};

/** Empty and without secondary indexes; the checkpoint is at the start of the log. */
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
  // Views reference tables by identity, so they follow when schemas are renamed.
  for (const { name, query } of READ_VIEWS)
    await sql`create view ${sql.id(schema, name)} as ${sql.raw(query(schema))}`.execute(db);
  // Position 0 can be an event, so -1 means before the first one.
  await sql`
    insert into ${sql.id(schema, 'checkpoint')} (id, epoch, position, registry_id, model_version)
    values (1, ${randomUUID()}, -1, ${registryId}, ${READ_MODEL_VERSION})`.execute(db);
};

/** Bulk writes are faster without them. @param connections build in parallel: one core per index */
export const createIndexes = async (connections: readonly Db[], schema: string): Promise<void> => {
  // Explicit names: Postgres might generate the same one for two concurrent indexes.
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

/** Changes with every applied batch, with a rebuild, and when a stream is unparked. */
export const createReadVersion = (db: Db) => async (): Promise<string> => {
  const { epoch, position, parked } = await db
    .selectFrom('read.checkpoint')
    .select((read) => [
      'epoch',
      'position',
      read.selectFrom('read.parked_stream').select(read.fn.countAll<string>().as('n')).as('parked'),
    ])
    .executeTakeFirstOrThrow();
  return `${epoch} ${position} ${parked}`;
};
