import type { Pool, QueryResult } from 'pg';
import { NO_STREAM } from './decide.ts';
import type { RecordedEvent, StoredEvent } from './event.ts';
import { type Head, parseMetadata, type Visible } from './heads.ts';
import { COLUMNS } from './schema.ts';

/** Maximum number of events in a page. A second limit applies to its bytes. */
export const PAGE_EVENTS = 512;
const PAGE_BYTES = 256 * 1024;

/** Events in the requested order. `hasMore` is true if there may be more. */
export interface Page {
  readonly events: readonly RecordedEvent[];
  readonly hasMore: boolean;
}

export type Direction = 'forwards' | 'backwards';

const asText = { getTypeParser: () => (value: string) => value };

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

const asEvent = (row: readonly string[]): RecordedEvent => {
  const [position, stream, revision, id, type, isJson, data, meta, created] = row;
  return {
    position: BigInt(position ?? ''),
    stream: stream ?? '',
    revision: BigInt(revision ?? ''),
    id: id ?? '',
    type: type ?? '',
    isJson: isJson === 't',
    data: bytes(data ?? ''),
    meta: bytes(meta ?? ''),
    created: BigInt(created ?? ''),
  };
};

// Computes the running size before fetching values, so that a page of large events stays small:
// includes the first event, and others while the sum before them is within the limit.
const pageSql = (where: string, order: string): string => `
select ${COLUMNS} from (
  select ${COLUMNS}, octet_length(data) + octet_length(meta) as size,
    sum(octet_length(data) + octet_length(meta)) over (order by ${order} rows unbounded preceding)
      as running
  from (
    select ${COLUMNS} from eventstore.event where ${where} order by ${order} limit $1
  ) as found
) as page
where running - size < ${PAGE_BYTES} order by ${order}`;

const allForwards = pageSql('position > $2 and position <= $3', 'position');
const allBackwards = pageSql('position < $2', 'position desc');
const streamForwards = pageSql(
  'stream = $4 and revision > $2 and position <= $3 and created >= $5',
  'revision',
);
const streamBackwards = pageSql(
  'stream = $4 and revision < $2 and position <= $3 and created >= $5 and revision >= $6',
  'revision desc',
);

const asPage = (result: QueryResult<string[]>, limit: number): Page => {
  const events = result.rows.map(asEvent);
  const size = events.reduce((sum, { data, meta }) => sum + data.length + meta.length, 0);
  return { events, hasMore: events.length === limit || size >= PAGE_BYTES };
};

/** Reads bounded pages of the log. The bounds are committed positions. */
export class Reader {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Events of all streams above `after`, up to and including `upTo`. */
  allForwards(after: bigint, upTo: bigint, limit: number): Promise<Page> {
    return this.#page('all-forwards', allForwards, limit, [after, upTo]);
  }

  /** Events of all streams below `before`, newest first. */
  allBackwards(before: bigint, limit: number): Promise<Page> {
    return this.#page('all-backwards', allBackwards, limit, [before]);
  }

  /** Events of a stream with revisions above `after`, at positions up to and including `upTo`. */
  streamForwards(
    stream: string,
    after: bigint,
    upTo: bigint,
    visible: Visible,
    limit: number,
  ): Promise<Page> {
    const above = after >= visible.fromRevision ? after : visible.fromRevision - 1n;
    const values = [above, upTo, stream, visible.fromCreated];
    return this.#page('stream-forwards', streamForwards, limit, values);
  }

  /** Events of a stream with revisions below `before`, newest first. */
  streamBackwards(
    stream: string,
    before: bigint,
    upTo: bigint,
    visible: Visible,
    limit: number,
  ): Promise<Page> {
    const values = [before, upTo, stream, visible.fromCreated, visible.fromRevision];
    return this.#page('stream-backwards', streamBackwards, limit, values);
  }

  /** Finds the events in revision ranges, to recognize retried appends. */
  async storedAt(
    ranges: readonly { stream: string; from: bigint; to: bigint }[],
  ): Promise<(stream: string, revision: bigint) => StoredEvent | undefined> {
    const result = await this.#pool.query<string[]>({
      name: 'stored-at',
      text: `select e.stream, e.revision, e.id, e.position
        from unnest($1::text[], $2::bigint[], $3::bigint[]) as r (stream, first, last)
        join eventstore.event e
          on e.stream = r.stream collate "C" and e.revision between r.first and r.last`,
      values: [
        ranges.map(({ stream }) => stream),
        ranges.map(({ from }) => String(from)),
        ranges.map(({ to }) => String(to)),
      ],
      rowMode: 'array',
      types: asText,
    });
    const events = new Map(
      result.rows.map(([stream = '', revision = '', id = '', position = '']) => [
        `${revision} ${stream}`,
        { id, stream, revision: BigInt(revision), position: BigInt(position) },
      ]),
    );
    return (stream, revision) => events.get(`${revision} ${stream}`);
  }

  async heads(streams: readonly string[]): Promise<Head[]> {
    const result = await this.#pool.query<(string | null)[]>({
      name: 'heads',
      text: `select h.revision, m.revision, m.data
        from unnest($1::text[]) with ordinality as n (stream, place)
        left join lateral (
          select revision from eventstore.event e where e.stream = n.stream collate "C"
          order by e.revision desc limit 1
        ) h on true
        left join lateral (
          select revision, data from eventstore.event e
          where e.stream = ('$$' || n.stream) collate "C"
          order by e.revision desc limit 1
        ) m on true
        order by n.place`,
      values: [streams],
      rowMode: 'array',
      types: asText,
    });
    return result.rows.map(([revision, metaRevision, metadata]) => ({
      revision: BigInt(revision ?? NO_STREAM),
      metaRevision: BigInt(metaRevision ?? NO_STREAM),
      metadata: metadata == null ? null : parseMetadata(bytes(metadata).toString('utf8')),
    }));
  }

  async #page(
    name: string,
    text: string,
    limit: number,
    values: readonly (bigint | string)[],
  ): Promise<Page> {
    const result = await this.#pool.query<string[]>({
      name,
      text,
      values: [String(limit), ...values.map(String)],
      rowMode: 'array',
      types: asText,
    });
    return asPage(result, limit);
  }
}
