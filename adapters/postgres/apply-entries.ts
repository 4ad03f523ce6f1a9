import { sql } from 'kysely';
import type { LogEntry } from '../../domain/event-log.ts';
import type { Change } from '../../projections/projection.ts';
import { changesOf } from '../../projections/read-model.ts';
import { applyChanges } from './apply-changes.ts';
import type { Db } from './database.ts';

/** Place of an entry in the log. */
export const positionOf = (entry: LogEntry): bigint =>
  entry.kind === 'event' ? entry.stored.position : entry.position;

/** The stream that an entry belongs to. */
export const streamOf = (entry: LogEntry): string =>
  entry.kind === 'event' ? entry.stored.stream : entry.stream;

/**
 * Applies entries to the tables of a schema, as one if it can. An entry that cannot be applied for
 * a reason of its data parks its stream: it is noted in the schema's `parked_stream`, and what
 * comes later on that stream is left out. Faults of the database go to the caller.
 * @param transaction the one that moves the schema's checkpoint
 * @param parked streams that are parked already
 * @returns the streams parked now
 */
export const applyEntries = async (
  transaction: Db,
  schema: string,
  entries: readonly LogEntry[],
  parked: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const applicable = entries.filter((entry) => !parked.has(streamOf(entry)));
  if (applicable.length === 0) return [];
  const fault = await attempt(transaction, schema, applicable);
  return fault === null ? [] : await applyOneByOne(transaction, schema, applicable);
};

// Slow path: some entry cannot be applied. Find it, park its stream, go on.
const applyOneByOne = async (
  transaction: Db,
  schema: string,
  entries: readonly LogEntry[],
): Promise<readonly string[]> => {
  const parked = new Set<string>();
  for (const entry of entries) {
    if (parked.has(streamOf(entry))) continue;
    const problem = await attempt(transaction, schema, [entry]);
    if (problem === null) continue;
    await park(transaction, schema, entry, problem);
    parked.add(streamOf(entry));
  }
  return [...parked];
};

/** Applies entries or none of them. @returns what is wrong with their data; null if applied */
const attempt = async (
  transaction: Db,
  schema: string,
  entries: readonly LogEntry[],
): Promise<string | null> => {
  for (const entry of entries) if (entry.kind === 'unreadable') return entry.problem;
  await sql`savepoint entries`.execute(transaction);
  try {
    await applyChanges(transaction, schema, entries.flatMap(changesOfEntry));
  } catch (error) {
    const problem = dataProblemOf(error);
    if (problem === null) throw error;
    await sql`rollback to savepoint entries`.execute(transaction);
    return problem;
  }
  await sql`release savepoint entries`.execute(transaction);
  return null;
};

const changesOfEntry = (entry: LogEntry): readonly Change[] =>
  entry.kind === 'event' ? changesOf(entry.stored) : [];

const park = async (db: Db, schema: string, entry: LogEntry, problem: string): Promise<void> => {
  const { revision, type } =
    entry.kind === 'event'
      ? { revision: entry.stored.revision, type: entry.stored.event.type }
      : entry;
  await sql`
    insert into ${sql.id(schema, 'parked_stream')} (stream, revision, position, event_type, problem)
    values (${streamOf(entry)}, ${revision.toString()}::bigint,
      ${positionOf(entry).toString()}::bigint, ${type}, ${problem})`.execute(db);
};

// SQLSTATE classes of the data itself: cardinality, data exception, integrity constraint.
const DATA_FAULT_CLASSES = ['21', '22', '23'];

/**
 * What is wrong with the data of an event; null when the fault is not one of its data. Never the
 * message of Postgres: its detail quotes rows.
 */
export const dataProblemOf = (error: unknown): string | null => {
  if (error instanceof TypeError) return error.name;
  const code = (error as { code?: unknown } | null)?.code;
  const isData =
    typeof code === 'string' && code.length === 5 && DATA_FAULT_CLASSES.includes(code.slice(0, 2));
  return isData ? `SQLSTATE ${code}` : null;
};
