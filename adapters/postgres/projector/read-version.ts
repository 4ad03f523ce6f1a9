import type { Db } from '../connection/database.ts';

/**
 * Tells states of the read tables apart: it changes with every batch that is applied, with a
 * rebuild, and when a parked stream is applied after all.
 */
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
