import type { ContractStatus } from '../../../domain/partner/events.ts';

export const CONTRACT_TEXT: Readonly<Record<ContractStatus, string>> = {
  Pending: 'All requests are refused until the contract is active.',
  Active: 'Its keys work while it is in the beta.',
  Suspended: 'All requests are refused.',
};
