import type { Fold } from '../fold.ts';
import type { ContractStatus, PartnerEvent } from './events.ts';

export type Partner =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly partnerId: string;
      readonly name: string;
      readonly beta: boolean;
      readonly contract: ContractStatus;
    };

export const unknownPartner: Partner = { status: 'unknown' };

export const evolve = (state: Partner, event: PartnerEvent): Partner => {
  if (event.type === 'PartnerCreated') {
    const { partnerId, name, beta, status } = event.data;
    return { status: 'known', partnerId, name, beta, contract: status };
  }
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'PartnerBetaSet':
      return { ...state, beta: event.data.beta };
    case 'PartnerContractStatusChanged':
      return { ...state, contract: event.data.status };
  }
};

export const partnerFold: Fold<Partner, PartnerEvent> = { initial: unknownPartner, evolve };
