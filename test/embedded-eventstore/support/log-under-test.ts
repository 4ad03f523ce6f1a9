import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  EventStoreDBClient,
  type JSONEventData,
  type JSONEventType,
  jsonEvent,
} from '@eventstore/db-client';
import { nanoid } from 'nanoid';
import {
  type EmbeddedEventStore,
  hostEventStore,
} from '../../../adapters/embedded-eventstore/host.ts';
import { addAuthorizationHeader } from '../../../adapters/package-internals/event-store-client/create-log-client.ts';
import type { LogAddress } from '../../../adapters/package-internals/event-store-client/log-address.ts';
import { startTestPostgres } from '../../harness/postgres.ts';

/** The log that a suite talks to. */
export interface LogUnderTest extends LogAddress {
  /** Present where the suite owns the node. */
  readonly own: OwnNode | null;
  stop(): Promise<void>;
}

/** What a suite may do with a node of its own. */
export interface OwnNode {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Lines that the host and its node have logged. */
  readonly lines: readonly Record<string, unknown>[];
  /** Process id of the node. */
  pid(): Promise<number>;
  /** Stops the node and starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops the node, and leaves the database. */
  stopNode(): Promise<void>;
}

/** The log named by `EVENTSTORE_URL`, else an embedded node on a throw-away Postgres. */
export const startLog = async (): Promise<LogUnderTest> => {
  const named = process.env['EVENTSTORE_URL'];
  return named === undefined || named === ''
    ? startOwnLog()
    : { connectionString: named, own: null, stop: async () => undefined };
};

/**
 * An embedded node on a throw-away Postgres.
 * @param port makes it a node that asks nobody who they are
 */
export const startOwnLog = async (
  port?: number,
): Promise<LogUnderTest & { readonly own: OwnNode }> => {
  const postgres = await startTestPostgres();
  const lines: Record<string, unknown>[] = [];
  const host = () =>
    hostEventStore({
      databaseUrl: postgres.url,
      dataDir: postgres.directory,
      hostKind: 'service',
      onLog: (line) => lines.push({ ...line }),
      ...(port === undefined ? {} : { port }),
    });
  let store: EmbeddedEventStore = await host();
  return {
    connectionString: store.connectionString,
    authorization: store.authorization,
    own: {
      databaseUrl: postgres.url,
      dataDir: postgres.directory,
      lines,
      pid: () => nodePid(postgres.directory),
      restart: async () => {
        await store.stop();
        store = await host();
      },
      stopNode: () => store.stop(),
    },
    stop: async () => {
      await store.stop();
      await postgres.stop();
    },
  };
};

/** The client as it is, let in where the log asks for it. */
export const connect = ({ connectionString, authorization }: LogAddress): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  if (authorization !== undefined) addAuthorizationHeader(client, authorization);
  return client;
};

/** Process id of the node that a directory names. */
export const nodePid = async (dataDir: string): Promise<number> => {
  const content: unknown = JSON.parse(await readFile(join(dataDir, 'eventstore.json'), 'utf8'));
  return typeof content === 'object' && content !== null && 'pid' in content
    ? Number(content.pid)
    : 0;
};

/** A stream name that no other test uses. */
export const uniqueStream = (prefix: string): string => `${prefix}-${nanoid(12)}`;

/** An event with some data, under the id given or a new one. */
export const tried = (
  data: Record<string, string | number> = {},
  options: { id?: string; type?: string } = {},
): JSONEventData<JSONEventType> => jsonEvent({ type: 'Tried', data, ...options });

/** Everything an iterable yields. */
export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** The error a promise rejects with; fails when it resolves. */
export const rejection = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
    throw thrown;
  }
  throw new Error('Expected a rejection');
};
