import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * A sign of life: an advisory lock on a connection of its own. When the process dies, its
 * connection ends and the lock is free; a frozen process keeps it.
 */
export interface Presence {
  /** Key of the lock, a bigint in text; null while the connection is away. */
  key(): string | null;
  stop(): Promise<void>;
}

const RECONNECT_MS = 250;

/**
 * Shows that this process lives, until it stops. Needs a direct connection: through a pooler the
 * lock would belong to the next user of the session.
 */
export const showPresence = async (url: string): Promise<Presence> => {
  let shown: { readonly key: string; readonly client: pg.Client } | null = null;
  let isStopping = false;
  let reconnect: NodeJS.Timeout | undefined;

  const show = async (): Promise<void> => {
    // A new key each time: leases taken under a lost one are free for others.
    const key = randomBytes(8).readBigInt64BE().toString();
    const client = new pg.Client({ connectionString: url, application_name: 'presence' });
    client.on('error', () => undefined);
    client.on('end', () => {
      shown = null;
      if (!isStopping) again();
    });
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [key]);
    shown = { key, client };
  };
  const again = () => {
    clearTimeout(reconnect);
    reconnect = setTimeout(() => {
      show().catch(again);
    }, RECONNECT_MS);
  };

  await show();
  return {
    key: () => shown?.key ?? null,
    async stop() {
      isStopping = true;
      clearTimeout(reconnect);
      await shown?.client.end();
    },
  };
};
