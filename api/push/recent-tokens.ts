import type { AllowsAddress } from '../access/address-ranges.ts';
import type { BearerToken } from '../http/bearer-token.ts';

export interface RecentTokens {
  /** @param address called only for a key bound to addresses */
  has(token: BearerToken, address: () => string): boolean;
  /** @param allows `null` if the key is not bound to addresses */
  keep(token: BearerToken, allows: AllowsAddress | null): void;
  drop(token: BearerToken): void;
}

/** Forgotten tokens are simply checked again. */
const MAX_TOKENS = 50_000;

export const createRecentTokens = (): RecentTokens => {
  // Raw tokens are never kept, not even in memory.
  const hashes = new Map<string, AllowsAddress | null>();
  return {
    has({ hash }, address) {
      const allows = hashes.get(hash);
      return allows !== undefined && (allows === null || allows(address()));
    },
    keep({ hash }, allows) {
      if (hashes.size >= MAX_TOKENS) hashes.clear();
      hashes.set(hash, allows);
    },
    drop: ({ hash }) => void hashes.delete(hash),
  };
};
