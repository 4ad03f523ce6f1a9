import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LogEntry } from '../../../domain/event-log.ts';
import { EventLogUnavailable } from '../../../domain/event-log-errors.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import { eventsAt, type Rebuild, type ReportProgress } from '../../../domain/progress.ts';
import type { LostEvents } from '../../../domain/registry/events.ts';
import { READ_TABLES } from '../../../projections/read-model.ts';
import type { FollowLog } from '../../event-log/follow-log.ts';
import { allSettledOrThrow } from '../connection/all-settled.ts';
import { type Db, ENDLESS_STATEMENTS, openDatabase } from '../connection/database.ts';
import {
  applyPrepared,
  getPosition,
  isEvent,
  type PreparedBatch,
  prepareBatch,
} from '../projector/apply-entries.ts';
import { EMPTY_FRONTIER, type MerkleFrontier } from '../projector/merkle-frontier.ts';
import {
  createIndexes,
  createReadSchema,
  findLastApplied,
  loadCheckpoint,
  lockReadSchema,
  type ReadCheckpoint,
  ReadTablesOfAnotherVersion,
} from '../projector/read-schema.ts';
import {
  findDifferences,
  listCommonTables,
  MAX_DIFFERENCES,
  type TableDifference,
  type TableDifferences,
} from './compare-tables.ts';
import { createRebuildProgress } from './rebuild-progress.ts';

export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

export class NothingToCompare extends Error {
  override readonly name = 'NothingToCompare';
}

/** The rebuilt tables could not replace the live ones, which stay unchanged. */
export class SwapRefused extends Error {
  override readonly name = 'SwapRefused';
}

/** The log lacks events of streams. A swap would drop what the live tables hold of them. */
export class StreamsIncomplete extends Error {
  override readonly name = 'StreamsIncomplete';
  constructor(lost: readonly LostEvents[]) {
    super(
      `The log lacks events of ${nameStreams(lost)}. The live tables stay. Restore the log from a backup. If there is none, \`rebuild --accept-loss\` drops what only the live tables hold.`,
    );
  }
}

const MAX_NAMED = 10;

const nameStreams = (lost: readonly LostEvents[]): string => {
  const names = [...new Set(lost.map(({ stream }) => stream))];
  return `${countInWords(names.length, 'stream')}: ${names.slice(0, MAX_NAMED).join(', ')}`;
};

/** Steps after which tests kill a rebuild. The next one starts clean. */
export type RebuildStep =
  | 'schema-made'
  | 'batch-applied'
  | 'indexes-made'
  | 'compared'
  | 'schemas-renamed'
  | 'swapped';

export interface RebuildOptions {
  readonly databaseUrl: string;
  readonly follow: FollowLog;
  readonly head: () => Promise<bigint>;
  readonly registryId: string;
  readonly report: (line: string) => void;
  /** Called when a step without a progress count starts. */
  readonly step: (line: string) => void;
  readonly progress: ReportProgress;
  /** True to swap even if the log lacks events of streams. */
  readonly acceptsLoss?: boolean;
  /** True for events whose loss was accepted earlier; `undefined` if none was. */
  readonly isLossAccepted?: (lost: LostEvents) => boolean;
  readonly signal?: AbortSignal;
  /** Awaited before each batch, to yield to more important work. */
  readonly throttle?: () => Promise<void>;
  /** Called after each step. Only for tests. */
  readonly afterStep?: (step: RebuildStep) => void;
}

export interface Rebuilt {
  /** Number of our events in the log. */
  readonly events: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
  /** Rows in which the live tables differ from the log, at the same position. */
  readonly differences: readonly TableDifference[];
  /** Events that the log lacks within its streams, without those accepted earlier. */
  readonly incomplete: readonly LostEvents[];
}

const LOCKS = {
  itself: 'birth-registry rebuild',
  second: 'birth-registry rebuild, second',
  rehearsal: 'birth-registry rehearsal',
} as const;

