import type { Actor } from '../../domain/event-log.ts';
import type { CamelRow } from '../read-model.ts';
import type { NamedPerson } from './people-names.ts';

export interface ActorSummary {
  readonly kind: Actor['kind'];
  /** Email of a member or of staff; null for other actors and for unknown accounts. */
  readonly email: string | null;
  /** Display name; null if unset or if the actor has no account. */
  readonly name: string | null;
}

export interface AuditedKey extends Pick<CamelRow<'api_key'>, 'name' | 'kind' | 'scopes'> {
  readonly practiceName: string | null;
  readonly partnerName: string | null;
}

export interface AuditEntry
  extends Pick<CamelRow<'audit_entry'>, 'entryId' | 'type' | 'at' | 'value'> {
  readonly by: ActorSummary;
  readonly key: AuditedKey | null;
  readonly member: NamedPerson | null;
}

export interface LastReview {
  readonly at: Date;
  readonly by: ActorSummary;
}
