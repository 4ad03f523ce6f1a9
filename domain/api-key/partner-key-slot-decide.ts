import { accept, type Decision } from '../decision.ts';
import type { PartnerPlace } from './partner-key-slot.ts';
import type { PartnerPlaceEvent } from './partner-key-slot-events.ts';

/** Frees the place that a revoked key held. A place that is free, or another key's, stays as it is. */
export const withdrawPartnerKey = (
  keyId: string,
  place: PartnerPlace,
): Decision<PartnerPlaceEvent> => {
  if (place.status === 'free' || place.issued.keyId !== keyId) return accept();
  const { partnerId, practiceId } = place.issued;
  return accept({ type: 'PartnerKeyWithdrawn', data: { partnerId, practiceId, keyId } });
};
