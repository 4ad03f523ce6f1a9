import type { CamelRow } from '../read-model.ts';
import type { ActorSummary } from './audit.ts';

/** A key in lists. The token itself is not stored. */
export interface ListedKey extends Omit<CamelRow<'api_key'>, 'mintedBy' | 'revokedBy'> {
  readonly practiceName: string;
  readonly partnerName: string | null;
  readonly mintedBy: ActorSummary;
  /** To the minute; null if never used. */
  readonly lastUsedAt: Date | null;
  /** Address of that request; null if unknown. */
  readonly lastUsedFrom: string | null;
  /** Latest request refused because of its address, or null. */
  readonly lastRefused: { readonly at: Date; readonly from: string } | null;
  readonly replays: number;
  readonly lastReplayAt: Date | null;
  readonly revokedBy: ActorSummary | null;
}

export interface ListedMember
  extends Pick<CamelRow<'member'>, 'memberId' | 'email' | 'name' | 'role'> {
  readonly isAuditor: boolean;
  /** Time of the latest seat assignment, or of the invitation. */
  readonly since: Date;
  /** `invited` means not accepted yet, `lapsed` that the invitation expired. */
  readonly status: 'seated' | 'invited' | 'lapsed';
  readonly lastSignInAt: Date | null;
  readonly secondFactor: readonly ('passkey' | 'totp')[];
}

export interface ListedStaff extends Pick<CamelRow<'staff'>, 'staffId' | 'email' | 'name'> {
  readonly since: Date;
  readonly lastSignInAt: Date | null;
  readonly secondFactor: readonly ('passkey' | 'totp')[];
  readonly status: 'active' | 'removed';
}
