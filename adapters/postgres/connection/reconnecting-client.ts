import pg from 'pg';
import { ping } from '../../package-internals/postgres-driver/ping.ts';

const RECONNECT_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
/** A half-open connection raises no error, so it ends if a heartbeat is not answered. */
const HEARTBEAT_INTERVAL_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

export interface ReconnectingClient {
  stop(): Promise<void>;
}

/**
 * Connects, and reconnects shortly after each end, until stopped. Ends a connection that no longer
 * responds.
 * @param name application name for administrators
 * @param prepare runs on each new connection before it counts as connected
 * @param lost called after the end of each connection
 * @param beat called with each heartbeat
 * @param mayConnectLater does not wait for the first connection if it fails
 * @throws the error of the first connection attempt, unless it may connect later
 */
export const openReconnectingClient = async (
  url: string,
  name: string,
  {
    prepare,
    lost = () => undefined,
    beat = () => undefined,
    mayConnectLater = false,
  }: {
    readonly prepare: (client: pg.Client) => Promise<void>;
    readonly lost?: () => void;
    readonly beat?: () => void;
    readonly mayConnectLater?: boolean;
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
      ping(client).catch(end);
      beat();
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
    if (mayConnectLater) return again();
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
