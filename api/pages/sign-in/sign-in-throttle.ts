import type { Request } from 'express';
import { limitsJustReached } from '../../../domain/access-log/decide.ts';
import { addressBucketOf } from '../../http/rate-limiter.ts';

/** Counts tries of a bucket in a fixed window. */
export interface TryCounter {
  increment(bucket: string): Promise<{ readonly totalHits: number; readonly resetTime: Date }>;
  decrement(bucket: string): Promise<void>;
}

/** Told by which of the two counts a try was not let through. */
export type OnTryRefused = (by: 'sign-in-account' | 'sign-in-address') => void;

/** From where accounts have signed in. @see addressBucketOf */
export interface SignInPlaces {
  isKnown(accountId: string, address: string): Promise<boolean>;
  remember(accountId: string, address: string): Promise<void>;
}

/** What tries are counted with. */
export interface ThrottleParts {
  readonly triesOfAccounts: TryCounter;
  readonly triesOfAddresses: TryCounter;
  readonly places: SignInPlaces;
  readonly onRefused: OnTryRefused;
  readonly now: () => Date;
}

/** Length of the windows in which tries are counted. */
export const TRIES_WINDOW_MS = 15 * 60_000;
const MOST_OF_ACCOUNT_HERE = 10;
const MOST_OF_ADDRESS = 50;
/** @see NIST SP 800-63B, "Rate Limiting": no more than 100 on a single account */
const MOST_OF_ACCOUNT_BY_STRANGERS = 100;
const MINUTE_MS = 60_000;

/** One try to sign in, counted before its password is looked at. */
export interface CountedTry {
  /** Milliseconds until the next try is let through; null: this one is. */
  readonly waitMs: number | null;
  /** Others hold it up, from elsewhere: where the account has signed in before, it still does. */
  readonly isByStrangers: boolean;
  /** The limits that this try is the first to exceed in their windows. */
  readonly justReached: readonly ('account' | 'address')[];
  /** The try was the owner's: it does not count, and the place is known from now on. */
  succeed(): Promise<void>;
}

/**
 * Counts a try for its account, there or not, as tried from its address, and for the address. What
 * is tried from elsewhere holds nobody up where the account has signed in lately: otherwise whoever
 * knows an email could keep its owner out. From all other places together an account takes a number
 * of tries that guessing gets nowhere with.
 */
export const countTriesWith =
  ({ triesOfAccounts, triesOfAddresses, places, onRefused, now }: ThrottleParts) =>
  async (req: Request, accountId: string): Promise<CountedTry> => {
    const address = addressBucketOf(req);
    const accountHere = `${accountId} ${address}`;
    const [here, source, isKnown] = await Promise.all([
      triesOfAccounts.increment(accountHere),
      triesOfAddresses.increment(address),
      places.isKnown(accountId, address),
    ]);
    const isHeldHere = here.totalHits > MOST_OF_ACCOUNT_HERE;
    const isAddressHeld = source.totalHits > MOST_OF_ADDRESS;
    // One address alone must not use up what all strangers have.
    const isStranger = !(isKnown || isHeldHere || isAddressHeld);
    const strangers = isStranger ? await triesOfAccounts.increment(accountId) : null;
    const ofStrangers = strangers?.totalHits ?? 0;
    const isByStrangers = ofStrangers > MOST_OF_ACCOUNT_BY_STRANGERS;
    // Not even looked at: it does not use up what the account has here.
    if (isByStrangers) await triesOfAccounts.decrement(accountHere);

    if (isHeldHere || isByStrangers) onRefused('sign-in-account');
    else if (isAddressHeld) onRefused('sign-in-address');
    const ends = [
      ...(isHeldHere ? [here.resetTime] : []),
      ...(isAddressHeld ? [source.resetTime] : []),
      ...(isByStrangers && strangers !== null ? [strangers.resetTime] : []),
    ].map((end) => end.getTime());
    return {
      waitMs: ends.length === 0 ? null : Math.max(1, Math.max(...ends) - now().getTime()),
      isByStrangers,
      justReached: limitsJustReached({
        ofAccountHere: here.totalHits,
        mostOfAccountHere: MOST_OF_ACCOUNT_HERE,
        ofAccountByStrangers: ofStrangers,
        mostOfAccountByStrangers: MOST_OF_ACCOUNT_BY_STRANGERS,
        ofAddress: source.totalHits,
        mostOfAddress: MOST_OF_ADDRESS,
      }),
      async succeed() {
        await Promise.all([
          triesOfAccounts.decrement(accountHere),
          triesOfAddresses.decrement(address),
          strangers === null ? undefined : triesOfAccounts.decrement(accountId),
          places.remember(accountId, address),
        ]);
      },
    };
  };

/** A wait in words: "14 minutes". */
export const waitText = (waitMs: number): string => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};
