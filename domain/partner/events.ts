import type { Fact } from '../event-log.ts';

/** @see spec "Partner contract status" */
export type ContractStatus = 'Pending' | 'Active' | 'Suspended';

export const CONTRACT_STATUSES: readonly ContractStatus[] = ['Pending', 'Active', 'Suspended'];

/** Service staff created a partner organization. */
export type PartnerCreated = Fact<
  'PartnerCreated',
  {
    readonly partnerId: string;
    readonly name: string;
    /** True while in the partner-EHR beta. */
    readonly beta: boolean;
    readonly status: ContractStatus;
  }
>;

/** A partner joined or left the partner-EHR beta. */
export type PartnerBetaSet = Fact<
  'PartnerBetaSet',
  { readonly partnerId: string; readonly beta: boolean }
>;

/** The status of a partner's contract changed. */
export type PartnerContractStatusChanged = Fact<
  'PartnerContractStatusChanged',
  { readonly partnerId: string; readonly status: ContractStatus }
>;

/** Events of a `partner-` stream. */
export type PartnerEvent = PartnerCreated | PartnerBetaSet | PartnerContractStatusChanged;
