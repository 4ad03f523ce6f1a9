import { randomBytes } from 'node:crypto';
import { openReconnectingClient } from '../connection/reconnecting-client.ts';

/**
 * A sign of life: an advisory lock on a connection of its own. When the process dies, its
 * connection ends and the lock is free; a frozen process keeps it.
 */
export interface LivenessLock {
  /** Key of the lock, a bigint in text; null while the connection is away. */
  key(): string | null;
  stop(): Promise<void>;
}

/**
 * Shows that this process lives, until it stops. Needs a direct connection: through a pooler the
 * lock would belong to the next user of the session.
 */
export const acquireLivenessLock = async (url: string): Promise<LivenessLock> => {
  let shown: string | null = null;
  const connection = await openReconnectingClient(url, 'presence', {
    async prepare(client) {
      // A new key each time: leases taken under a lost one are free for others.
      const key = randomBytes(8).readBigInt64BE().toString();
      await client.query('select pg_advisory_lock($1)', [key]);
      shown = key;
    },
    lost: () => {
      shown = null;
    },
  });
  return { key: () => shown, stop: connection.stop };
};
