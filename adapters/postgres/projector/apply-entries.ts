import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LogEntry } from '../../../domain/event-log.ts';
import type { Change } from '../../../projections/projection.ts';
import { collectChanges } from '../../../projections/read-model.ts';
import { formatLeafName } from '../../../transparency-log/log-tree.ts';
import { buildScript, type ScriptStatement } from '../../private-parts/postgres-driver/scripts.ts';
import type { Db } from '../connection/database.ts';
import { buildStatements, type WriteMode } from './apply-changes.ts';
import {
  appendLeaves,
  type Leaf,
  loadMerkleFrontier,
  type MerkleFrontier,
} from './merkle-frontier.ts';

/** Place of an entry in the log. */
export const getPosition = (entry: LogEntry): bigint =>
  entry.kind === 'event' ? entry.stored.position : entry.position;

/** The stream that an entry belongs to. */
export const getStream = (entry: LogEntry): string =>
  entry.kind === 'event' ? entry.stored.stream : entry.stream;

const revisionOf = (entry: LogEntry): bigint =>
  entry.kind === 'event' ? entry.stored.revision : entry.revision;

/** An entry as a leaf of the tree of the log. */
const leafOf = (entry: LogEntry): Leaf => ({
  position: getPosition(entry),
  event: formatLeafName({ stream: getStream(entry), revision: revisionOf(entry) }),
  hash: entry.leaf,
});

/** Entries with the statements that apply them, made ahead of the transaction that runs them. */
export interface PreparedBatch {
  /** All of them: the tree of the log knows no parked stream. */
  readonly all: readonly LogEntry[];
  /** Those of no parked stream. */
  readonly entries: readonly LogEntry[];
  /** What applies them as one; or what is wrong with one of them. */
  readonly work: Work;
}

type Work = { readonly statements: readonly ScriptStatement[] } | { readonly problem: string };

/** Makes entries ready to be applied to the tables of a schema, letting others run meanwhile. */
export const prepareBatch = async (
  schema: string,
  entries: readonly LogEntry[],
  parked: ReadonlySet<string>,
): Promise<PreparedBatch> => {
  const applicable =
    parked.size === 0 ? entries : entries.filter((entry) => !parked.has(getStream(entry)));
  return { all: entries, entries: applicable, work: await workOf(schema, applicable, 'as-told') };
};

/** A batch of a thousand entries takes 50 ms to make ready: requests do not wait for all of it. */
const ENTRIES_AT_A_STRETCH = 20;

const workOf = async (
  schema: string,
  entries: readonly LogEntry[],
  newness: WriteMode,
): Promise<Work> => {
  const changes: Change[] = [];
  try {
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === 'unreadable') return { problem: entry.problem };
      for (const change of collectChanges(entry.stored)) changes.push(change);
      if (index % ENTRIES_AT_A_STRETCH === ENTRIES_AT_A_STRETCH - 1) await setImmediate();
    }
    const statements: ScriptStatement[] = [];
    for (const ofTable of buildStatements(schema, changes, newness)) {
      statements.push(...ofTable());
      await setImmediate();
    }
    return { statements };
  } catch (error) {
    const problem = findDataProblem(error);
    if (problem === null) throw error;
    return { problem };
  }
};

/**
 * Applies entries that were made ready to the tables of a schema, as one if it can, and to its tree of
 * the log. An entry that cannot be applied for a reason of its data parks its stream: it is noted in the
 * schema's `parked_stream`, and what comes later on that stream is left out. Faults of the database go
 * to the caller.
 * @param transaction the one that moves the schema's checkpoint
 * @param merkleFrontier of the schema's tree, as the batch before left it; null: it is read
 */
export const applyPrepared = async (
  transaction: Db,
  schema: string,
  { all, entries, work }: PreparedBatch,
  merkleFrontier: MerkleFrontier | null,
): Promise<Applied> => {
  const held = merkleFrontier ?? (await loadMerkleFrontier(transaction, schema));
  const grown = appendLeaves(schema, held, all.map(leafOf));
  const parked = async (): Promise<readonly string[]> => {
    if ((await attempt(transaction, work, grown.statements)) === null) return [];
    // What claims to be new and is not must not cost the whole batch its one go.
    if ((await attempt(transaction, await workOf(schema, entries, 'doubted'))) === null) return [];
    return await applyOneByOne(transaction, schema, entries);
  };
  return { parked: await parked(), merkleFrontier: grown.frontier };
};

/** What applying a batch came to. */
export interface Applied {
  /** Streams that are parked now. */
  readonly parked: readonly string[];
  /** Of the tree, for the next batch if this one is committed. */
  readonly merkleFrontier: MerkleFrontier;
}

// Slow path: some entry cannot be applied. Find it, park its stream, go on.
const applyOneByOne = async (
  transaction: Db,
  schema: string,
  entries: readonly LogEntry[],
): Promise<readonly string[]> => {
  const parked = new Set<string>();
  for (const entry of entries) {
    if (parked.has(getStream(entry))) continue;
    const problem = await attempt(transaction, await workOf(schema, [entry], 'doubted'));
    if (problem === null) continue;
    await park(transaction, schema, entry, problem);
    parked.add(getStream(entry));
  }
  return [...parked];
};

/**
 * Does work or nothing of it.
 * @param ahead done in any case, with the same round trip
 * @returns what is wrong with the data; null if it is done
 */
const attempt = async (
  transaction: Db,
  work: Work,
  ahead: readonly ScriptStatement[] = [],
): Promise<string | null> => {
  const hasNothing = 'problem' in work || work.statements.length === 0;
  if (hasNothing && ahead.length > 0) await transaction.executeQuery(buildScript(ahead));
  if ('problem' in work) return work.problem;
  if (hasNothing) return null;
  try {
    await transaction.executeQuery(
      buildScript([
        ...ahead,
        { text: 'savepoint entries' },
        ...work.statements,
        { text: 'release savepoint entries' },
      ]),
    );
  } catch (error) {
    const problem = findDataProblem(error);
    if (problem === null) throw error;
    // Without the savepoint it is a fault of the tree, which was grown before it, and not of an entry.
    await sql`rollback to savepoint entries`.execute(transaction).catch(() => {
      throw error;
    });
    return problem;
  }
  return null;
};

const park = async (db: Db, schema: string, entry: LogEntry, problem: string): Promise<void> => {
  const type = entry.kind === 'event' ? entry.stored.event.type : entry.type;
  await sql`
    insert into ${sql.id(schema, 'parked_stream')} (stream, revision, position, event_type, problem)
    values (${getStream(entry)}, ${revisionOf(entry).toString()}::bigint,
      ${getPosition(entry).toString()}::bigint, ${type}, ${problem})`.execute(db);
};

// SQLSTATE classes of the data itself: cardinality, data exception, integrity constraint.
const DATA_FAULT_CLASSES = ['21', '22', '23'];

/**
 * What is wrong with the data of an event; null when the fault is not one of its data. Never the
 * message of Postgres: its detail quotes rows.
 */
export const findDataProblem = (error: unknown): string | null => {
  if (error instanceof TypeError) return error.name;
  const code = (error as { code?: unknown } | null)?.code;
  const isData =
    typeof code === 'string' && code.length === 5 && DATA_FAULT_CLASSES.includes(code.slice(0, 2));
  return isData ? `SQLSTATE ${code}` : null;
};
