import { createHash } from 'node:crypto';

/** Tokens that were those of a key lately, by this process's memory. */
export interface KnownTokens {
  has(token: string): boolean;
  keep(token: string): void;
  drop(token: string): void;
}

/** More keys than a registry has in use; the rest is asked about again. */
const MOST_KEPT = 50_000;

/** @see KnownTokens */
export const newKnownTokens = (): KnownTokens => {
  const kept = new Set<string>();
  return {
    has: (token) => kept.has(hashOf(token)),
    keep(token) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.add(hashOf(token));
    },
    drop: (token) => void kept.delete(hashOf(token)),
  };
};

// Raw tokens are kept nowhere, not in memory either.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
