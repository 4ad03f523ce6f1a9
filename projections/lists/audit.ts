import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { AuditedType } from '../tables/audit-entries.ts';
import type { NamedPerson } from './people-names.ts';

/** Names of an actor. */
export interface ActorSummary {
  readonly kind: Actor['kind'];
  /** Email of a member or of staff; null for other actors and for unknown accounts. */
  readonly email: string | null;
  /** Display name; null if unset or if the actor has no account. */
  readonly name: string | null;
}

/** Current state of the key that an entry is about. */
export interface AuditedKey {
  readonly name: string | null;
  readonly kind: ApiKeyEvent<'ApiKeyMinted'>['data']['kind'];
  readonly scopes: readonly Scope[];
  readonly practiceName: string | null;
  readonly partnerName: string | null;
}

/** A change of access rights in the registry. */
export interface AuditEntry {
  readonly entryId: string;
  readonly type: AuditedType;
  readonly at: Date;
  readonly by: ActorSummary;
  /**
   * Value that was set: a status, a seat, a name, `true`, or `false`; null if none. For a new
   * practice or partner, all initial values, separated by spaces: `real`, `sandbox beta`, `Active
   * beta`.
   */
  readonly value: string | null;
  readonly key: AuditedKey | null;
  /** Member that the entry is about, or null. */
  readonly member: NamedPerson | null;
}

export interface LastReview {
  readonly at: Date;
  readonly by: ActorSummary;
}