const LIVE = 'read';
const NEXT = 'read_next';
const FORMER = 'read_former';
const REHEARSED = 'read_rehearsal';
/** Larger batches save little time and need much memory. */
const MAX_BATCH_SIZE = 500;
const MS_PER_SECOND = 1_000;
const LOCK_TIMEOUT_MS = 500;
const LOCK_TRIES = 60;
/** Longest time that a swap blocks the projector. */
const LOCKED_MS = 4_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** Retries, because Postgres notices late that a killed rebuild is gone and releases its lock. */
const TAKE_TRIES = 3;
/** Maximum number of consecutive subscriptions that end without progress. */
const FOLLOW_TRIES = 5;
const PAUSE_MS = 200;

/**
 * Builds the read tables from the log in a new schema, while the live ones stay in use and up to
 * date. `swap` then replaces the live tables in one transaction, `compare` only compares them and
 * drops the new ones. One rebuild per database at a time. Half of the indexes and the analyze run
 * on a second connection. Each connection has its own lock, so that neither can continue during
 * another rebuild.
 * @throws RebuildUnderWay, NothingToCompare, SwapRefused, ReadTablesOfAnotherVersion if the live
 * tables are newer
 * @see docs/design/read-tables.md#rebuild
 */
export const rebuildReadTables = async (
  parts: RebuildOptions,
  purpose: 'swap' | 'compare',
): Promise<Rebuilt> => {
  const pool = openDatabase(parts.databaseUrl, 2, ENDLESS_STATEMENTS);
  try {
    return await pool.connection().execute(async (db) => {
      await takeRebuild(db, LOCKS.itself);
      return await pool.connection().execute(async (second) => {
        await takeRebuild(second, LOCKS.second);
        await dropSchema(db, NEXT);
        await dropSchema(db, FORMER);
        await dropAbandonedRehearsal(second);
        try {
          return await rebuildOn(db, second, parts, purpose);
        } finally {
          // After a swap, `read_next` no longer exists. Otherwise its content is useless.
          await dropSchema(db, NEXT).catch(() => undefined);
        }
      });
    });
  } finally {
    await pool.destroy();
  }
};

interface Building {
  readonly parts: RebuildOptions;
  readonly schema: string;
  /** Position of the log's last event at the start, for progress. */
  readonly head: bigint;
  readonly show: (phase: Rebuild['phase']) => void;
  parked: Set<string>;
  /** Frontier after the last written batch. */
  merkleFrontier: MerkleFrontier;
  /** Position up to which entries were passed to Postgres. */
  position: bigint;
  events: number;
  /** Batch being written while the next one is prepared. */
  writing: Promise<void>;
}

const createBuilding = (
  parts: RebuildOptions,
  schema: string,
  head: bigint,
  show: Building['show'],
): Building => ({
  parts,
  schema,
  head,
  show,
  parked: new Set(),
  merkleFrontier: EMPTY_FRONTIER,
  position: -1n,
  events: 0,
  writing: Promise.resolve(),
});

