import type { Fold } from '../fold.ts';
import type { ContractStatus, PartnerEvent } from './events.ts';

/** A partner as its events tell it. */
export type Partner =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly partnerId: string;
      readonly name: string;
      readonly beta: boolean;
      readonly contract: ContractStatus;
    };

/** A partner before its first event. */
export const unknownPartner: Partner = { status: 'unknown' };

/** The partner after one more event. */
export const evolve = (state: Partner, event: PartnerEvent): Partner => {
  switch (event.type) {
    case 'PartnerCreated': {
      const { partnerId, name, beta, status } = event.data;
      return { status: 'known', partnerId, name, beta, contract: status };
    }
    case 'PartnerBetaSet':
      return state.status === 'unknown' ? state : { ...state, beta: event.data.beta };
    case 'PartnerContractStatusChanged':
      return state.status === 'unknown' ? state : { ...state, contract: event.data.status };
  }
};

/** How a stream of a partner is read. */
export const partnerFold: Fold<Partner, PartnerEvent> = { initial: unknownPartner, evolve };
