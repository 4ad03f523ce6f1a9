import pg from 'pg';

/** An event of a stream as it lies in the database. */
interface StoredEvent {
  readonly event: { readonly type: string; readonly data: unknown };
  readonly revision: bigint;
}

/**
 * Reads the JSON events of a stream from the tables of the log, for whoever may not start a node on
 * them: it would bring an older build's tables to its own version.
 * @returns none if there is no log yet
 */
export const storedEventsIn =
  (databaseUrl: string) =>
  async (stream: string): Promise<readonly StoredEvent[]> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const { rows: found } = await client.query<{ present: boolean }>(
        `select to_regclass('eventstore.event') is not null as present`,
      );
      if (found[0]?.present !== true) return [];
      const { rows } = await client.query<{ type: string; data: Buffer; revision: string }>(
        `select type, data, revision from eventstore.event
         where stream = $1 and is_json order by revision`,
        [stream],
      );
      return rows.map(({ type, data, revision }) => ({
        event: { type, data: JSON.parse(data.toString('utf8')) },
        revision: BigInt(revision),
      }));
    } finally {
      await client.end();
    }
  };
