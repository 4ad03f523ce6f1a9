import { createHash } from 'node:crypto';
import type { AllowsAddress } from '../access/address-ranges.ts';

/** Tokens that were those of a key lately, by this process's memory. */
export interface RecentTokens {
  /** Whether it was one, for a request from there. @param address asked only for a key that is bound to some */
  has(token: string, address: () => string): boolean;
  /** @param allows from where it may be used; null: from everywhere */
  keep(token: string, allows: AllowsAddress | null): void;
  drop(token: string): void;
}

/** More keys than a registry has in use; the rest is asked about again. */
const MAX_KEPT = 50_000;

/** @see RecentTokens */
export const createRecentTokens = (): RecentTokens => {
  const kept = new Map<string, AllowsAddress | null>();
  return {
    has(token, address) {
      const allows = kept.get(hashOf(token));
      return allows !== undefined && (allows === null || allows(address()));
    },
    keep(token, allows) {
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(hashOf(token), allows);
    },
    drop: (token) => void kept.delete(hashOf(token)),
  };
};

// Raw tokens are kept nowhere, not in memory either.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
