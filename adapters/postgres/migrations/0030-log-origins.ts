import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Checkpoints of later origins of the log: after its end was lost, it continues under another name. Those of the
 * first origin stay where earlier versions look for them.
 */
export const logOrigins: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.later_checkpoint (
        -- from 2
        origin_number integer not null,
        -- events of the log that it covers
        size bigint not null,
        -- as published, with its signatures
        note text not null,
        signed_at timestamptz not null default now(),
        primary key (origin_number, size)
      )`.execute(db);
    await sql`
      create table app.checkpoint_refusal (
        -- at most one row: no checkpoint is signed, because the log does not extend the last one
        id integer primary key check (id = 1),
        refused_at timestamptz not null default now()
      )`.execute(db);
  },
};
