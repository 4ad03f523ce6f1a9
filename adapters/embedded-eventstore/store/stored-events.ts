import pg from 'pg';

/** An event of a stream as it lies in the database. */
interface StoredEvent {
  readonly event: { readonly type: string; readonly data: unknown };
  readonly stream: string;
  readonly revision: bigint;
}

/**
 * Reads the JSON events of a stream from the tables of the log, for processes that may not start a node on
 * them: it would bring an older build's tables to its own version.
 * @returns none if there is no log yet
 */
export const readStoredEvents =
  (databaseUrl: string) =>
  (stream: string): Promise<readonly StoredEvent[]> =>
    eventsWhere(databaseUrl, 'stream = $1', [stream]);

/** The same of all streams whose name begins so, each stream in order. */
export const readStoredEventsUnder =
  (databaseUrl: string) =>
  (prefix: string): Promise<readonly StoredEvent[]> =>
    eventsWhere(databaseUrl, 'stream >= $1 and stream < $2', [prefix, after(prefix)]);

/** The first text in the order of bytes that does not begin with a prefix of ASCII characters. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

const eventsWhere = async (
  databaseUrl: string,
  condition: string,
  values: readonly string[],
): Promise<readonly StoredEvent[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: found } = await client.query<{ present: boolean }>(
      `select to_regclass('eventstore.event') is not null as present`,
    );
    if (found[0]?.present !== true) return [];
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
  } finally {
    await client.end();
  }
};