const rebuildOn = async (
  db: Db,
  second: Db,
  parts: RebuildOptions,
  purpose: 'swap' | 'compare',
): Promise<Rebuilt> => {
  const started = performance.now();
  const head = await parts.head();
  const showOthers = createRebuildProgress(second);
  const building = createBuilding(parts, NEXT, head, (phase) => {
    const { done, total } = eventsAt(building.position, building.events, head);
    showOthers({ purpose, phase, events: done, total });
  });
  if (purpose === 'swap') keepNewerTables(await loadCheckpoint(db));
  const isComparable = await hasComparableTables(db, parts);
  if (!isComparable && purpose === 'compare')
    throw new NothingToCompare(
      'There are no read tables of this version and this log to compare with. Run `rebuild` without `--check`.',
    );
  if (!isComparable)
    parts.report('No live tables of this version and this log: there is nothing to compare with.');

  await db
    .transaction()
    .execute((transaction) => createReadSchema(transaction, NEXT, parts.registryId));
  parts.afterStep?.('schema-made');
  await preferIndexes(db, 'on');
  // Compared at the live tables' position, even if the projector is far behind.
  await catchUp(db, building, isComparable ? await loadLivePosition(db) : null);
  await preferIndexes(db, 'off');
  parts.step('Making the indexes.');
  building.show('indexes');
  await createIndexes([db, second], NEXT);
  parts.afterStep?.('indexes-made');
  const lost = await dropWithoutRecord(db, NEXT);
  building.show('comparing');

  const [differences] = await allSettledOrThrow([
    isComparable ? compare(db, building) : Promise.resolve([]),
    analyze(second),
  ]);
  parts.afterStep?.('compared');
  const incomplete = lost.filter((one) => parts.isLossAccepted?.(one) !== true);
  if (purpose === 'swap') {
    if (incomplete.length > 0) {
      if (parts.acceptsLoss !== true) throw new StreamsIncomplete(incomplete);
      parts.report(`The log lacks events of ${nameStreams(incomplete)}.`);
    }
    await catchUp(db, building, null);
    await swap(db, building);
    parts.afterStep?.('swapped');
    await dropSchema(db, FORMER).catch((error: unknown) => {
      if (!(error instanceof SwapRefused)) throw error;
      parts.report('The former tables are still in use: the next rebuild drops them.');
    });
  }
  const seconds = (performance.now() - started) / MS_PER_SECOND;
  return {
    events: building.events,
    seconds: Math.round(seconds * MS_PER_SECOND) / MS_PER_SECOND,
    eventsPerSecond: Math.round(building.events / seconds),
    differences,
    incomplete,
  };
};

const findLostEvents = async (db: Db, schema: string): Promise<readonly LostEvents[]> => {
  const places = sql`
    select left(event, -1 - length(revision)) as stream, revision::numeric
    from (
      select event, split_part(event, ' ', -1) as revision from (
        select event from ${sql.id(schema, 'log_leaf')}
        union all
        select unnest(string_to_array(events, E'\n')) from ${sql.id(schema, 'log_tile')}
        where level = 0
      ) leaves
    ) named`;
  const { rows: streams } = await sql<{ stream: string }>`
    select stream from (${places}) places
    group by stream having count(*) < max(revision) + 1`.execute(db);
  if (streams.length === 0) return [];
  // A sort of all events would take much longer.
  const { rows } = await sql<LostEvents>`
    select stream, (before + 1)::text as from, (revision - 1)::text as to
    from (
      select stream, revision,
        coalesce(lag(revision) over (partition by stream order by revision), -1) as before
      from (${places}) places
      where stream = any(${streams.map(({ stream }) => stream)})
    ) ordered
    where revision > before + 1
    order by stream, revision`.execute(db);
  return rows;
};

/** Without its first event, a record is none, and its other events must not count. */
const dropWithoutRecord = async (db: Db, schema: string): Promise<readonly LostEvents[]> => {
  const lost = await findLostEvents(db, schema);
  if (lost.length === 0) return lost;
  for (const { name, key } of READ_TABLES)
    if (key[0] === 'submission_uuid' && name !== 'birth_record')
      await sql`
        delete from ${sql.id(schema, name)} part where not exists (
          select from ${sql.id(schema, 'birth_record')} record
          where record.submission_uuid = part.submission_uuid
        )`.execute(db);
  return lost;
};

export interface Rehearsed<Decided> {
  /** Differences per table that both schemas have. */
  readonly differences: readonly TableDifferences[];
  readonly decided: Decided;
}

