import type { ProviderRole } from '../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import { type Handlers, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.provider`: a provider named by a partner's Bundles, and the one it was merged into. */
export interface ProviderRow {
  readonly provider_id: string;
  readonly practice_id: string;
  readonly partner_id: string;
  readonly identity: string;
  readonly npi: string | null;
  readonly name: string | null;
  readonly credentials: string | null;
  readonly role: ProviderRole;
  readonly merged_into: string | null;
  /** Provider that it resolves to after all merges; itself if it was never merged. */
  readonly survivor_id: string;
  /** Revision of the provider's last event: the expected revision of the next append. */
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

const buildKey = (providerId: string) => ({ provider_id: providerId });

/** Providers of each practice, with the merge map. @see spec "Provider identity (partner lane only)" */
export const providers = {
  name: 'providers',
  version: 1,
  tables: [provider],
  on: {
    ProviderIdentified: (data, { revision, metadata }) => [
      upsert('provider', {
        ...buildKey(data.providerId),
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
      update('provider', buildKey(data.providerId), {
        npi: data.npi,
        name: data.name,
        credentials: data.credentials,
        role: data.role,
        revision: revision.toString(),
        changed_at: metadata.recordedAt,
      }),
    ],
    ProvidersMerged: ({ absorbed, survivor, following }) => [
      update('provider', buildKey(absorbed), { merged_into: survivor, survivor_id: survivor }),
      ...following.map((one) => update('provider', buildKey(one), { survivor_id: survivor })),
    ],
  } satisfies Handlers<ProviderEvent | MergesEvent>,
};
