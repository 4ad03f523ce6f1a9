import { EventStoreDBClient } from '@eventstore/db-client';
import type { Client as GrpcClient } from '@grpc/grpc-js';

type Listener = (...values: never[]) => unknown;

interface AppendStream {
  on(event: string, listener: Listener): AppendStream;
}

type CreateStream = (
  grpc: unknown,
  name: string,
  creator: (client: GrpcClient) => unknown,
  cache?: unknown,
) => () => Promise<unknown>;

/**
 * The client, made safe against answers that nobody waits for. It keeps the pending appends of all
 * its streams in one place and forgets them all when any stream breaks; the answer of a healthy
 * stream to a forgotten append then throws inside a stream's listener and would end the process.
 * The append itself is not lost: it was rejected when it was forgotten, and is tried again.
 * @see docs/decisions/2026-11-20-event-log-and-embedded-node.md
 */
export const guardedClient = (connectionString: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  const parts = client as unknown as { GRPCStreamCreator: CreateStream };
  const create = parts.GRPCStreamCreator;
  parts.GRPCStreamCreator = (grpc, name, creator, cache) =>
    create(grpc, name, (made) => creator(name === 'appendToStream' ? guarded(made) : made), cache);
  return client;
};

/** The gRPC client with its append stream guarded; everything else is as it was. */
const guarded = (client: GrpcClient): GrpcClient =>
  new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== 'batchAppend') return value.bind(target);
      return (...values: readonly unknown[]) => guardAnswers(value.apply(target, values));
    },
  });

const guardAnswers = (stream: AppendStream): AppendStream => {
  const listen = stream.on.bind(stream);
  stream.on = (event, listener) => listen(event, event === 'data' ? forgiving(listener) : listener);
  return stream;
};

const forgiving =
  (listener: Listener): Listener =>
  (...values) => {
    try {
      return listener(...values);
    } catch (error) {
      // What the client throws when the append of an answer is not known to it any more.
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  };
