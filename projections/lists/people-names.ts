import type { CamelRow } from '../read-model.ts';

export type NamedPerson = Pick<CamelRow<'member'>, 'email' | 'name'>;

/** Short form for narrow places: "Ana Ruiz", or the email if there is no name. */
export const displayName = ({ email, name }: NamedPerson): string => name ?? email;

/** Unambiguous form: "Ana Ruiz (ana@cedar.example)", or the email if there is no name. */
export const displayNameWithEmail = ({ email, name }: NamedPerson): string =>
  name === null ? email : `${name} (${email})`;

export interface ActorName {
  /** With the email if another member has the same name. `null` if it never had or no longer has a name. */
  readonly name: string | null;
  /** The member's email; null for a key. */
  readonly email: string | null;
  readonly partner: string | null;
}

export interface ProviderName {
  readonly survivorId: string;
  /** Name and credentials of the survivor; null if none was ever sent. */
  readonly name: string | null;
  /** Name and credentials of the provider itself, before any merge. */
  readonly ownName: string | null;
}
