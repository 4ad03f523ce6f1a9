import type { Registry } from '../registry/registry.ts';

/** What became of a code that was typed. */
export type ShownFactor =
  | { readonly kind: 'app' | 'recovery-code' }
  | { readonly kind: 'wrong' }
  /** Too many wrong ones: none is looked at before this time, in milliseconds. */
  | { readonly kind: 'wait'; readonly waitMs: number };

/** Wrong codes of an account after which it has to wait, whatever they are. @see RFC 4226, 7.3 */
const MOST_WRONG = 5;
const WINDOW_MS = 15 * 60_000;

/** Checks the code that somebody types who has shown the password of an account; each is good for once. */
export const showSecondFactorWith = ({
  secondFactors,
  timeCodes,
  limiterStore,
  meters,
  now,
}: Pick<Registry, 'secondFactors' | 'timeCodes' | 'limiterStore' | 'meters' | 'now'>) => {
  const tries = limiterStore('second-factor', WINDOW_MS);

  const isRight = async (accountId: string, code: string): Promise<ShownFactor['kind']> => {
    const secret = await secondFactors.secret(accountId);
    const step = secret === null ? null : timeCodes.stepOfTimeCode(secret, code, now());
    if (step !== null) return (await secondFactors.useStep(accountId, step)) ? 'app' : 'wrong';
    const digest = timeCodes.digestOfRecoveryCode(code);
    return (await secondFactors.useRecoveryCode(accountId, digest)) ? 'recovery-code' : 'wrong';
  };

  return async (accountId: string, typed: string): Promise<ShownFactor> => {
    const counted = await tries.increment(accountId);
    if (counted.totalHits > MOST_WRONG) {
      meters.refused('second-factor');
      return { kind: 'wait', waitMs: Math.max(1, counted.resetTime.getTime() - now().getTime()) };
    }
    const kind = await isRight(accountId, typed.replace(/\s/g, ''));
    if (kind === 'wrong' || kind === 'wait') return { kind: 'wrong' };
    await tries.resetKey(accountId);
    return { kind };
  };
};
