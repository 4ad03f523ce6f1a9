import { type Kysely, type Migration, sql } from 'kysely';

/** Logs of others that this registry witnesses, with the last checkpoint it signed. */
export const witnessedLogs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.witnessed_log (
        origin text primary key,
        -- verifier keys of C2SP signed-note; none: it is not witnessed any more
        keys text[] not null,
        -- of the checkpoint that was signed last; null: none was yet
        size bigint,
        root bytea,
        signed_at timestamptz,
        check ((size is null) = (root is null) and (size is null) = (signed_at is null))
      )`.execute(db);
  },
};
