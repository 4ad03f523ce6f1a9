import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { AuditedType } from '../tables/audit-entries.ts';
import type { NamedPerson } from './people-names.ts';

export interface ActorSummary {
  readonly kind: Actor['kind'];
  /** Email of a member or of staff; null for other actors and for unknown accounts. */
  readonly email: string | null;
  /** Display name; null if unset or if the actor has no account. */
  readonly name: string | null;
}

export interface AuditedKey {
  readonly name: string | null;
  readonly kind: ApiKeyEvent<'ApiKeyMinted'>['data']['kind'];
  readonly scopes: readonly Scope[];
  readonly practiceName: string | null;
  readonly partnerName: string | null;
}

export interface AuditEntry {
  readonly entryId: string;
  readonly type: AuditedType;
  readonly at: Date;
  readonly by: ActorSummary;
  /** Status, seat, name, `true`, or `false`. For a new practice or partner, all its values: `sandbox beta`. */
  readonly value: string | null;
  readonly key: AuditedKey | null;
  readonly member: NamedPerson | null;
}

export interface LastReview {
  readonly at: Date;
  readonly by: ActorSummary;
}
