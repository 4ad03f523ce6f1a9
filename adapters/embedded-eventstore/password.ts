import type pg from 'pg';
import { hasTable, PASSWORD_LOCK } from './store/schema.ts';

// Postgres generates the password, because values of statements may end up in its log.
const creation = `
create schema if not exists eventstore;
create table if not exists eventstore.password (
  single boolean primary key default true check (single),
  password text not null
);
comment on table eventstore.password is
  'What the node asks its callers for, unless its port is a fixed one.';
insert into eventstore.password (password)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
  on conflict do nothing`;

const readPassword = async (client: pg.ClientBase): Promise<string | null> => {
  if (!(await hasTable(client, 'eventstore.password'))) return null;
  const found = await client.query<{ password: string }>(
    'select password from eventstore.password',
  );
  return found.rows[0]?.password ?? null;
};

/** Created once and stored with the log: only an account that can read its tables can use the node. */
export const readOrCreateNodePassword = async (client: pg.ClientBase): Promise<string> => {
  for (;;) {
    const password = await readPassword(client);
    if (password !== null) return password;
    // Not in a transaction: its snapshot from before the wait would miss the other process's password.
    await client.query('select pg_advisory_lock($1, $2)', [...PASSWORD_LOCK]);
    await client.query(creation);
    await client.query('select pg_advisory_unlock($1, $2)', [...PASSWORD_LOCK]);
  }
};
