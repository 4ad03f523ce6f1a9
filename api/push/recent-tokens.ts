import { createHash } from 'node:crypto';
import type { AllowsAddress } from '../access/address-ranges.ts';

/** Tokens of keys that this process has recently accepted. */
export interface RecentTokens {
  /** True if the token was accepted for this address. @param address called only for a key bound to addresses */
  has(token: string, address: () => string): boolean;
  /** @param allows checks the address; `null` if the key is not bound to addresses */
  keep(token: string, allows: AllowsAddress | null): void;
  drop(token: string): void;
}

/** More keys than a registry has in use; forgotten tokens are simply checked again. */
const MAX_KEPT = 50_000;

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

// Raw tokens are never kept, not even in memory.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
