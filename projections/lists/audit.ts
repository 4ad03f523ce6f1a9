import type { ApiKeyMinted, Scope } from '../../domain/api-key/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { AuditedType } from '../tables/audit-entries.ts';
import type { NamedPerson } from './people-names.ts';

/** Who did something. */
export interface ActorSummary {
  readonly kind: Actor['kind'];
  /** Email of a member or of staff; null for others, and when the account is not known any more. */
  readonly email: string | null;
  /** What they are called; null: not said, or nobody with an account. */
  readonly name: string | null;
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
  readonly by: ActorSummary;
  /**
   * The one value that was set: a status, a seat, a name, `true` or `false`; null for none. Of
   * something new all that it began with, separated by spaces: `real`, `sandbox beta`, `Active beta`.
   */
  readonly value: string | null;
  readonly key: AuditedKey | null;
  /** The member that it is about; null for none. */
  readonly member: NamedPerson | null;
}

/** The latest entries about a practice, its keys and its members, newest first. @param skip as many are left out first */
export type FindPracticeAudit = (
  practiceId: string,
  most: number,
  skip?: number,
) => Promise<readonly AuditEntry[]>;

/** How many entries there are about a practice, its keys and its members. */
export type CountPracticeAudit = (practiceId: string) => Promise<number>;

/** The last access review. */
export interface LastReview {
  readonly at: Date;
  readonly by: ActorSummary;
}

/** The last review of a practice's seats, of the staff's accounts for null; null: there was none. */
export type FindLastReview = (practiceId: string | null) => Promise<LastReview | null>;

/** The latest entries about a partner and its keys, newest first. */
export type FindPartnerAudit = (partnerId: string, most: number) => Promise<readonly AuditEntry[]>;
