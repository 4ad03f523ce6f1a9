import type { ClientBase } from 'pg';

/** Both halves of the advisory lock of a database's only writing node. */
export const WRITER_LOCK = [0x6576_6e74, 0x6c6f_6701] as const;

export const PASSWORD_LOCK = [0x6576_6e74, 0x6c6f_6702] as const;

/** Columns of `eventstore.event`. */
export const COLUMNS = 'position, stream, revision, id, type, is_json, data, meta, created';

const definition = `
create schema if not exists eventstore;
create table eventstore.event (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  is_json boolean not null,
  data bytea not null,
  meta bytea not null,
  created bigint not null,
  constraint event_stream_revision unique (stream, revision)
);
create index event_tombstone on eventstore.event (stream) where revision = 9223372036854775807;
comment on table eventstore.event is
  'The log. position: order of all events, with gaps. created: 100 ns ticks since 1970.';
create function eventstore.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'eventstore.event is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger event_append_only before update or delete or truncate on eventstore.event
  for each statement execute function eventstore.refuse_change();
create table eventstore.node (
  single boolean primary key default true check (single),
  backend_pid integer not null,
  pid integer not null,
  port integer not null,
  holder text not null
);
comment on table eventstore.node is
  'Address of the node; it counts only while backend_pid holds the advisory lock.';
`;

/** True if the database has the table. @param table qualified name */
export const hasTable = async (client: ClientBase, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ present: boolean }>(
    'select to_regclass($1) is not null as present',
    [table],
  );
  return rows[0]?.present === true;
};

/** Creates the tables of the log if they are missing. The caller must have the writer's lock. */
export const createSchema = async (client: ClientBase): Promise<void> => {
  if (await hasTable(client, 'eventstore.node')) return;
  await client.query('begin');
  await client.query(definition);
  await client.query('commit');
};
