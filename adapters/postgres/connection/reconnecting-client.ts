import pg from 'pg';

const RECONNECT_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that is half open says nothing: it is asked so often, and counts as ended without an answer. */
const HEARTBEAT_INTERVAL_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** A connection of its own that is made anew whenever it ends. */
export interface ReconnectingClient {
  stop(): Promise<void>;
}

/**
 * Connects, and again a quarter of a second after each end, until it is stopped. A connection on which nothing
 * comes back any more is ended.
 * @param name how the connection is shown to administrators
 * @param prepare called with each new connection, before it counts; `lost` when it has ended
 * @throws what the first connection fails for
 */
export const openReconnectingClient = async (
  url: string,
  name: string,
  {
    prepare,
    lost = () => undefined,
  }: {
    readonly prepare: (client: pg.Client) => Promise<void>;
    readonly lost?: () => void;
  },
): Promise<ReconnectingClient> => {
  let current: pg.Client | null = null;
  let isStopping = false;
  let reconnect: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    const end = () => client.end().catch(() => undefined);
    const heartbeat = setInterval(() => {
      client.query('select 1').catch(end);
    }, HEARTBEAT_INTERVAL_MS);
    client.on('error', () => undefined);
    client.on('end', () => {
      clearInterval(heartbeat);
      current = null;
      lost();
      if (!isStopping) again();
    });
    await client.connect();
    current = client;
    try {
      await prepare(client);
    } catch (error) {
      await client.end();
      throw error;
    }
  };
  const again = () => {
    clearTimeout(reconnect);
    reconnect = setTimeout(() => {
      connect().catch(again);
    }, RECONNECT_MS);
  };

  await connect().catch((error: unknown) => {
    isStopping = true;
    clearTimeout(reconnect);
    throw error;
  });
  return {
    async stop() {
      isStopping = true;
      clearTimeout(reconnect);
      await current?.end();
    },
  };
};
