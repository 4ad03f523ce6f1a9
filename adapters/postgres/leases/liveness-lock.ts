import { randomBytes } from 'node:crypto';
import { openReconnectingClient } from '../connection/reconnecting-client.ts';

/** When the process dies, its connection ends and the lock is free. A frozen process keeps it. */
export interface LivenessLock {
  /** Key of the lock, a bigint as text, or `null` while disconnected. */
  key(): string | null;
  stop(): Promise<void>;
}

/** Needs a direct connection: with a pooler, the lock would pass to the next user of the session. */
export const acquireLivenessLock = async (url: string): Promise<LivenessLock> => {
  let currentKey: string | null = null;
  const connection = await openReconnectingClient(url, 'presence', {
    async prepare(client) {
      // A new key each time: leases under a lost lock are free for others.
      const key = randomBytes(8).readBigInt64BE().toString();
      await client.query('select pg_advisory_lock($1)', [key]);
      currentKey = key;
    },
    lost: () => {
      currentKey = null;
    },
  });
  return { key: () => currentKey, stop: connection.stop };
};
