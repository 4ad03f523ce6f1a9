import type pg from 'pg';
import { PASSWORD_LOCK } from './store/schema.ts';

// The password is made in Postgres: values of statements may end up in its log.
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

const kept = async (client: pg.ClientBase): Promise<string | null> => {
  const table = await client.query<{ present: boolean }>(
    `select to_regclass('eventstore.password') is not null as present`,
  );
  if (table.rows[0]?.present !== true) return null;
  const found = await client.query<{ password: string }>(
    'select password from eventstore.password',
  );
  return found.rows[0]?.password ?? null;
};

/**
 * The password of the log's node: made once, random, and kept beside the log, so that who may read
 * the log's tables may ask its node, and no other account. A process that starts at the same time gets the same.
 */
export const createNodePassword = async (client: pg.ClientBase): Promise<string> => {
  for (;;) {
    const password = await kept(client);
    if (password !== null) return password;
    // A transaction that began before it waited would not see what was made meanwhile.
    await client.query('select pg_advisory_lock($1, $2)', [...PASSWORD_LOCK]);
    await client.query(creation);
    await client.query('select pg_advisory_unlock($1, $2)', [...PASSWORD_LOCK]);
  }
};
