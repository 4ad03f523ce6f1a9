import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Passkeys of accounts. Not secret, but they must be deletable, which events in the log are not.
 */
export const passkeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.passkey (
        passkey_id uuid primary key default gen_random_uuid(),
        account_id text not null,
        -- as browsers name it, base64url
        credential_id text not null unique,
        -- COSE
        public_key bytea not null,
        -- uses, as the authenticator counts them; 0: it does not count
        counter bigint not null,
        -- ways to reach the authenticator
        transports text[] not null,
        -- its kind may be copied to the owner's other devices, and whether it was
        is_synced_kind boolean not null,
        is_backed_up boolean not null,
        name text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      )`.execute(db);
    await sql`create index passkey_account on app.passkey (account_id)`.execute(db);
  },
};
