import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EventEntry, LogEntry } from '../../../domain/event-log.ts';
import type { Change } from '../../../projections/projection.ts';
import { collectEntryChanges } from '../../../projections/read-model.ts';
import { formatLeafName } from '../../../transparency-log/log-tree.ts';
import {
  buildScript,
  type ScriptStatement,
} from '../../package-internals/postgres-driver/scripts.ts';
import type { Db } from '../connection/database.ts';
import { buildStatements, type WriteMode } from './apply-changes.ts';
import {
  appendLeaves,
  type Leaf,
  loadMerkleFrontier,
  type MerkleFrontier,
} from './merkle-frontier.ts';

const getPlace = (entry: LogEntry) => ('stored' in entry ? entry.stored : entry);

/** False for settings of a stream, which are no part of the tree. */
export const isEvent = (entry: LogEntry): entry is EventEntry => entry.kind !== 'retention';

export const getPosition = (entry: LogEntry): bigint => getPlace(entry).position;

export const getStream = (entry: LogEntry): string => getPlace(entry).stream;

const getRevision = (entry: EventEntry): bigint =>
  entry.kind === 'unreadable' ? entry.revision : entry.stored.revision;

const toLeaf = (entry: EventEntry): Leaf => ({
  position: getPosition(entry),
  event: formatLeafName({ stream: getStream(entry), revision: getRevision(entry) }),
  hash: entry.leaf,
});

export interface PreparedBatch {
  /** All entries: the Merkle tree includes parked streams. */
  readonly all: readonly LogEntry[];
  readonly entries: readonly LogEntry[];
  readonly work: Work;
}

type Work = { readonly statements: readonly ScriptStatement[] } | { readonly problem: string };

export const prepareBatch = async (
  schema: string,
  entries: readonly LogEntry[],
  parked: ReadonlySet<string>,
): Promise<PreparedBatch> => {
  const applicable =
    parked.size === 0 ? entries : entries.filter((entry) => !parked.has(getStream(entry)));
  return { all: entries, entries: applicable, work: await buildWork(schema, applicable, 'insert') };
};

/** A large batch must not block requests while its statements are built. */
const ENTRIES_AT_A_STRETCH = 20;

const buildWork = async (
  schema: string,
  entries: readonly LogEntry[],
  writeMode: WriteMode,
): Promise<Work> => {
  const changes: Change[] = [];
  try {
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === 'unreadable') return { problem: entry.problem };
      for (const change of collectEntryChanges(entry)) changes.push(change);
      if (index % ENTRIES_AT_A_STRETCH === ENTRIES_AT_A_STRETCH - 1) await setImmediate();
    }
    const statements: ScriptStatement[] = [];
    for (const ofTable of buildStatements(schema, changes, writeMode)) {
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

/** A data problem parks its stream; database faults are thrown. @param merkleFrontier `null` loads it */
export const applyPrepared = async (
  transaction: Db,
  schema: string,
  { all, entries, work }: PreparedBatch,
  merkleFrontier: MerkleFrontier | null,
): Promise<Applied> => {
  const frontier = merkleFrontier ?? (await loadMerkleFrontier(transaction, schema));
  const grown = appendLeaves(schema, frontier, all.filter(isEvent).map(toLeaf));
  const applyOrPark = async (): Promise<readonly string[]> => {
    if ((await attempt(transaction, work, grown.statements)) === null) return [];
    // A row wrongly flagged as new must not force the batch onto the slow path.
    if ((await attempt(transaction, await buildWork(schema, entries, 'upsert'))) === null)
      return [];
    return await applyOneByOne(transaction, schema, entries);
  };
  return { parked: await applyOrPark(), merkleFrontier: grown.frontier };
};

export interface Applied {
  readonly parked: readonly string[];
  /** Frontier to pass with the next batch if this one commits. */
  readonly merkleFrontier: MerkleFrontier;
}

// Slow path: finds each entry that cannot be applied and parks its stream.
const applyOneByOne = async (
  transaction: Db,
  schema: string,
  entries: readonly LogEntry[],
): Promise<readonly string[]> => {
  const parked = new Set<string>();
  for (const entry of entries) {
    if (parked.has(getStream(entry))) continue;
    const problem = await attempt(transaction, await buildWork(schema, [entry], 'upsert'));
    if (problem === null || !isEvent(entry)) continue;
    await park(transaction, schema, entry, problem);
    parked.add(getStream(entry));
  }
  return [...parked];
};

/** `null` on success, else the data problem. @param ahead statements that run in any case */
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
    // Without the savepoint the tree statements before it failed, not an entry.
    await sql`rollback to savepoint entries`.execute(transaction).catch(() => {
      throw error;
    });
    return problem;
  }
  return null;
};

const park = async (db: Db, schema: string, entry: EventEntry, problem: string): Promise<void> => {
  const type = entry.kind === 'unreadable' ? entry.type : (entry.stored.event?.type ?? '');
  await sql`
    insert into ${sql.id(schema, 'parked_stream')} (stream, revision, position, event_type, problem)
    values (${getStream(entry)}, ${getRevision(entry).toString()}::bigint,
      ${getPosition(entry).toString()}::bigint, ${type}, ${problem})`.execute(db);
};

// SQLSTATE classes: cardinality, data exception, integrity constraint, and program limit.
const DATA_FAULT_CLASSES = ['21', '22', '23', '54'];

// Projections are pure, so the event is what they cannot handle.
const FAULTS_OF_CODE = [TypeError, RangeError, SyntaxError];

/** `null` if the data is not the cause. Omits the message of Postgres, because its detail quotes rows. */
export const findDataProblem = (error: unknown): string | null => {
  if (FAULTS_OF_CODE.some((fault) => error instanceof fault)) return (error as Error).name;
  const code = (error as { code?: unknown } | null)?.code;
  const isData =
    typeof code === 'string' && code.length === 5 && DATA_FAULT_CLASSES.includes(code.slice(0, 2));
  return isData ? `SQLSTATE ${code}` : null;
};
