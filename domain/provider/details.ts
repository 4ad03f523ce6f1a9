/** What providers do at births. */
export const PROVIDER_ROLES = [
  'midwife',
  'physician',
  'doula',
  'nurse',
  'assistant',
  'other',
] as const;

/** What a provider does at births, by the keywords of the qualification. */
export type ProviderRole = (typeof PROVIDER_ROLES)[number];

/** What a partner's Bundles tell of a provider beside the identity. */
export interface ProviderDetails {
  /** National Provider Identifier: a discovery signal, never the key. */
  readonly npi: string | null;
  readonly name: string | null;
  readonly credentials: string | null;
  readonly role: ProviderRole;
}

/** What one text tells of a provider, and another one where the first says nothing. */
export const mergeDetails = (first: ProviderDetails, other: ProviderDetails): ProviderDetails => ({
  npi: first.npi ?? other.npi,
  name: first.name ?? other.name,
  credentials: first.credentials ?? other.credentials,
  role: first.role === 'other' ? other.role : first.role,
});

/**
 * A provider that a partner's Bundle names: the partner's own stable identity, and what it tells.
 * @see spec "Provider identity (partner lane only)"
 */
export interface ProviderMention extends ProviderDetails {
  readonly identity: string;
}

/** A provider as a partner's Bundle names it, under the id that the registry gives it. */
export interface NamedProvider extends ProviderMention {
  /** Keyed hash of practice, partner and identity; attendant and certifier of a course name it. */
  readonly providerId: string;
}

/** What a provider can have done in a birth record. */
export type AttributedPart = 'attendant' | 'certifier';

/** Every part there is. */
export const ATTRIBUTED_PARTS: readonly AttributedPart[] = ['attendant', 'certifier'];
