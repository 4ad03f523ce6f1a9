import { accept, type Decision, refuse } from '../decision.ts';
import { parseOrganizationName } from '../text-input.ts';
import type { ContractStatus, PartnerEvent } from './events.ts';
import type { Partner } from './state.ts';

export interface CreatePartner {
  readonly partnerId: string;
  readonly name: string;
  readonly beta: boolean;
  readonly status: ContractStatus;
}

/** A null value leaves the setting unchanged. */
export interface SetPartner {
  readonly beta: boolean | null;
  readonly status: ContractStatus | null;
}

export const createPartner = (command: CreatePartner): Decision<PartnerEvent> => {
  const named = parseOrganizationName(command.name, 'partner');
  if (named.kind === 'refused') return named;
  const { partnerId, beta, status } = command;
  return accept({ type: 'PartnerCreated', data: { partnerId, name: named.name, beta, status } });
};

/** @see spec "Partner contract status" */
export const setPartner = (command: SetPartner, partner: Partner): Decision<PartnerEvent> => {
  if (partner.status === 'unknown') return refuse({ code: 'no-partner' });
  const { partnerId } = partner;
  const { beta, status } = command;
  const events: PartnerEvent[] = [];
  if (beta !== null && beta !== partner.beta)
    events.push({ type: 'PartnerBetaSet', data: { partnerId, beta } });
  // Our choice: any status can follow any other. The specification only describes the return to Active.
  if (status !== null && status !== partner.contract)
    events.push({ type: 'PartnerContractStatusChanged', data: { partnerId, status } });
  return accept(...events);
};
