import { accept, type Decision, refuse } from '../decision.ts';
import { parseOrganizationName } from '../text-input.ts';
import type { ContractStatus, PartnerEvent } from './events.ts';
import type { Partner } from './state.ts';

/** Sets up a partner. */
export interface CreatePartner {
  readonly partnerId: string;
  readonly name: string;
  readonly beta: boolean;
  readonly status: ContractStatus;
}

/** Sets what is not null. */
export interface SetPartner {
  readonly beta: boolean | null;
  readonly status: ContractStatus | null;
}

/** What a command on a partner leads to. */
export type PartnerDecision = Decision<PartnerEvent>;

/** Creates a partner; its name is trimmed, must not be blank and has at most 200 characters. */
export const createPartner = (command: CreatePartner): PartnerDecision => {
  const named = parseOrganizationName(command.name, 'partner');
  if (named.kind === 'refused') return named;
  const { partnerId, beta, status } = command;
  return accept({ type: 'PartnerCreated', data: { partnerId, name: named.name, beta, status } });
};

/**
 * Takes a partner into the beta or out of it, and gives its contract a status. What holds already
 * changes nothing.
 * @see spec "Partner contract status"
 */
export const setPartner = (command: SetPartner, partner: Partner): PartnerDecision => {
  if (partner.status === 'unknown') return refuse({ code: 'no-partner' });
  const { partnerId } = partner;
  const { beta, status } = command;
  const events: PartnerEvent[] = [];
  if (beta !== null && beta !== partner.beta)
    events.push({ type: 'PartnerBetaSet', data: { partnerId, beta } });
  // Our choice: any status to any other. The specification shows the way back to Active only.
  if (status !== null && status !== partner.contract)
    events.push({ type: 'PartnerContractStatusChanged', data: { partnerId, status } });
  return accept(...events);
};
