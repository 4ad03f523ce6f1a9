export const PROVIDER_ROLES = [
  'midwife',
  'physician',
  'doula',
  'nurse',
  'assistant',
  'other',
] as const;

/** Derived from keywords in the qualification. */
export type ProviderRole = (typeof PROVIDER_ROLES)[number];

/** Details of a provider in a partner's Bundle, apart from the identity. */
export interface ProviderDetails {
  /** National Provider Identifier: a discovery signal, never the key. */
  readonly npi: string | null;
  readonly name: string | null;
  readonly credentials: string | null;
  readonly role: ProviderRole;
}

/** Fills missing details of the first with those of the other. */
export const mergeDetails = (first: ProviderDetails, other: ProviderDetails): ProviderDetails => ({
  npi: first.npi ?? other.npi,
  name: first.name ?? other.name,
  credentials: first.credentials ?? other.credentials,
  role: first.role === 'other' ? other.role : first.role,
});

/**
 * Provider in a partner's Bundle, under the partner's own stable identity.
 * @see spec "Provider identity (partner lane only)"
 */
export interface ProviderMention extends ProviderDetails {
  readonly identity: string;
}

/** Provider in a partner's Bundle, with the id that the registry assigned. */
export interface NamedProvider extends ProviderMention {
  /** Keyed hash of practice, partner, and identity; referenced by attendant and certifier of a course. */
  readonly providerId: string;
}

/** Function of a provider in a birth record. */
export type AttributedPart = 'attendant' | 'certifier';

export const ATTRIBUTED_PARTS: readonly AttributedPart[] = ['attendant', 'certifier'];
