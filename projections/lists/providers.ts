import type { AttributedPart } from '../../domain/provider/details.ts';
import type { CamelKeys } from '../projection.ts';
import type { ReadRows } from '../read-model.ts';

export type ProviderListing = CamelKeys<ReadRows['read.provider']> & {
  /** Name of the partner that submitted the provider; null if unknown. */
  readonly partnerName: string | null;
};

/** Number of live records in which a provider has each part, merged identities included. */
export type PartCounts = Readonly<Record<AttributedPart, number>>;

/** Parts of a provider in one live record, including those that an amendment reassigned. */
export interface CareerLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** `YYYY-MM-DD`, or `YYYY` if only the year is stored. */
  readonly born: string | null;
  readonly place: string | null;
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
