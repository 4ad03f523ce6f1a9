import type { RemoteFailure } from '../../domain/remote-result.ts';
import { isTimeout, NoAnswer } from './capped-fetch.ts';

/** Converts the error of a request to a failure of the remote server. */
export const toRemoteFailure = (cause: unknown): RemoteFailure => {
  if (isTimeout(cause)) return { why: 'timeout', cause };
  return { why: cause instanceof NoAnswer ? 'unreachable' : 'invalid-response', cause };
};

/** Failure for an unusable response. */
export const invalidResponse = (): {
  readonly kind: 'trouble';
  readonly trouble: RemoteFailure;
} => ({
  kind: 'trouble',
  trouble: { why: 'invalid-response', cause: null },
});
