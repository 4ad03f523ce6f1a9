import type { Fold } from '../fold.ts';
import type { PartnerKeyIssued, PartnerPlaceEvent } from './partner-key-slot-events.ts';

/** The place of a partner at a practice: free, or held by the last key that was issued for it. */
export type PartnerPlace =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly issued: PartnerKeyIssued['data'] };

/** A place before its first event. */
export const freePlace: PartnerPlace = { status: 'free' };

/** The place after one more event. */
export const evolve = (_state: PartnerPlace, event: PartnerPlaceEvent): PartnerPlace => {
  switch (event.type) {
    case 'PartnerKeyIssued':
      return { status: 'held', issued: event.data };
    case 'PartnerKeyWithdrawn':
      return freePlace;
  }
};

/** How a stream of a place is read. */
export const placeFold: Fold<PartnerPlace, PartnerPlaceEvent> = { initial: freePlace, evolve };
