import type { DiscoverEhr } from '../../domain/ehr-launch/ports.ts';

/** What an EHR says of itself seldom changes; one that was in trouble is asked again soon. */
const ANSWER_KEPT_MS = 10 * 60_000;
const TROUBLE_KEPT_MS = 5_000;

/**
 * Asks an EHR once for all launches of a while, and while it is asked nobody asks again. Only the EHRs that
 * the operator has listed are asked: there is one answer for each.
 */
export const discoverOnce = (
  discover: DiscoverEhr,
  nowMs: () => number = () => performance.now(),
): DiscoverEhr => {
  const asked = new Map<string, { readonly answer: ReturnType<DiscoverEhr>; endsAt: number }>();
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
