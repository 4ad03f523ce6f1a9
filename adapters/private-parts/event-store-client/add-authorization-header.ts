import type { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

/** What is not in the client's public types. */
interface PrivateCalls {
  callArguments(options: object, callOptions?: object): [Metadata, CallOptions];
}

/**
 * Lets a client show itself with every call. It has credentials of its own, and drops them without
 * TLS, as gRPC does; a header goes through.
 * @param authorization value of the header `authorization`
 */
export const addAuthorizationHeader = (client: EventStoreDBClient, authorization: string): void => {
  const parts = client as unknown as PrivateCalls;
  const { callArguments } = parts;
  parts.callArguments = (options, callOptions) => {
    const [metadata, settings] = callArguments(options, callOptions);
    metadata.set('authorization', authorization);
    return [metadata, settings];
  };
};
