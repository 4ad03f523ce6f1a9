import type { Scope } from '../../domain/api-key/events.ts';
import type { Role } from '../../domain/roles.ts';
import type { ActorSummary } from './audit.ts';

/** A key as lists show it. The token is nowhere. */
export interface ListedKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly practiceName: string;
  readonly kind: 'native' | 'partner';
  readonly partnerId: string | null;
  readonly partnerName: string | null;
  readonly name: string | null;
  /** End of its token; null for keys of version 0.1. */
  readonly lastFour: string | null;
  /** None: it was minted with a scope that there no longer is, and can do nothing. */
  readonly scopes: readonly Scope[];
  readonly mintedAt: Date;
  readonly mintedBy: ActorSummary;
  /** To the minute; null if it never was. */
  readonly lastUsedAt: Date | null;
  /** From where that was; null if it is not known. */
  readonly lastUsedFrom: string | null;
  /** Addresses and networks that it may be used from; empty: any. */
  readonly addresses: readonly string[];
  /** When it was last tried from elsewhere and refused, and from where; null: never. */
  readonly lastRefused: { readonly at: Date; readonly from: string } | null;
  /** Submissions that queued nothing, because their Idempotency-Key had been used at the practice. */
  readonly replays: number;
  /** Null if there were none. */
  readonly lastReplayAt: Date | null;
  /** From then on it does not work; null: it works until it is revoked. */
  readonly endsAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: ActorSummary | null;
}

/** Keys of a practice or of a partner: the live ones first, then newest first. */
export type ListKeys = (ownerId: string) => Promise<readonly ListedKey[]>;

/** A member as the Admins of a practice list it. */
export interface ListedMember {
  readonly memberId: string;
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
  readonly role: Role;
  /** Whether the seat opens the logs of the practice too. */
  readonly isAuditor: boolean;
  /** When the seat was given for the last time, or offered. */
  readonly since: Date;
  /** `invited`: has not accepted yet. `lapsed`: cannot any more. */
  readonly status: 'seated' | 'invited' | 'lapsed';
  readonly lastSignInAt: Date | null;
  /** What they sign in with beside their password. */
  readonly secondFactor: readonly ('passkey' | 'totp')[];
}

/** Who has a seat in a practice or was offered one, in the order of what they are called. */
export type ListMembers = (practiceId: string) => Promise<readonly ListedMember[]>;

/** A person of the service staff, as they are listed. */
export interface ListedStaff {
  readonly staffId: string;
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
  /** When the account was given, for the last time. */
  readonly since: Date;
  readonly lastSignInAt: Date | null;
  /** What they sign in with beside their password. */
  readonly secondFactor: readonly ('passkey' | 'totp')[];
  readonly status: 'active' | 'removed';
}

/** The service staff in the order of what they are called, those who have left last. */
export type ListStaff = () => Promise<readonly ListedStaff[]>;
