import type { AttributedPart, ProviderDetails } from '../../domain/provider/details.ts';

/** A provider as its practice looks at it. */
export interface ShownProvider extends ProviderDetails {
  readonly providerId: string;
  readonly partnerId: string;
  /** Name of the partner that names the provider; null while it is not known. */
  readonly partnerName: string | null;
  /** The partner's own id of the provider. */
  readonly identity: string;
  /** The provider that it was merged into; null for one that stands for itself. */
  readonly mergedInto: string | null;
  /** Who stands for it after all merges. */
  readonly survivorId: string;
  readonly identifiedAt: Date;
  readonly changedAt: Date;
}

/** Every provider of a practice, absorbed ones too, in the order of their names. */
export type FindProviders = (practiceId: string) => Promise<readonly ShownProvider[]>;

/** In how many live records a provider has each part, through merges. */
export type PartCounts = Readonly<Record<AttributedPart, number>>;

/** The counts of some providers that stand for themselves; zeros for one without births. */
export type CountParts = (
  practiceId: string,
  providerIds: readonly string[],
) => Promise<ReadonlyMap<string, PartCounts>>;

/** What a provider did in one live record, or had done until an amendment named another. */
export interface CareerLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  readonly place: string | null;
  /** When the last version that names the provider was recorded. */
  readonly at: Date;
  readonly parts: readonly CareerPart[];
}

/** A part in a record. */
export interface CareerPart {
  readonly part: AttributedPart;
  /** The identity under which the partner named this one. */
  readonly namedId: string;
  /** When an amendment named another provider for it, or none; null while it names this one. */
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

/** What a merge of a provider repoints: live records and voided ones. */
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
