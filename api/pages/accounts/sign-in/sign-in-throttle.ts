import type { Request, Response } from 'express';
import { findLimitsJustExceeded } from '../../../../domain/access-log/decide.ts';
import { noteHeldBack } from '../../../access-log/access-notes.ts';
import { getAddressBucket } from '../../../http/rate-limiter.ts';
import { type App, PasswordsBusy } from '../../../ports/app-ports.ts';
import { tooManyAttempts } from '../../../web/page-problem.ts';
import { formatWait } from '../../text/format-times.ts';

const TRIES_WINDOW_MS = 15 * 60_000;
const MAX_TRIES_PER_ACCOUNT_AND_ADDRESS = 10;
const MAX_TRIES_PER_ADDRESS = 50;
/** @see NIST SP 800-63B, "Rate Limiting": at most 100 on a single account */
const MAX_TRIES_PER_ACCOUNT = 100;

export interface CountedAttempt {
  /** Milliseconds until the next attempt is allowed; `null` if this one is. */
  readonly waitMs: number | null;
  /** True if unknown addresses have used up their shared limit; known addresses still work. */
  readonly isBlockedFromUnknownAddresses: boolean;
  /** True if the account recently signed in from this address. */
  readonly isKnownAddress: boolean;
  /** Limits that this attempt is the first to exceed in their windows. */
  readonly justExceeded: readonly ('account' | 'address')[];
  /**
   * Runs a password check. An attempt refused because the server is busy does not count.
   * @throws PasswordsBusy
   */
  check<T>(work: () => Promise<T>): Promise<T>;
  /** Removes a successful attempt from the count, and remembers its address. */
  succeed(): Promise<void>;
}

export interface AttemptLimits extends Pick<App, 'signInLocations' | 'now'> {
  readonly limiterStore: (
    ...limiter: Parameters<App['limiterStore']>
  ) => Pick<ReturnType<App['limiterStore']>, 'increment' | 'decrement'>;
  readonly meters: Pick<App['meters'], 'refused'>;
}

/**
 * Attempts from unknown addresses do not block those from which the account has recently signed in;
 * otherwise, anyone who knows an email could lock its owner out. All unknown addresses together share
 * a limit too low for guessing.
 */
export const createAttemptCounter = ({
  limiterStore,
  signInLocations,
  meters,
  now,
}: AttemptLimits) => {
  const triesOfAccounts = limiterStore('sign-in-account', TRIES_WINDOW_MS);
  const triesOfAddresses = limiterStore('sign-in-address', TRIES_WINDOW_MS);
  return async (req: Request, accountId: string): Promise<CountedAttempt> => {
    const address = getAddressBucket(req);
    const accountAtAddress = `${accountId} ${address}`;
    const [source, isKnown] = await Promise.all([
      triesOfAddresses.increment(address),
      signInLocations.isKnown(accountId, address),
    ]);
    // A whole hospital may share one address: others' errors there do not block known accounts.
    const isAddressBlocked = !isKnown && source.totalHits > MAX_TRIES_PER_ADDRESS;
    // An attempt blocked by address adds no row for the email, which may be made up.
    const atAddress = isAddressBlocked ? null : await triesOfAccounts.increment(accountAtAddress);
    const isBlockedAtAddress = (atAddress?.totalHits ?? 0) > MAX_TRIES_PER_ACCOUNT_AND_ADDRESS;
    // One address alone must not use up the limit that all unknown addresses share.
    const usesSharedLimit = !(isKnown || isBlockedAtAddress || isAddressBlocked);
    const shared = usesSharedLimit ? await triesOfAccounts.increment(accountId) : null;
    const sharedHits = shared?.totalHits ?? 0;
    const isBlockedFromUnknownAddresses = sharedHits > MAX_TRIES_PER_ACCOUNT;
    // The password is not checked, so the attempt does not count against this address.
    if (isBlockedFromUnknownAddresses) await triesOfAccounts.decrement(accountAtAddress);

    if (isBlockedAtAddress || isBlockedFromUnknownAddresses) meters.refused('sign-in-account');
    else if (isAddressBlocked) meters.refused('sign-in-address');
    const ends = [
      ...(isBlockedAtAddress && atAddress !== null ? [atAddress.resetTime] : []),
      ...(isAddressBlocked ? [source.resetTime] : []),
      ...(isBlockedFromUnknownAddresses && shared !== null ? [shared.resetTime] : []),
    ].map((end) => end.getTime());
    const removeFromCount = () =>
      Promise.all([
        triesOfAccounts.decrement(accountAtAddress),
        triesOfAddresses.decrement(address),
        shared === null ? undefined : triesOfAccounts.decrement(accountId),
      ]);
    return {
      waitMs: ends.length === 0 ? null : Math.max(1, Math.max(...ends) - now().getTime()),
      isBlockedFromUnknownAddresses,
      isKnownAddress: isKnown,
      justExceeded: findLimitsJustExceeded({
        attemptsAtAddress: atAddress?.totalHits ?? 0,
        maxAtAddress: MAX_TRIES_PER_ACCOUNT_AND_ADDRESS,
        attemptsFromUnknownAddresses: sharedHits,
        maxFromUnknownAddresses: MAX_TRIES_PER_ACCOUNT,
        attemptsOfAddress: source.totalHits,
        maxOfAddress: MAX_TRIES_PER_ADDRESS,
      }),
      async check(work) {
        try {
          return await work();
        } catch (error) {
          if (error instanceof PasswordsBusy) await removeFromCount();
          throw error;
        }
      },
      async succeed() {
        await Promise.all([removeFromCount(), signInLocations.remember(accountId, address)]);
      },
    };
  };
};

/**
 * Counts as at sign-in, so that no one can guess the password in a browser left signed in.
 * @throws PageProblem 429 after too many
 */
export const createOwnAttemptCounter = (app: App) => {
  const countAttempt = createAttemptCounter(app);
  /** @param outcome sentence without its period: "Nothing has changed" */
  return async (
    req: Request,
    res: Response,
    accountId: string,
    outcome: string,
  ): Promise<Pick<CountedAttempt, 'check' | 'succeed'>> => {
    const attempt = await countAttempt(req, accountId);
    for (const by of attempt.justExceeded) await noteHeldBack(app, res, accountId, by);
    if (attempt.waitMs !== null)
      throw tooManyAttempts(
        `${outcome}. The password was wrong too many times. Wait ${formatWait(attempt.waitMs)}, then try again.`,
        attempt.waitMs,
      );
    return attempt;
  };
};
