import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { EventInvalid } from '../../../domain/event-log-errors.ts';
import { collectChanges } from '../../../projections/read-model.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { Db } from '../connection/database.ts';
import { applyChanges } from './apply-changes.ts';
import { findDataProblem } from './apply-entries.ts';
import { loadCheckpoint, type ReadCheckpoint, ReadTablesOfAnotherVersion } from './read-schema.ts';

export interface Unparked {
  readonly unparked: readonly string[];
  /** Streams that still cannot be applied. The problem contains no submitted value. */
  readonly stillParked: readonly { readonly stream: string; readonly problem: string }[];
}

/** In log order. @throws ReadTablesOfAnotherVersion if this process must not write the tables */
export const createListParkedStreams = (db: Db) => async (): Promise<readonly string[]> => {
  const checkpoint = await loadCheckpoint(db);
  if (checkpoint === null) return [];
  requireOwnVersion(checkpoint);
  const rows = await db
    .selectFrom('read.parked_stream')
    .select('stream')
    .orderBy('position')
    .execute();
  return rows.map(({ stream }) => stream);
};

const requireOwnVersion = ({ tables }: ReadCheckpoint): void => {
  if (tables !== 'same') throw new ReadTablesOfAnotherVersion(tables);
};

export type ParkedLog = Pick<EventLog, 'readStream' | 'end'>;

/** The projector passed the end of what we had read of a stream, on every try. */
export class ProjectorTooQuick extends Error {
  override readonly name = 'ProjectorTooQuick';
  constructor() {
    super(
      'A parked stream could not be applied, because events came in faster than it could be read. Try again when fewer come in. If none do, `birth-registry verify` reports whether the read tables are ahead of the log.',
    );
  }
}

/** Under load, the projector lingers between batches for longer than a stream takes to read. */
const MAX_READS = 100;

/**
 * Applies parked streams, starting with the event that parked them, each in one transaction that
 * locks the checkpoint. Events up to the checkpoint are applied here, later ones by the projector.
 * The new epoch makes the projector reload the parked streams. The log is read before the
 * transaction, so that a slow log does not block the projector.
 * @throws EventLogUnavailable, ProjectorTooQuick
 */
export const createUnparkStreams =
  (db: Db, log: ParkedLog) =>
  async (streams: readonly string[]): Promise<Unparked> => {
    const unparked: string[] = [];
    const stillParked: { stream: string; problem: string }[] = [];
    for (const stream of streams) {
      const problem = await unpark(db, log, stream);
      if (problem === null) unparked.push(stream);
      else stillParked.push({ stream, problem });
    }
    return { unparked, stillParked };
  };

/** @returns the remaining problem, or `null` once unparked */
const unpark = async (db: Db, log: ParkedLog, stream: string): Promise<string | null> => {
  try {
    for (let reads = 1; !(await applyParked(db, log, stream)); reads += 1)
      if (reads === MAX_READS) throw new ProjectorTooQuick();
    return null;
  } catch (error) {
    if (error instanceof EventInvalid) return error.message;
    const problem = findDataProblem(error);
    if (problem === null) throw error;
    return problem;
  }
};

/** @returns false if the checkpoint is past what we read, so we may have missed events */
const applyParked = async (db: Db, log: ParkedLog, stream: string): Promise<boolean> => {
  const end = await log.end();
  const events = await log.readStream(stream);
  return db.transaction().execute(async (transaction) => {
    const checkpoint = await loadCheckpoint(transaction, 'lock');
    if (checkpoint === null) return true;
    requireOwnVersion(checkpoint);
    if (checkpoint.position > end) return false;
    const parking = await transaction
      .deleteFrom('read.parked_stream')
      .where('stream', '=', stream)
      .returning('revision')
      .executeTakeFirst();
    if (parking === undefined) return true;
    const passed = events.filter(
      ({ revision, position }) =>
        revision >= BigInt(parking.revision) && position <= checkpoint.position,
    );
    await applyChanges(transaction, 'read', passed.flatMap(collectChanges));
    await sql`update read.checkpoint set epoch = ${randomUUID()}`.execute(transaction);
    return true;
  });
};
