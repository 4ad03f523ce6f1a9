import type { RemoteResult } from '../../domain/remote-result.ts';

type Discover<Server> = (issuer: string) => Promise<RemoteResult<Server>>;

/** Metadata of a server rarely changes. We retry soon after a failure. */
const ANSWER_TTL_MS = 10 * 60_000;
const FAILURE_TTL_MS = 5_000;

/** Only configured issuers are queried, so the cache stays small. */
export const discoverOnce = <Server>(
  discover: Discover<Server>,
  nowMs: () => number = () => performance.now(),
): Discover<Server> => {
  const cache = new Map<
    string,
    { readonly answer: Promise<RemoteResult<Server>>; endsAt: number }
  >();
  return (issuer) => {
    const current = cache.get(issuer);
    if (current !== undefined && nowMs() < current.endsAt) return current.answer;
    const entry = { answer: discover(issuer), endsAt: Number.POSITIVE_INFINITY };
    cache.set(issuer, entry);
    entry.answer.then(
      ({ kind }) => {
        entry.endsAt = nowMs() + (kind === 'failure' ? FAILURE_TTL_MS : ANSWER_TTL_MS);
      },
      () => cache.delete(issuer),
    );
    return entry.answer;
  };
};
