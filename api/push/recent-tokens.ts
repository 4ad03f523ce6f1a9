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
const MAX_TOKENS = 50_000;

export const createRecentTokens = (): RecentTokens => {
  const tokens = new Map<string, AllowsAddress | null>();
  return {
    has(token, address) {
      const allows = tokens.get(hashToken(token));
      return allows !== undefined && (allows === null || allows(address()));
    },
    keep(token, allows) {
      if (tokens.size >= MAX_TOKENS) tokens.clear();
      tokens.set(hashToken(token), allows);
    },
    drop: (token) => void tokens.delete(hashToken(token)),
  };
};

// Raw tokens are never kept, not even in memory.
const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
