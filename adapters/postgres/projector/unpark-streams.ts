import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ReadStream } from '../../../domain/event-log.ts';
import { changesOf, READ_MODEL_VERSION } from '../../../projections/read-model.ts';
import { EventInvalid } from '../../eventstore/errors.ts';
import type { Db } from '../connection/database.ts';
import { applyChanges } from './apply-changes.ts';
import { dataProblemOf } from './apply-entries.ts';
import { checkpointOf, ReadTablesOfAnotherVersion } from './read-schema.ts';

/** What became of parked streams. */
export interface Unparked {
  readonly unparked: readonly string[];
  /** Those that still cannot be applied; what is wrong, without any submitted value. */
  readonly stillParked: readonly { readonly stream: string; readonly problem: string }[];
}

/**
 * The streams that are parked, in the order of the log.
 * @throws ReadTablesOfAnotherVersion when the tables are not for this process to write
 */
export const parkedStreamsIn = (db: Db) => async (): Promise<readonly string[]> => {
  const checkpoint = await checkpointOf(db);
  if (checkpoint === null) return [];
  if (checkpoint.modelVersion !== READ_MODEL_VERSION) throw new ReadTablesOfAnotherVersion();
  const rows = await db
    .selectFrom('read.parked_stream')
    .select('stream')
    .orderBy('position')
    .execute();
  return rows.map(({ stream }) => stream);
};

/**
 * Applies parked streams from the event on that parked them, each in one transaction that holds the
 * checkpoint: what the projector has passed is applied here, what comes behind it there. The new
 * epoch makes the projector read anew which streams are parked.
 * @throws EventLogUnavailable
 */
export const unparkStreamsIn =
  (db: Db, readStream: ReadStream) =>
  async (streams: readonly string[]): Promise<Unparked> => {
    const unparked: string[] = [];
    const stillParked: { stream: string; problem: string }[] = [];
    for (const stream of streams) {
      const problem = await unpark(db, readStream, stream);
      if (problem === null) unparked.push(stream);
      else stillParked.push({ stream, problem });
    }
    return { unparked, stillParked };
  };

/** @returns what is wrong still; null when the stream is parked no more */
const unpark = async (db: Db, readStream: ReadStream, stream: string): Promise<string | null> => {
  try {
    await db.transaction().execute(async (transaction) => {
      const checkpoint = await checkpointOf(transaction, 'lock');
      const parking = await transaction
        .deleteFrom('read.parked_stream')
        .where('stream', '=', stream)
        .returning('revision')
        .executeTakeFirst();
      if (checkpoint === null || parking === undefined) return;
      const passed = (await readStream(stream)).filter(
        ({ revision, position }) =>
          revision >= BigInt(parking.revision) && position <= checkpoint.position,
      );
      await applyChanges(transaction, 'read', passed.flatMap(changesOf));
      await sql`update read.checkpoint set epoch = ${randomUUID()}`.execute(transaction);
    });
    return null;
  } catch (error) {
    if (error instanceof EventInvalid) return error.message;
    const problem = dataProblemOf(error);
    if (problem === null) throw error;
    return problem;
  }
};
