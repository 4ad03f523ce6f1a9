import {
  emptySlot,
  evolve,
  type PartnerKeySlot,
  type PartnerKeySlotEvent,
  releaseSlot,
} from '../../../../domain/api-key/partner-key-slot.ts';
import { scenarios } from '../../../support/scenarios.ts';

const fold = (events: readonly PartnerKeySlotEvent[]): PartnerKeySlot =>
  events.reduce<PartnerKeySlot>(evolve, emptySlot);

const issued = (keyId: string): PartnerKeySlotEvent => ({
  type: 'PartnerKeyIssued',
  data: {
    keyId,
    partnerId: 'partner',
    practiceId: 'practice',
    name: null,
    tokenHash: 'hash',
    scopes: ['ingest:write'],
  },
});
const withdrawn = (keyId: string): PartnerKeySlotEvent => ({
  type: 'PartnerKeyWithdrawn',
  data: { partnerId: 'partner', practiceId: 'practice', keyId },
});

scenarios('withdrawing a partner feed key', fold, [
  {
    name: 'revoking the key that holds the place frees it',
    given: [issued('k-1')],
    when: (state) => releaseSlot('k-1', state),
    expect: { kind: 'accepted', events: [withdrawn('k-1')] },
  },
  {
    name: 'a place freed before stays free without another event',
    given: [issued('k-1'), withdrawn('k-1')],
    when: (state) => releaseSlot('k-1', state),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a place that another key has taken since stays with it',
    given: [issued('k-1'), withdrawn('k-1'), issued('k-2')],
    when: (state) => releaseSlot('k-1', state),
    expect: { kind: 'accepted', events: [] },
  },
]);
