import type { ContractStatus } from '../../../domain/partner/events.ts';

/** Effect of a contract status on the keys of a partner in the beta. */
export const CONTRACT_TEXT: Readonly<Record<ContractStatus, string>> = {
  Pending: 'Nothing that its keys send or ask is let in yet.',
  Active: 'Its keys work while it is in the beta.',
  Suspended: 'Nothing that its keys send or ask is let in.',
};
