/** Names of a person with an account. */
export interface NamedPerson {
  readonly email: string;
  /** Display name; null if unset. */
  readonly name: string | null;
}

/** Short form for narrow places: "Ana Ruiz", or the email if there is no name. */
export const displayName = ({ email, name }: NamedPerson): string => name ?? email;

/** Unambiguous form: "Ana Ruiz (ana@cedar.example)", or the email if there is no name. */
export const displayNameWithEmail = ({ email, name }: NamedPerson): string =>
  name === null ? email : `${name} (${email})`;

/** Names of an actor, as the practice knows them. */
export interface ActorName {
  /**
   * Name of the key or of the member, with their email if another member of the practice has the
   * same name. Null if it never had or no longer has a name.
   */
  readonly name: string | null;
  /** The member's email; null for a key. */
  readonly email: string | null;
  /** Partner that owns the key; null for other actors. */
  readonly partner: string | null;
}

/** Names of a provider, as shown in a record. */
export interface ProviderName {
  /** Provider that this one resolves to after all merges. */
  readonly survivorId: string;
  /** Name and credentials of the survivor; null if none was ever sent. */
  readonly name: string | null;
  /** Name and credentials of the provider itself, before any merge. */
  readonly ownName: string | null;
}
