import type { AttributedPart } from '../domain/course-of-care/events.ts';
import type { ProviderDetails, ProviderRole } from '../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../domain/provider/events.ts';
import { type Handlers, patch, put, type ReadTable } from './projection.ts';

/** Row of `read.provider`: a provider as a partner's Bundles name it, and who stands for it. */
export interface ProviderRow {
  readonly provider_id: string;
  readonly practice_id: string;
  readonly partner_id: string;
  readonly identity: string;
  readonly npi: string | null;
  readonly name: string | null;
  readonly credentials: string | null;
  readonly role: ProviderRole;
  /** The provider that it was merged into. */
  readonly merged_into: string | null;
  /** Who stands for it after all merges; itself if it was never absorbed. */
  readonly survivor_id: string;
  /** Revision of the provider's last event, the fence of the next append. */
  readonly revision: string;
  readonly identified_at: Date;
  readonly changed_at: Date;
}

const provider: ReadTable = {
  name: 'provider',
  columns: {
    provider_id: 'text not null',
    practice_id: 'text not null',
    partner_id: 'text not null',
    identity: 'text not null',
    npi: 'text',
    name: 'text',
    credentials: 'text',
    role: 'text not null',
    merged_into: 'text',
    survivor_id: 'text not null',
    revision: 'bigint not null',
    identified_at: 'timestamptz not null',
    changed_at: 'timestamptz not null',
  },
  key: ['provider_id'],
  indexes: ['(practice_id, identified_at)', '(survivor_id)'],
};

const keyOf = (providerId: string) => ({ provider_id: providerId });

/** The providers of each practice, with the merge map. @see spec "Provider identity (partner lane only)" */
export const providers = {
  name: 'providers',
  version: 1,
  tables: [provider],
  on: {
    ProviderIdentified: (data, { revision, metadata }) => [
      put('provider', {
        ...keyOf(data.providerId),
        practice_id: data.practiceId,
        partner_id: data.partnerId,
        identity: data.identity,
        npi: data.npi,
        name: data.name,
        credentials: data.credentials,
        role: data.role,
        merged_into: null,
        survivor_id: data.providerId,
        revision: revision.toString(),
        identified_at: metadata.recordedAt,
        changed_at: metadata.recordedAt,
      }),
    ],
    ProviderDetailsChanged: (data, { revision, metadata }) => [
      patch('provider', keyOf(data.providerId), {
        npi: data.npi,
        name: data.name,
        credentials: data.credentials,
        role: data.role,
        revision: revision.toString(),
        changed_at: metadata.recordedAt,
      }),
    ],
    ProvidersMerged: ({ absorbed, survivor, following }) => [
      patch('provider', keyOf(absorbed), { merged_into: survivor, survivor_id: survivor }),
      ...following.map((one) => patch('provider', keyOf(one), { survivor_id: survivor })),
    ],
  } satisfies Handlers<ProviderEvent | MergesEvent>,
};

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