/** With the rules of this build. The live tables may be another build's. @throws RebuildUnderWay */
export const rehearseReadTables = async <Decided>(
  parts: RebuildOptions,
  most: number,
  decideAgain: (db: Db, schema: string) => Promise<Decided>,
): Promise<Rehearsed<Decided>> => {
  const pool = openDatabase(parts.databaseUrl, 1, ENDLESS_STATEMENTS);
  try {
    return await pool.connection().execute(async (db) => {
      await takeRebuild(db, LOCKS.rehearsal);
      await dropSchema(db, REHEARSED);
      try {
        if ((await loadCheckpoint(db))?.registryId !== parts.registryId)
          throw new NothingToCompare(
            'There are no read tables of this log to compare with. Start the service, or run `rebuild`.',
          );
        const building = createBuilding(parts, REHEARSED, await parts.head(), () => undefined);
        await db
          .transaction()
          .execute((transaction) => createReadSchema(transaction, REHEARSED, parts.registryId));
        await preferIndexes(db, 'on');
        await catchUp(db, building, await loadLivePosition(db));
        await preferIndexes(db, 'off');
        await dropWithoutRecord(db, REHEARSED);
        const differences = await findDifferencesFromLive(db, building, async (transaction) =>
          findDifferences(
            transaction,
            LIVE,
            REHEARSED,
            await listCommonTables(transaction, LIVE, REHEARSED),
            most,
          ),
        );
        parts.signal?.throwIfAborted();
        return { differences, decided: await decideAgain(db, REHEARSED) };
      } finally {
        await dropSchema(db, REHEARSED).catch(() => undefined);
      }
    });
  } finally {
    await pool.destroy();
  }
};

/** A killed rehearsal leaves a second copy of all births. */
const dropAbandonedRehearsal = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtext(${LOCKS.rehearsal})) as taken`.execute(db);
  if (rows[0]?.taken !== true) return;
  await dropSchema(db, REHEARSED);
  await sql`select pg_advisory_unlock(hashtext(${LOCKS.rehearsal}))`.execute(db);
};

/** Runs before the tables are queried, so that Postgres knows their sizes for its plans. */
const analyze = async (db: Db): Promise<void> => {
  for (const { name } of READ_TABLES) await sql`analyze ${sql.id(NEXT, name)}`.execute(db);
};

const takeRebuild = async (db: Db, lock: string): Promise<void> => {
  // Makes Postgres notice during a long statement that the process has died.
  await sql`
    select set_config(name, '100ms', false) from pg_settings
    where name = 'client_connection_check_interval'`.execute(db);
  // A rebuild need not survive a crash before the swap, and the swap waits for the disk again.
  await sql`set synchronous_commit = off`.execute(db);
  for (let tries = 1; ; tries += 1) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(hashtext(${lock})) as taken`.execute(db);
    if (rows[0]?.taken === true) return;
    if (tries === TAKE_TRIES)
      throw new RebuildUnderWay(
        lock === LOCKS.rehearsal
          ? 'Another rehearsal is under way. Wait for its end, then run `rehearse` again.'
          : 'Another rebuild of the read tables is under way. Wait for its end, then run `rebuild` again.',
      );
    await sleep(PAUSE_MS);
  }
};

