import type { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

/** Members missing from the client's public types. */
interface PrivateCalls {
  callArguments(options: object, callOptions?: object): [Metadata, CallOptions];
}

/** Without TLS, the client drops its own credentials, as gRPC does; a header is not dropped. */
export const addAuthorizationHeader = (client: EventStoreDBClient, authorization: string): void => {
  const parts = client as unknown as PrivateCalls;
  const { callArguments } = parts;
  parts.callArguments = (options, callOptions) => {
    const [metadata, settings] = callArguments(options, callOptions);
    metadata.set('authorization', authorization);
    return [metadata, settings];
  };
};
