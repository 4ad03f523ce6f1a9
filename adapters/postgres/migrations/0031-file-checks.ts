import { type Kysely, type Migration, sql } from 'kysely';

/** Progress of files that are checked before an import, so that any process can show it. */
export const fileChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.file_check (
        -- also the id of the staged import that replaces it
        import_id text primary key,
        practice_id text not null,
        member_id text not null,
        begun_at timestamptz not null default now(),
        -- by the process that checks it; too long ago if that has ended
        seen_at timestamptz not null default now(),
        done_rows integer not null default 0,
        total_rows integer not null default 0,
        -- sealed: why the file was refused
        refusal bytea
      )`.execute(db);
    await sql`create index on app.file_check (begun_at)`.execute(db);
  },
};
