import type { Scope } from '../../domain/api-key/events.ts';
import type { Role } from '../../domain/roles.ts';
import type { ActorSummary } from './audit.ts';

/** A key in lists. The token itself is not stored. */
export interface ListedKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly practiceName: string;
  readonly kind: 'native' | 'partner';
  readonly partnerId: string | null;
  readonly partnerName: string | null;
  readonly name: string | null;
  /** Last characters of its token; null for keys of version 0.1. */
  readonly lastFour: string | null;
  /** Empty if its only scope was retired, so the key is useless. */
  readonly scopes: readonly Scope[];
  readonly mintedAt: Date;
  readonly mintedBy: ActorSummary;
  /** To the minute; null if never used. */
  readonly lastUsedAt: Date | null;
  /** Address of that request; null if unknown. */
  readonly lastUsedFrom: string | null;
  /** Addresses and networks that it may be used from; any if empty. */
  readonly addresses: readonly string[];
  /** Latest request refused because of its address, or null. */
  readonly lastRefused: { readonly at: Date; readonly from: string } | null;
  readonly replays: number;
  readonly lastReplayAt: Date | null;
  /** Expiration; null if it is valid until revoked. */
  readonly endsAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: ActorSummary | null;
}

export interface ListedMember {
  readonly memberId: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly isAuditor: boolean;
  /** Time of the latest seat assignment, or of the invitation. */
  readonly since: Date;
  /** `invited` means not accepted yet, `lapsed` that the invitation expired. */
  readonly status: 'seated' | 'invited' | 'lapsed';
  readonly lastSignInAt: Date | null;
  readonly secondFactor: readonly ('passkey' | 'totp')[];
}

export interface ListedStaff {
  readonly staffId: string;
  readonly email: string;
  readonly name: string | null;
  readonly since: Date;
  readonly lastSignInAt: Date | null;
  readonly secondFactor: readonly ('passkey' | 'totp')[];
  readonly status: 'active' | 'removed';
}
