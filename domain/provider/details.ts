import { type Infer, type InferProperties, literal, nullable, object, text } from '../schema.ts';

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

export type ProviderDetails = InferProperties<typeof providerDetails>;

export const providerDetails = {
  /** National Provider Identifier: a discovery signal, never the key. */
  npi: nullable(text),
  name: nullable(text),
  credentials: nullable(text),
  role: literal(...PROVIDER_ROLES),
};

export type NamedProvider = Infer<typeof namedProvider>;

export const namedProvider = object({
  /** Keyed hash of practice, partner, and identity; referenced by attendant and certifier of a course. */
  providerId: text,
  /** The partner's own stable id for the provider. @see spec "Provider identity (partner lane only)" */
  identity: text,
  ...providerDetails,
});

export type ProviderMention = Omit<NamedProvider, 'providerId'>;

export const mergeDetails = (first: ProviderDetails, other: ProviderDetails): ProviderDetails => ({
  npi: first.npi ?? other.npi,
  name: first.name ?? other.name,
  credentials: first.credentials ?? other.credentials,
  role: first.role === 'other' ? other.role : first.role,
});

export type AttributedPart = 'attendant' | 'certifier';

export const ATTRIBUTED_PARTS: readonly AttributedPart[] = ['attendant', 'certifier'];
