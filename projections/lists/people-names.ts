import type { Actor } from '../../domain/event-log.ts';

/** A person with an account. */
export interface NamedPerson {
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
}

/** What a person is called where little room is: "Ana Ruiz", else their email. */
export const displayName = ({ email, name }: NamedPerson): string => name ?? email;

/** What a person is called where they must be told apart: "Ana Ruiz (ana@cedar.example)", else their email. */
export const displayNameWithEmail = ({ email, name }: NamedPerson): string =>
  name === null ? email : `${name} (${email})`;

/** Who stands behind an actor, as the practice knows them. */
export interface ActorName {
  /**
   * The key's name, or what the member is called: with their email if another member of the practice
   * has the same name. Null where there is none (any more).
   */
  readonly name: string | null;
  /** The member's email; null for a key. */
  readonly email: string | null;
  /** The partner whose key it is; null for anybody else. */
  readonly partner: string | null;
}

/** Looks up the names of actors of a practice's events. @returns by `kind:id`; unknown ones are left out */
export type FindActorNames = (
  practiceId: string,
  actors: readonly Actor[],
) => Promise<ReadonlyMap<string, ActorName>>;

/** A provider as a record tells of one. */
export interface ProviderName {
  /** Who stands for the provider after all merges. */
  readonly survivorId: string;
  /** Name of the survivor, credentials included; null: none was ever sent. */
  readonly name: string | null;
  /** The same of the provider itself, as it was named before any merge. */
  readonly ownName: string | null;
}

/** Looks up the providers of a practice by their ids, through merges. */
export type FindProviderNames = (
  practiceId: string,
  providerIds: readonly string[],
) => Promise<ReadonlyMap<string, ProviderName>>;
