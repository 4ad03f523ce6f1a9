import type { RemoteResult } from '../../domain/remote-result.ts';

/** Asks a server what it is. @param issuer one of those that were set up */
type Discover<Server> = (issuer: string) => Promise<RemoteResult<Server>>;

/** What a server says of itself seldom changes; one that was in trouble is asked again soon. */
const ANSWER_KEPT_MS = 10 * 60_000;
const TROUBLE_KEPT_MS = 5_000;

/**
 * Asks a server once for all launches, or sign-ins, of a while, and while it is asked nobody asks again.
 * Only those that were set up are asked: there is one answer for each.
 */
export const discoverOnce = <Server>(
  discover: Discover<Server>,
  nowMs: () => number = () => performance.now(),
): Discover<Server> => {
  const asked = new Map<
    string,
    { readonly answer: Promise<RemoteResult<Server>>; endsAt: number }
  >();
  return (issuer) => {
    const held = asked.get(issuer);
    if (held !== undefined && nowMs() < held.endsAt) return held.answer;
    const entry = { answer: discover(issuer), endsAt: Number.POSITIVE_INFINITY };
    asked.set(issuer, entry);
    entry.answer.then(
      ({ kind }) => {
        entry.endsAt = nowMs() + (kind === 'trouble' ? TROUBLE_KEPT_MS : ANSWER_KEPT_MS);
      },
      () => asked.delete(issuer),
    );
    return entry.answer;
  };
};
