import type { RemoteFailure } from '../../domain/remote-result.ts';
import { isTimeout, NoAnswer } from './capped-fetch.ts';

/** What a request that threw says of the EHR. */
export const toRemoteFailure = (cause: unknown): RemoteFailure => {
  if (isTimeout(cause)) return { why: 'timeout', cause };
  return { why: cause instanceof NoAnswer ? 'unreachable' : 'invalid-response', cause };
};

/** An answer came and is of no use. */
export const invalidResponse = (): {
  readonly kind: 'trouble';
  readonly trouble: RemoteFailure;
} => ({
  kind: 'trouble',
  trouble: { why: 'invalid-response', cause: null },
});
