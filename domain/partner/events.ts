import type { Fact } from '../event-log.ts';

/** Where the contract with a partner stands. @see spec "Partner contract status" */
export type ContractStatus = 'Pending' | 'Active' | 'Suspended';

/** Every contract status there is. */
export const CONTRACT_STATUSES: readonly ContractStatus[] = ['Pending', 'Active', 'Suspended'];

/** A partner organization was set up by service staff. */
export type PartnerCreated = Fact<
  'PartnerCreated',
  {
    readonly partnerId: string;
    readonly name: string;
    /** In the partner-EHR beta. */
    readonly beta: boolean;
    readonly status: ContractStatus;
  }
>;

/** A partner was taken into the partner-EHR beta, or out of it. */
export type PartnerBetaSet = Fact<
  'PartnerBetaSet',
  { readonly partnerId: string; readonly beta: boolean }
>;

/** The contract with a partner has another status. */
export type PartnerContractStatusChanged = Fact<
  'PartnerContractStatusChanged',
  { readonly partnerId: string; readonly status: ContractStatus }
>;

/** Events of a `partner-` stream. */
export type PartnerEvent = PartnerCreated | PartnerBetaSet | PartnerContractStatusChanged;
