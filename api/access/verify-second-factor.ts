import type { App } from '../ports/app-ports.ts';

type Passkeys = App['passkeys'];

export type TypedFactor =
  | { readonly kind: 'code'; readonly code: string }
  | ({ readonly kind: 'passkey' } & Parameters<Passkeys['verifyPasskey']>[0]);

export type SecondFactorResult =
  | { readonly kind: 'app' | 'recovery-code' | 'passkey' }
  /** `copied` if the passkey's use count went backwards. */
  | { readonly kind: 'wrong' | 'copied' }
  /** Milliseconds in which all attempts are refused. */
  | { readonly kind: 'wait'; readonly waitMs: number };

type Checked = Exclude<SecondFactorResult['kind'], 'wait'>;

/** @see RFC 4226, 7.3 */
const MAX_WRONG_ATTEMPTS = 5;
const WINDOW_MS = 15 * 60_000;

/** Each code works once. */
export const createVerifySecondFactor = ({
  secondFactors,
  passkeys,
  timeCodes,
  limiterStore,
  meters,
  now,
}: Pick<App, 'secondFactors' | 'passkeys' | 'timeCodes' | 'limiterStore' | 'meters' | 'now'>) => {
  const tries = limiterStore('second-factor', WINDOW_MS);

  const checkCode = async (accountId: string, code: string): Promise<Checked> => {
    const secret = await secondFactors.secret(accountId);
    const step = secret === null ? null : timeCodes.findTimeCodeStep(secret, code, now());
    if (step !== null) return (await secondFactors.useStep(accountId, step)) ? 'app' : 'wrong';
    const digest = timeCodes.hashRecoveryCode(code);
    return (await secondFactors.useRecoveryCode(accountId, digest)) ? 'recovery-code' : 'wrong';
  };

  const checkPasskey = async (
    accountId: string,
    sent: Parameters<Passkeys['verifyPasskey']>[0],
  ): Promise<Checked> => {
    const use = await passkeys.verifyPasskey(sent, await passkeys.list(accountId));
    if (use === null) return 'wrong';
    return (await passkeys.use(accountId, use)) ? 'passkey' : 'copied';
  };

  return async (accountId: string, typed: TypedFactor): Promise<SecondFactorResult> => {
    const counted = await tries.increment(accountId);
    if (counted.totalHits > MAX_WRONG_ATTEMPTS) {
      meters.refused('second-factor');
      return { kind: 'wait', waitMs: Math.max(1, counted.resetTime.getTime() - now().getTime()) };
    }
    const kind =
      typed.kind === 'code'
        ? await checkCode(accountId, typed.code.replace(/\s/g, ''))
        : await checkPasskey(accountId, typed);
    if (kind === 'wrong' || kind === 'copied') return { kind };
    await tries.resetKey(accountId);
    return { kind };
  };
};
