import { newKey } from '../../adapters/crypto/keys.ts';
import type { SealingKeys } from '../../adapters/crypto/sealing.ts';

/** One key, and no other version of it. */
export const soleKey = (key = newKey()): SealingKeys => ({
  newest: () => ({ version: 1, key }),
  find: async (version) => (version === 1 ? key : null),
});
