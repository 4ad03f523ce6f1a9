import type { AttributedPart, ProviderDetails } from '../../domain/provider/details.ts';

/** A provider as its practice sees it. */
export interface ShownProvider extends ProviderDetails {
  readonly providerId: string;
  readonly partnerId: string;
  /** Name of the partner that submitted the provider; null if unknown. */
  readonly partnerName: string | null;
  /** The partner's own id of the provider. */
  readonly identity: string;
  /** Provider that it was merged into; null if it was not merged. */
  readonly mergedInto: string | null;
  /** Provider that it resolves to after all merges. */
  readonly survivorId: string;
  readonly identifiedAt: Date;
  readonly changedAt: Date;
}

/** Every provider of a practice, absorbed ones too, in the order of their names. */
export type FindProviders = (practiceId: string) => Promise<readonly ShownProvider[]>;

/** Number of live records in which a provider has each part, merged identities included. */
export type PartCounts = Readonly<Record<AttributedPart, number>>;

/** The counts of some providers that stand for themselves; zeros for one without births. */
export type CountParts = (
  practiceId: string,
  providerIds: readonly string[],
) => Promise<ReadonlyMap<string, PartCounts>>;

/** Parts of a provider in one live record, including those that an amendment gave to another provider. */
export interface CareerLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** `YYYY-MM-DD`, or `YYYY` if only the year is stored. */
  readonly born: string | null;
  readonly place: string | null;
  /** Time of the last version that names the provider. */
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

/** A page of a provider's career log through merges, latest first. */
export type FindCareerLines = (
  practiceId: string,
  providerId: string,
  part: { readonly most: number; readonly skip: number },
) => Promise<readonly CareerLine[]>;

/** How many live records are in a provider's career log. */
export type CountCareer = (practiceId: string, providerId: string) => Promise<number>;

/** Number of records and attributions that a merge of a provider would repoint. */
export interface MergeReach {
  readonly records: number;
  readonly voided: number;
  readonly attendant: number;
  readonly certifier: number;
}

/** What a merge of a provider would repoint. */
export type FindMergeReach = (practiceId: string, providerId: string) => Promise<MergeReach>;

/** How many records still name an identity that a provider has absorbed: those a merge has not come to. */
export type CountLeftToRepoint = (practiceId: string, survivorId: string) => Promise<number>;
