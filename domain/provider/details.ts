/** What a provider does at births, by the keywords of the qualification. */
export type ProviderRole = 'midwife' | 'physician' | 'doula' | 'nurse' | 'assistant' | 'other';

/** What a partner's Bundles tell of a provider beside the identity. */
export interface ProviderDetails {
  /** National Provider Identifier: a discovery signal, never the key. */
  readonly npi: string | null;
  readonly name: string | null;
  readonly credentials: string | null;
  readonly role: ProviderRole;
}

/**
 * A provider that a partner's Bundle names: the partner's own stable identity, and what it tells.
 * @see spec "Provider identity (partner lane only)"
 */
export interface ProviderMention extends ProviderDetails {
  readonly identity: string;
}
