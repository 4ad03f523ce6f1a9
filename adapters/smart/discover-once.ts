import type { RemoteResult } from '../../domain/remote-result.ts';

type Discover<Server> = (issuer: string) => Promise<RemoteResult<Server>>;

/** Metadata of a server rarely changes. We retry soon after a failure. */
const ANSWER_KEPT_MS = 10 * 60_000;
const TROUBLE_KEPT_MS = 5_000;

/** Only configured issuers are queried, so the cache stays small. */
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
