import type { Doer } from '../audit/audit-entry.ts';
import type { Scope } from './events.ts';

/** A key as lists show it. The token is nowhere. */
export interface ListedKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly practiceName: string;
  readonly kind: 'native' | 'partner';
  readonly partnerId: string | null;
  readonly partnerName: string | null;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly mintedAt: Date;
  readonly mintedBy: Doer;
  /** To the minute; null if it never was. */
  readonly lastUsedAt: Date | null;
  /** Submissions that queued nothing, because their Idempotency-Key had been used at the practice. */
  readonly replays: number;
  /** Null if there were none. */
  readonly lastReplayAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: Doer | null;
}

/** Keys of a practice or of a partner: the live ones first, then newest first. */
export type ListKeys = (ownerId: string) => Promise<readonly ListedKey[]>;
