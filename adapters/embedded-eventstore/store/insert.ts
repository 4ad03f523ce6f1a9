import type { ClientBase } from 'pg';
import type { RecordedEvent } from './event.ts';
import { COLUMNS } from './schema.ts';

// One statement for a whole group, parsed once per connection. Names, types, data, and metadata
// share one binary parameter, because array literals need escaping and hex doubles bytea.
const insertSql = `
insert into eventstore.event (${COLUMNS})
select e.position,
  convert_from(substring($1::bytea from e.starts for e.stream_bytes), 'UTF8'),
  e.revision, e.id,
  convert_from(substring($1::bytea from e.starts + e.stream_bytes for e.type_bytes), 'UTF8'),
  e.is_json,
  substring($1::bytea from e.starts + e.stream_bytes + e.type_bytes for e.data_bytes),
  substring(
    $1::bytea from e.starts + e.stream_bytes + e.type_bytes + e.data_bytes for e.meta_bytes
  ),
  $2::bigint
from unnest($3::bigint[], $4::bigint[], $5::uuid[], $6::boolean[],
  $7::int[], $8::int[], $9::int[], $10::int[], $11::int[])
  as e (position, revision, id, is_json,
    starts, stream_bytes, type_bytes, data_bytes, meta_bytes)`;

const insertOneSql = `
insert into eventstore.event (${COLUMNS})
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Plain statement for a group of one, which avoids the cost of unnesting arrays. */
const insertOne = async (client: ClientBase, event: RecordedEvent): Promise<void> => {
  const { position, stream, revision, id, type, isJson, data, meta, created } = event;
  await client.query({
    name: 'append-one',
    text: insertOneSql,
    values: [position, stream, revision, id, type, isJson, data, meta, created],
  });
};

const formatArrayLiteral = (values: readonly (string | bigint | number | boolean)[]): string =>
  `{${values.join(',')}}`;

/** Inserts the events of one group in one durable statement, all or none. */
export const insertEvents = async (
  client: ClientBase,
  events: readonly RecordedEvent[],
): Promise<void> => {
  const [first] = events;
  if (first === undefined) return;
  if (events.length === 1) return insertOne(client, first);
  const { created } = first;
  const parts: Uint8Array[] = [];
  const starts: number[] = [];
  const streamBytes: number[] = [];
  const typeBytes: number[] = [];
  let offset = 1; // substring counts from one
  for (const event of events) {
    const stream = Buffer.from(event.stream, 'utf8');
    const type = Buffer.from(event.type, 'utf8');
    parts.push(stream, type, event.data, event.meta);
    starts.push(offset);
    streamBytes.push(stream.length);
    typeBytes.push(type.length);
    offset += stream.length + type.length + event.data.length + event.meta.length;
  }
  await client.query({
    name: 'append',
    text: insertSql,
    values: [
      Buffer.concat(parts),
      created,
      formatArrayLiteral(events.map(({ position }) => position)),
      formatArrayLiteral(events.map(({ revision }) => revision)),
      formatArrayLiteral(events.map(({ id }) => id)),
      formatArrayLiteral(events.map(({ isJson }) => isJson)),
      formatArrayLiteral(starts),
      formatArrayLiteral(streamBytes),
      formatArrayLiteral(typeBytes),
      formatArrayLiteral(events.map(({ data }) => data.length)),
      formatArrayLiteral(events.map(({ meta }) => meta.length)),
    ],
  });
};
