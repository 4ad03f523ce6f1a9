import { openNode } from '../../adapters/embedded-eventstore/node.ts';
import type { Faults } from '../../adapters/embedded-eventstore/protocol/fault-injection.ts';
import { createTestDatabase } from './postgres.ts';

/** A log that behaves as EventStoreDB does on a bad day, on a database of its own. */
export interface FaultyLog {
  readonly port: number;
  readonly connectionString: string;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** Starts a node with faults, in this process. */
export const startFaultyLog = async (faults: Faults = {}): Promise<FaultyLog> => {
  const postgres = await createTestDatabase();
  const node = await openNode({
    databaseUrl: postgres.url,
    hostKind: 'service',
    authorization: null,
    onLog: () => undefined,
    faults,
  });
  if (node === null) throw new Error('Another node holds the log.');
  const port = await node.listen(0);
  return {
    port,
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
    databaseUrl: postgres.url,
    async stop() {
      await node.stop();
      await postgres.stop();
    },
  };
};
