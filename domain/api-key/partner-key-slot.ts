import { accept, type Decision } from '../decision.ts';
import type { Fact } from '../event-log.ts';
import type { Fold } from '../fold.ts';
import type { ApiKeyMinted } from './events.ts';

/** The place of a partner at a practice: free, or held by the last key that was issued for it. */
export type PartnerKeySlot =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly issued: PartnerKeyIssued['data'] };

/** A place before its first event. */
export const emptySlot: PartnerKeySlot = { status: 'free' };

/** The place after one more event. */
export const evolve = (_state: PartnerKeySlot, event: PartnerKeySlotEvent): PartnerKeySlot => {
  switch (event.type) {
    case 'PartnerKeyIssued':
      return { status: 'held', issued: event.data };
    case 'PartnerKeyWithdrawn':
      return emptySlot;
  }
};

/** How a stream of a place is read. */
export const slotFold: Fold<PartnerKeySlot, PartnerKeySlotEvent> = { initial: emptySlot, evolve };

/**
 * A partner feed key took the one place that its partner has at a practice. It holds all that the
 * key's own stream begins with, so that a minting cut short between the two can be finished.
 */
export type PartnerKeyIssued = Fact<
  'PartnerKeyIssued',
  Omit<ApiKeyMinted['data'], 'kind' | 'partnerId'> & { readonly partnerId: string }
>;

/** The key that held the place was revoked: another may be minted. */
export type PartnerKeyWithdrawn = Fact<
  'PartnerKeyWithdrawn',
  { readonly partnerId: string; readonly practiceId: string; readonly keyId: string }
>;

/** Events of a `partnerkeys-` stream: the place of one partner at one practice. */
export type PartnerKeySlotEvent = PartnerKeyIssued | PartnerKeyWithdrawn;

/** Frees the place that a revoked key held. A place that is free, or another key's, stays as it is. */
export const releaseSlot = (
  keyId: string,
  place: PartnerKeySlot,
): Decision<PartnerKeySlotEvent> => {
  if (place.status === 'free' || place.issued.keyId !== keyId) return accept();
  const { partnerId, practiceId } = place.issued;
  return accept({ type: 'PartnerKeyWithdrawn', data: { partnerId, practiceId, keyId } });
};
