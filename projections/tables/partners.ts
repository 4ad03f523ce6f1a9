import type { ContractStatus, PartnerEvent } from '../../domain/partner/events.ts';
import { column, defineTable, type Handlers, update, upsert } from '../projection.ts';

/** For lists only: the partner gate reads the log. */
const partner = defineTable({
  name: 'partner',
  columns: {
    partner_id: column.text(),
    name: column.text(),
    beta: column.boolean(),
    status: column.text<ContractStatus>(),
    created_at: column.timestamptz(),
  },
  key: ['partner_id'],
  indexes: [],
});

export const partners = {
  name: 'partners',
  version: 1,
  tables: [partner],
  on: {
    PartnerCreated: (data, { metadata }) => [
      upsert('partner', {
        partner_id: data.partnerId,
        name: data.name,
        beta: data.beta,
        status: data.status,
        created_at: metadata.recordedAt,
      }),
    ],
    PartnerBetaSet: ({ partnerId, beta }) => [
      update('partner', { partner_id: partnerId }, { beta }),
    ],
    PartnerContractStatusChanged: ({ partnerId, status }) => [
      update('partner', { partner_id: partnerId }, { status }),
    ],
  } satisfies Handlers<PartnerEvent>,
};
