import type { Fact } from '../event-log.ts';
import type { ApiKeyMinted } from './events.ts';

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
export type PartnerPlaceEvent = PartnerKeyIssued | PartnerKeyWithdrawn;
