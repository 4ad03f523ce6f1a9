import type { ContractStatus, PartnerEvent } from '../../domain/partner/events.ts';
import { type Handlers, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.partner`. For lists only: the partner gate reads the log. */
export interface PartnerRow {
  readonly partner_id: string;
  readonly name: string;
  readonly beta: boolean;
  readonly status: ContractStatus;
  readonly created_at: Date;
}

const partner: ReadTable = {
  name: 'partner',
  columns: {
    partner_id: 'text not null',
    name: 'text not null',
    beta: 'boolean not null',
    status: 'text not null',
    created_at: 'timestamptz not null',
  },
  key: ['partner_id'],
  indexes: [],
};

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
