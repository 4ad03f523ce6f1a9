import { sql } from 'kysely';
import { ProjectionBehind } from '../../adapters/postgres/projection-progress.ts';
import type { ReadinessCheck } from '../health/health-router.ts';
import type { SharedParts } from './parts.ts';

/** What must answer before the service can take requests: log, database and read tables. */
export const readinessOf = (parts: SharedParts): readonly ReadinessCheck[] => {
  const { db, log } = parts.stores;
  return [
    {
      name: 'database',
      check: async () => ({ answered: (await sql`select 1`.execute(db)).rows.length === 1 }),
    },
    { name: 'event-log', check: async () => ({ position: (await log.head()).toString() }) },
    { name: 'projection', check: () => checkProjection(parts) },
  ];
};

const checkProjection = async ({ stores, progress, plays }: SharedParts) => {
  const held = await stores.db
    .selectFrom('read.checkpoint')
    .select((read) => [
      'position',
      'epoch',
      read.selectFrom('read.parked_stream').select(read.fn.countAll<string>().as('n')).as('parked'),
    ])
    .executeTakeFirstOrThrow();
  progress.advance(BigInt(held.position), held.epoch);
  if (plays('projector') && !progress.hasCaughtUp())
    throw new ProjectionBehind('The read tables are still being built.');
  return { position: held.position, parkedStreams: Number(held.parked) };
};
