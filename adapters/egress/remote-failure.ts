import type { RemoteFailure } from '../../domain/remote-result.ts';
import { isTimeout, NoAnswer } from './capped-fetch.ts';

export const toRemoteFailure = (cause: unknown): RemoteFailure => {
  if (isTimeout(cause)) return { why: 'timeout', cause };
  return { why: cause instanceof NoAnswer ? 'unreachable' : 'invalid-response', cause };
};

export const invalidResponse = (): {
  readonly kind: 'failure';
  readonly failure: RemoteFailure;
} => ({
  kind: 'failure',
  failure: { why: 'invalid-response', cause: null },
});