/** While the tables fill, Postgres has no statistics and would scan them for every batch. */
const preferIndexes = async (db: Db, on: 'on' | 'off'): Promise<void> => {
  for (const way of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
    await sql`select set_config(${way}, ${on === 'on' ? 'off' : 'on'}, false)`.execute(db);
};

const hasComparableTables = async (db: Db, parts: RebuildOptions): Promise<boolean> => {
  const live = await loadCheckpoint(db);
  if (live === null) return false;
  const isSame = live.registryId === parts.registryId && live.tables === 'same';
  if (!isSame)
    parts.report(
      'The live tables are of another version or another log, so they are not compared.',
    );
  return isSame;
};

/** Otherwise, two versions would replace each other's tables forever. @throws ReadTablesOfAnotherVersion */
const keepNewerTables = (live: ReadCheckpoint | null): void => {
  if (live?.tables === 'newer') throw new ReadTablesOfAnotherVersion('newer');
};

const loadLivePosition = async (db: Db): Promise<bigint> =>
  (await loadCheckpoint(db))?.position ?? -1n;

/** Each batch waits for the one before, so memory does not grow with the log. @param until `null`: the end */
const catchUp = async (
  db: Db,
  building: Building,
  until: bigint | null,
  limit?: AbortSignal,
): Promise<void> => {
  const isAtEnd = (position: bigint): boolean => until !== null && position >= until;
  if (isAtEnd(building.position)) return;
  const { signal, follow } = building.parts;
  const done = new AbortController();
  const followOn = () =>
    follow(
      building.position < 0n ? null : building.position,
      async (batch) => {
        const isPast = until !== null && batch.position > until;
        const entries = batch.entries.filter(
          (entry) =>
            getPosition(entry) > building.position && !(isPast && getPosition(entry) > until),
        );
        // Never at `until`: in another log, EventStoreDB follows only from a position that has an event.
        const to = isPast ? entries.map(getPosition).at(-1) : batch.position;
        while (entries.length > MAX_BATCH_SIZE) {
          const slice = entries.splice(0, MAX_BATCH_SIZE);
          await applyBatch(db, building, slice, slice.map(getPosition).at(-1) ?? building.position);
        }
        if (to !== undefined && to > building.position) await applyBatch(db, building, entries, to);
        if (isAtEnd(batch.position)) done.abort();
      },
      // The position stays at the last event seen. Events that a lagging log node has not delivered
      // come in the next round or from the projector. Deferred, so that `follow` returns first.
      () => queueMicrotask(() => done.abort()),
      AbortSignal.any([done.signal, signal, limit].filter((one) => one !== undefined)),
    );
  try {
    await resubscribeWhileProgressing(building, followOn);
  } finally {
    // Even after a failure: no other statement may run inside an unfinished batch.
    await building.writing.catch(() => undefined);
  }
  await building.writing;
  signal?.throwIfAborted();
  if (limit?.aborted === true)
    throw new SwapRefused(
      'The log was too slow for the swap, so the live tables stand. Run `rebuild` again when less is written.',
    );
};

/** EventStoreDB drops slow subscribers. Gives up after several tries without progress. */
const resubscribeWhileProgressing = async (
  building: Building,
  followOn: () => Promise<void>,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const { position } = building;
    try {
      await followOn();
      return;
    } catch (error) {
      await building.writing;
      if (!(error instanceof EventLogUnavailable)) throw error;
      if (building.position > position) tries = 0;
      else if (tries === FOLLOW_TRIES) throw error;
    }
    await sleep(PAUSE_MS);
  }
};

/** Prepares while Postgres writes the previous batch, and does not wait for its own. */
const applyBatch = async (
  db: Db,
  building: Building,
  entries: readonly LogEntry[],
  to: bigint,
): Promise<void> => {
  const parkedBefore = building.parked.size;
  await building.parts.throttle?.();
  const ready = await prepareBatch(building.schema, entries, building.parked);
  await building.writing;
  const isStale = building.parked.size > parkedBefore;
  building.position = to;
  building.events += entries.filter(isEvent).length;
  building.writing = write(
    db,
    building,
    building.events,
    to,
    findLastApplied(entries),
    isStale ? await prepareBatch(building.schema, entries, building.parked) : ready,
  );
  // The next caller that awaits it gets the error.
  building.writing.catch(() => undefined);
};

const write = async (
  db: Db,
  building: Building,
  events: number,
  to: bigint,
  lastApplied: string | null,
  ready: PreparedBatch,
): Promise<void> => {
  const applied = await runInTransaction(db, async (transaction) => {
    await sql`
      update ${sql.id(building.schema, 'checkpoint')} set position = ${to.toString()}::bigint,
        last_applied = coalesce(${lastApplied}::jsonb, last_applied)`.execute(transaction);
    return applyPrepared(transaction, building.schema, ready, building.merkleFrontier);
  });
  building.merkleFrontier = applied.merkleFrontier;
  for (const stream of applied.parked) building.parked.add(stream);
  building.parts.progress({
    work: building.schema === REHEARSED ? 'Rehearsing' : 'Rebuilding',
    ...eventsAt(to, events, building.head),
  });
  if (!db.isTransaction) building.show('events');
  building.parts.afterStep?.('batch-applied');
};

const runInTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

const compare = async (db: Db, building: Building): Promise<readonly TableDifference[]> => {
  const { parts } = building;
  await catchUp(db, building, await loadLivePosition(db));
  const ofTables = await findDifferencesFromLive(db, building, (transaction) =>
    findDifferences(transaction, LIVE, NEXT),
  );
  const differences = ofTables.flatMap(({ first }) => first).slice(0, MAX_DIFFERENCES);
  if (differences.length > 0)
    parts.report(
      `The live tables differ from the log in ${differences.length} rows. The rebuilt ones are right.`,
    );
  return differences;
};

/**
 * Compares both sets of tables at one position without blocking the projector: the snapshot freezes
 * the live tables, and the transaction catches up to their position.
 * @throws NothingToCompare if the live tables were swapped, because a snapshot does not freeze
 * schema names
 */
const findDifferencesFromLive = (
  db: Db,
  building: Building,
  compared: (transaction: Db) => Promise<readonly TableDifferences[]>,
): Promise<readonly TableDifferences[]> => {
  building.parts.step('Comparing with the live tables.');
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const liveOid = await readLiveOid(transaction);
      await catchUp(transaction, building, await loadLivePosition(transaction));
      const differences = await compared(transaction);
      if ((await readLiveOid(transaction)) !== liveOid)
        throw new NothingToCompare(
          'Another rebuild replaced the read tables, so there was nothing to compare with. Try again.',
        );
      return differences;
    });
};

/** Identifies the live tables by their OID in Postgres, which a swap changes. */
const readLiveOid = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ oid: string }>`
    select to_regclass('read.checkpoint')::oid::text as oid`.execute(db);
  return rows[0]?.oid ?? '';
};

/** Replaces the live tables in one transaction that blocks no readers. */
const swap = (db: Db, building: Building): Promise<void> =>
  withLockTries(async () => {
    const { position, events, merkleFrontier } = building;
    const parked = new Set(building.parked);
    try {
      await db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
        await sql`set local synchronous_commit = on`.execute(transaction);
        await lockReadSchema(transaction);
        const live = await loadCheckpoint(transaction, 'lock');
        keepNewerTables(live);
        await catchUp(transaction, building, null, AbortSignal.timeout(LOCKED_MS));
        if (live !== null) {
          // A waiting projector must find that its checkpoint moved.
          await sql`update read.checkpoint set epoch = ${randomUUID()}`.execute(transaction);
          await sql`alter schema read rename to ${sql.id(FORMER)}`.execute(transaction);
        }
        await sql`alter schema ${sql.id(NEXT)} rename to read`.execute(transaction);
        building.parts.afterStep?.('schemas-renamed');
      });
    } catch (error) {
      // Roll back our state as well, because this try's batches were rolled back.
      const rolledBack: Partial<Building> = {
        position,
        events,
        merkleFrontier,
        parked,
        writing: Promise.resolve(),
      };
      Object.assign(building, rolledBack);
      throw error;
    }
  });

const dropSchema = (db: Db, schema: string): Promise<void> =>
  withLockTries(() =>
    db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      await sql`set local client_min_messages = warning`.execute(transaction);
      await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(transaction);
    }),
  );

/** A long wait for our lock would make other queries queue behind it. */
const withLockTries = async (work: () => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === LOCK_TRIES)
        throw new SwapRefused(
          'The read tables were in use for too long, so the live ones stand. Run `rebuild` again when less is read.',
          {
            cause: error,
          },
        );
    }
    await sleep(PAUSE_MS);
  }
};
