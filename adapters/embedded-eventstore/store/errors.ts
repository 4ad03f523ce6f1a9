import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { MalformedMessage } from '../../protobuf/message-reader.ts';

/** Maximum size of an append with data, metadata, and types: 1 MiB, the server's default. */
export const MAX_APPEND_BYTES = 1_048_576;

/** The log is temporarily unreachable or not writable. The same request may succeed later. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/** Malformed request. The message names the part but never quotes it. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
}

export class StreamDeleted extends Error {
  override readonly name = 'StreamDeleted';
  readonly stream: string;

  constructor(stream: string) {
    super('Stream is deleted');
    this.stream = stream;
  }
}

/** Read that ends with a code and message of EventStoreDB. */
export class ReadEnded extends Error {
  override readonly name = 'ReadEnded';
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

export type Outcome =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'nothing-written' }
  | { readonly kind: 'wrong-version'; readonly current: bigint }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'failed' };

export type Refusal = Exclude<Outcome, { kind: 'written' } | { kind: 'nothing-written' }>;

// Trailers allow only printable ASCII, and the client does not decode them.
const trailerText = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));

/** gRPC failure. The client turns the trailer `exception` into a typed error. */
const grpcFailure = (
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): Pick<ServiceError, 'code' | 'details' | 'metadata'> => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, trailerText(value));
  return { code, details, metadata };
};

/** Failure of every call while the node drains or has lost its database. */
export const unavailable = () => grpcFailure(status.UNAVAILABLE, 'The event log is not available');

/** Failure of an unauthenticated call, with the real server's code. */
export const unauthenticated = () => grpcFailure(status.UNAUTHENTICATED, 'Unauthenticated');

export const buildRefusalFailure = (refusal: Refusal, stream: string, expected: bigint) => {
  switch (refusal.kind) {
    case 'wrong-version':
      return grpcFailure(status.FAILED_PRECONDITION, 'Wrong expected version', {
        exception: 'wrong-expected-version',
        'stream-name': stream,
        'expected-version': String(expected),
        ...(refusal.current < 0n ? {} : { 'actual-version': String(refusal.current) }),
      });
    case 'deleted':
      return grpcFailure(status.FAILED_PRECONDITION, 'Stream is deleted', {
        exception: 'stream-deleted',
        'stream-name': stream,
      });
    case 'too-large':
      return grpcFailure(status.INVALID_ARGUMENT, 'Maximum append size exceeded', {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(MAX_APPEND_BYTES),
      });
    case 'timeout':
      return grpcFailure(status.ABORTED, 'Operation timed out');
    case 'invalid':
      return grpcFailure(status.INVALID_ARGUMENT, refusal.message);
    case 'unavailable':
      return unavailable();
    case 'failed':
      return grpcFailure(status.UNKNOWN, 'The append failed');
  }
};

/** Converts a thrown error to a gRPC failure. Never includes messages of the database. */
export const thrownFailure = (thrown: unknown) => {
  if (thrown instanceof MalformedMessage) {
    return grpcFailure(
      status.INVALID_ARGUMENT,
      'A part of the request is not a valid protobuf message',
    );
  }
  if (thrown instanceof InvalidRequest) {
    return grpcFailure(status.INVALID_ARGUMENT, thrown.message);
  }
  if (thrown instanceof ReadEnded) return grpcFailure(thrown.code, thrown.message);
  if (thrown instanceof StreamDeleted) {
    return buildRefusalFailure({ kind: 'deleted' }, thrown.stream, 0n);
  }
  return unavailable();
};

/** Class and code of an error, the only parts that we may log. */
export const describeError = (thrown: unknown): { error: string; code?: string } => {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const code = 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? { error: thrown.name, code } : { error: thrown.name };
};
