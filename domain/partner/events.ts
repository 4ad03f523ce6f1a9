import { defineEvents, type InferEvent } from '../define-events.ts';
import { boolean, literal, object, text } from '../schema.ts';

/** @see spec "Partner contract status" */
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

export const CONTRACT_STATUSES = ['Pending', 'Active', 'Suspended'] as const;

const status = literal(...CONTRACT_STATUSES);

/** Events of a `partner-` stream. */
export const PARTNER_EVENTS = defineEvents('partner', {
  /** Service staff created a partner organization. */
  PartnerCreated: object({
    partnerId: text,
    name: text,
    /** True while in the partner-EHR beta. */
    beta: boolean,
    status,
  }),

  /** A partner joined or left the partner-EHR beta. */
  PartnerBetaSet: object({ partnerId: text, beta: boolean }),

  /** The status of a partner's contract changed. */
  PartnerContractStatusChanged: object({ partnerId: text, status }),
});

type Events = typeof PARTNER_EVENTS;
export type PartnerEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
