import type { Request } from 'express';
import { findLimitsJustReached } from '../../../domain/access-log/decide.ts';
import { getAddressBucket } from '../../http/rate-limiter.ts';
import type { App } from '../../ports/app-ports.ts';

/** Length of the windows in which tries are counted. */
const TRIES_WINDOW_MS = 15 * 60_000;
const MAX_TRIES_PER_ACCOUNT_AND_ADDRESS = 10;
const MAX_TRIES_PER_ADDRESS = 50;
/** @see NIST SP 800-63B, "Rate Limiting": no more than 100 on a single account */
const MAX_TRIES_PER_ACCOUNT = 100;
const MINUTE_MS = 60_000;

/** One try to sign in, counted before its password is looked at. */
export interface CountedTry {
  /** Milliseconds until the next try is let through; null: this one is. */
  readonly waitMs: number | null;
  /** Others hold it up, from elsewhere: where the account has signed in before, it still does. */
  readonly isByStrangers: boolean;
  /** The account has signed in from there lately. */
  readonly isKnownPlace: boolean;
  /** The limits that this try is the first to exceed in their windows. */
  readonly justReached: readonly ('account' | 'address')[];
  /** The try was the owner's: it does not count, and the place is known from now on. */
  succeed(): Promise<void>;
}

/** What tries are counted with. */
export interface TryLimits extends Pick<App, 'signInPlaces' | 'now'> {
  readonly limiterStore: (
    ...limiter: Parameters<App['limiterStore']>
  ) => Pick<ReturnType<App['limiterStore']>, 'increment' | 'decrement'>;
  readonly meters: Pick<App['meters'], 'refused'>;
}

/**
 * Counts a try for its account, there or not, as tried from its address, and for the address. What
 * is tried from elsewhere does not hold up sign-in where the account has signed in lately: otherwise a
 * stranger who knows an email could keep its owner out. From all other places together an account takes a number
 * of tries that guessing gets nowhere with.
 */
export const countTriesWith = ({ limiterStore, signInPlaces, meters, now }: TryLimits) => {
  const triesOfAccounts = limiterStore('sign-in-account', TRIES_WINDOW_MS);
  const triesOfAddresses = limiterStore('sign-in-address', TRIES_WINDOW_MS);
  return async (req: Request, accountId: string): Promise<CountedTry> => {
    const address = getAddressBucket(req);
    const accountHere = `${accountId} ${address}`;
    const [source, isKnown] = await Promise.all([
      triesOfAddresses.increment(address),
      signInPlaces.isKnown(accountId, address),
    ]);
    // A whole hospital may come from one address: what others there mistype does not stop who is known there.
    const isAddressHeld = !isKnown && source.totalHits > MAX_TRIES_PER_ADDRESS;
    // Who is held by the address leaves no row for each email that they make up.
    const here = isAddressHeld ? null : await triesOfAccounts.increment(accountHere);
    const isHeldHere = (here?.totalHits ?? 0) > MAX_TRIES_PER_ACCOUNT_AND_ADDRESS;
    // One address alone must not use up what all strangers have.
    const isStranger = !(isKnown || isHeldHere || isAddressHeld);
    const throttle = isStranger ? await triesOfAccounts.increment(accountId) : null;
    const ofStrangers = throttle?.totalHits ?? 0;
    const isByStrangers = ofStrangers > MAX_TRIES_PER_ACCOUNT;
    // Not even looked at: it does not use up what the account has here.
    if (isByStrangers) await triesOfAccounts.decrement(accountHere);

    if (isHeldHere || isByStrangers) meters.refused('sign-in-account');
    else if (isAddressHeld) meters.refused('sign-in-address');
    const ends = [
      ...(isHeldHere && here !== null ? [here.resetTime] : []),
      ...(isAddressHeld ? [source.resetTime] : []),
      ...(isByStrangers && throttle !== null ? [throttle.resetTime] : []),
    ].map((end) => end.getTime());
    return {
      waitMs: ends.length === 0 ? null : Math.max(1, Math.max(...ends) - now().getTime()),
      isByStrangers,
      isKnownPlace: isKnown,
      justReached: findLimitsJustReached({
        ofAccountHere: here?.totalHits ?? 0,
        mostOfAccountHere: MAX_TRIES_PER_ACCOUNT_AND_ADDRESS,
        ofAccountElsewhere: ofStrangers,
        maxOfAccountElsewhere: MAX_TRIES_PER_ACCOUNT,
        ofAddress: source.totalHits,
        mostOfAddress: MAX_TRIES_PER_ADDRESS,
      }),
      async succeed() {
        await Promise.all([
          triesOfAccounts.decrement(accountHere),
          triesOfAddresses.decrement(address),
          throttle === null ? undefined : triesOfAccounts.decrement(accountId),
          signInPlaces.remember(accountId, address),
        ]);
      },
    };
  };
};

/** A wait in words: "14 minutes". */
export const waitText = (waitMs: number): string => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};
