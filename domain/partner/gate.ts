import type { Partner } from './state.ts';

/** Closed if requests with the partner's feed keys are refused; `reason` also explains what to do. */
export type PartnerGate =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly reason: string };

const buildClosedGate = (why: string): PartnerGate => ({
  kind: 'closed',
  reason: `${why} Your partner feed keys stay valid; ask the service staff of the registry.`,
});

/** @see spec "Partner contract status" */
export const checkGate = (partner: Partner): PartnerGate => {
  if (partner.status === 'unknown')
    return buildClosedGate('The partner of this API key is not known.');
  if (!partner.beta) return buildClosedGate('Your organization is not in the partner-EHR beta.');
  if (partner.contract !== 'Active')
    return buildClosedGate(
      `The contract status of your organization is ${partner.contract}, not Active.`,
    );
  return { kind: 'open' };
};
