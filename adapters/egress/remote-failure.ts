import type { RemoteFailure } from '../../domain/remote-result.ts';
import { isTimeout, NoAnswer } from './capped-fetch.ts';

/** What a request that threw says of the EHR. */
export const troubleOf = (cause: unknown): RemoteFailure => {
  if (isTimeout(cause)) return { why: 'late', cause };
  return { why: cause instanceof NoAnswer ? 'unreachable' : 'unfit', cause };
};

/** An answer came and is of no use. */
export const unfit = (): { readonly kind: 'trouble'; readonly trouble: RemoteFailure } => ({
  kind: 'trouble',
  trouble: { why: 'unfit', cause: null },
});
