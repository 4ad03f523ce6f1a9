import type { ProviderRole } from '../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import { column, defineTable, type Handlers, update, upsert } from '../projection.ts';

const provider = defineTable({
  name: 'provider',
  columns: {
    provider_id: column.text(),
    practice_id: column.text(),
    partner_id: column.text(),
    /** The partner's own id of the provider. */
    identity: column.text(),
    npi: column.textOrNull(),
    name: column.textOrNull(),
    credentials: column.textOrNull(),
    role: column.text<ProviderRole>(),
    merged_into: column.textOrNull(),
    /** Provider that it resolves to after all merges; itself if it was never merged. */
    survivor_id: column.text(),
    /** Revision of the provider's last event: the expected revision of the next append. */
    revision: column.bigint(),
    identified_at: column.timestamptz(),
    changed_at: column.timestamptz(),
  },
  key: ['provider_id'],
  indexes: ['(practice_id, identified_at)', '(survivor_id)'],
});

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
