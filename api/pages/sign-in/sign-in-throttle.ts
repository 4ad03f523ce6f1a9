import type { Request } from 'express';
import { limitsJustReached } from '../../../domain/access-log/decide.ts';
import { addressBucketOf } from '../../http/rate-limiter.ts';

/** Counts tries of a bucket in a fixed window. */
export interface TryCounter {
  increment(bucket: string): Promise<{ readonly totalHits: number; readonly resetTime: Date }>;
  decrement(bucket: string): Promise<void>;
}

/** Length of the windows in which tries are counted. */
export const TRIES_WINDOW_MS = 15 * 60_000;
const MOST_OF_ACCOUNT = 10;
const MOST_OF_ADDRESS = 50;
const MINUTE_MS = 60_000;

/** Told by which of the two counts a try was not let through. */
export type OnTryRefused = (by: 'sign-in-account' | 'sign-in-address') => void;

/** One try to sign in, counted before its password is looked at. */
export interface CountedTry {
  /** Milliseconds until the next try is let through; null: this one is. */
  readonly waitMs: number | null;
  /** The limits that this try is the first to exceed in their windows. */
  readonly justReached: readonly ('account' | 'address')[];
  /** The try was the owner's: it does not count. */
  forget(): Promise<void>;
}

/** Counts a try for its account, there or not, and for the address that it came from. */
export const countTriesWith =
  (ofAccounts: TryCounter, ofAddresses: TryCounter, now: () => Date, onRefused: OnTryRefused) =>
  async (req: Request, accountId: string): Promise<CountedTry> => {
    const address = addressBucketOf(req);
    const [account, source] = await Promise.all([
      ofAccounts.increment(accountId),
      ofAddresses.increment(address),
    ]);
    const isAccountTried = account.totalHits > MOST_OF_ACCOUNT;
    const isAddressTried = source.totalHits > MOST_OF_ADDRESS;
    if (isAccountTried) onRefused('sign-in-account');
    else if (isAddressTried) onRefused('sign-in-address');
    const ends = [
      ...(isAccountTried ? [account.resetTime] : []),
      ...(isAddressTried ? [source.resetTime] : []),
    ].map((end) => end.getTime());
    return {
      waitMs: ends.length === 0 ? null : Math.max(1, Math.max(...ends) - now().getTime()),
      justReached: limitsJustReached({
        ...{ ofAccount: account.totalHits, mostOfAccount: MOST_OF_ACCOUNT },
        ...{ ofAddress: source.totalHits, mostOfAddress: MOST_OF_ADDRESS },
      }),
      async forget() {
        await Promise.all([ofAccounts.decrement(accountId), ofAddresses.decrement(address)]);
      },
    };
  };

/** A wait in words: "14 minutes". */
export const waitText = (waitMs: number): string => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};
