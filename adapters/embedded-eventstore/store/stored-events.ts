import { withClient } from './connections.ts';
import { hasTable } from './schema.ts';

interface StoredEvent {
  readonly event: { readonly type: string; readonly data: unknown };
  readonly stream: string;
  readonly revision: bigint;
}

/** For processes that must not start a node: it would upgrade older tables. Empty if there is no log. */
export const readStoredEvents =
  (databaseUrl: string) =>
  (stream: string): Promise<readonly StoredEvent[]> =>
    eventsWhere(databaseUrl, 'stream = $1', [stream]);

export const readStoredEventsUnder =
  (databaseUrl: string) =>
  (prefix: string): Promise<readonly StoredEvent[]> =>
    eventsWhere(databaseUrl, 'stream >= $1 and stream < $2', [prefix, after(prefix)]);

/** First text in byte order after all texts with an ASCII prefix. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

const eventsWhere = (
  databaseUrl: string,
  condition: string,
  values: readonly string[],
): Promise<readonly StoredEvent[]> =>
  withClient(databaseUrl, async (client) => {
    if (!(await hasTable(client, 'eventstore.event'))) return [];
    const { rows } = await client.query<{
      type: string;
      data: Buffer;
      stream: string;
      revision: string;
    }>(
      `select type, data, stream, revision from eventstore.event
       where ${condition} and is_json order by stream, revision`,
      [...values],
    );
    return rows.map(({ type, data, stream, revision }) => ({
      event: { type, data: JSON.parse(data.toString('utf8')) },
      stream,
      revision: BigInt(revision),
    }));
  });
