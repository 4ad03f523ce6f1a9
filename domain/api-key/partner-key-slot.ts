import { accept, type Decision } from '../decision.ts';
import { defineEvents, type InferEvent } from '../define-events.ts';
import type { Fold } from '../fold.ts';
import { object, text } from '../schema.ts';
import { keyProperties, optionalKeyProperties } from './events.ts';

/** Slot of a partner at a practice: free, or occupied by the last key issued for it. */
export type PartnerKeySlot =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly issued: PartnerKeySlotEvent<'PartnerKeyIssued'>['data'] };

export const emptySlot: PartnerKeySlot = { status: 'free' };

export const evolve = (_state: PartnerKeySlot, event: PartnerKeySlotEvent): PartnerKeySlot => {
  switch (event.type) {
    case 'PartnerKeyIssued':
      return { status: 'held', issued: event.data };
    case 'PartnerKeyWithdrawn':
      return emptySlot;
  }
};

export const slotFold: Fold<PartnerKeySlot, PartnerKeySlotEvent> = { initial: emptySlot, evolve };

/** Events of a `partnerkeys-` stream: the slot of one partner at one practice. */
export const PARTNER_KEY_SLOT_EVENTS = defineEvents('partnerkeys', {
  /**
   * A partner feed key claimed its partner's one slot at a practice. The event contains everything in the first
   * event of the key's own stream, so that an interrupted minting can be completed.
   */
  PartnerKeyIssued: object(
    { keyId: text, partnerId: text, practiceId: text, ...keyProperties },
    optionalKeyProperties,
  ),

  /** The key in the slot was revoked, so another can be minted. */
  PartnerKeyWithdrawn: object({ partnerId: text, practiceId: text, keyId: text }),
});

type Events = typeof PARTNER_KEY_SLOT_EVENTS;
export type PartnerKeySlotEvent<Type extends keyof Events = keyof Events> = InferEvent<
  Events,
  Type
>;

/** Releases the slot of a revoked key. No change if it is free or occupied by another key. */
export const releaseSlot = (
  keyId: string,
  place: PartnerKeySlot,
): Decision<PartnerKeySlotEvent> => {
  if (place.status === 'free' || place.issued.keyId !== keyId) return accept();
  const { partnerId, practiceId } = place.issued;
  return accept({ type: 'PartnerKeyWithdrawn', data: { partnerId, practiceId, keyId } });
};
