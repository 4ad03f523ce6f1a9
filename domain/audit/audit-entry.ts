import type { ApiKeyMinted, Scope } from '../api-key/events.ts';
import type { Actor } from '../event-log.ts';

/** What an audit trail tells of: each is the type of an event. */
export type AuditedType =
  | 'ApiKeyMinted'
  | 'ApiKeyRevoked'
  | 'PartnerCreated'
  | 'PartnerBetaSet'
  | 'PartnerContractStatusChanged'
  | 'PracticeCreated'
  | 'PracticeSandboxSet'
  | 'PracticeSandboxChangeRefused'
  | 'PracticeBetaSet'
  | 'PracticeRenamed'
  | 'PracticeTimeZoneSet'
  | 'MemberAdded'
  | 'SeatChanged'
  | 'MemberRemoved'
  | 'OneTimePasswordGiven';

/** Who did something. */
export interface Doer {
  readonly kind: Actor['kind'];
  /** Email of a member or of staff; null for others, and when the account is not known any more. */
  readonly email: string | null;
}

/** The key that an entry is about, as it stands now. */
export interface AuditedKey {
  readonly name: string | null;
  readonly kind: ApiKeyMinted['data']['kind'];
  readonly scopes: readonly Scope[];
  readonly practiceName: string | null;
  readonly partnerName: string | null;
}

/** Who did what, when, to the rights in the registry. */
export interface AuditEntry {
  readonly entryId: string;
  readonly type: AuditedType;
  readonly at: Date;
  readonly by: Doer;
  /**
   * The one value that was set: a status, a seat, a name, `true` or `false`; null for none. Of
   * something new all that it began with, separated by spaces: `real`, `sandbox beta`, `Active beta`.
   */
  readonly value: string | null;
  readonly key: AuditedKey | null;
  /** Email of the member that it is about; null for none. */
  readonly memberEmail: string | null;
}

/** The latest entries about a practice, its keys and its members, newest first. */
export type FindPracticeAudit = (
  practiceId: string,
  most: number,
) => Promise<readonly AuditEntry[]>;

/** The latest entries about a partner and its keys, newest first. */
export type FindPartnerAudit = (partnerId: string, most: number) => Promise<readonly AuditEntry[]>;
