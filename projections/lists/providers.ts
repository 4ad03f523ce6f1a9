import type { AttributedPart } from '../../domain/provider/details.ts';
import type { CamelRow } from '../read-model.ts';

export interface ProviderListing extends CamelRow<'provider'> {
  /** Name of the partner that submitted the provider; null if unknown. */
  readonly partnerName: string | null;
}

/** Number of live records in which a provider has each part, merged identities included. */
export type PartCounts = Readonly<Record<AttributedPart, number>>;

/** Parts of a provider in one live record, including those that an amendment reassigned. */
export interface CareerLine
  extends Pick<CamelRow<'birth_record'>, 'submissionUuid' | 'chartNumber' | 'born' | 'place'> {
  readonly at: Date;
  readonly parts: readonly CareerPart[];
}

export interface CareerPart {
  readonly part: AttributedPart;
  /** Provider id that the version stated, before any merge. */
  readonly namedId: string;
  /** Time of the amendment that named another provider, or none; null if still in effect. */
  readonly replacedAt: Date | null;
}

export interface MergeReach {
  readonly records: number;
  readonly voided: number;
  readonly attendant: number;
  readonly certifier: number;
}
