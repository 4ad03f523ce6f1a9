import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { type PartnerGate, partnerGate } from '../../domain/partner/gate.ts';
import { partnerFold } from '../../domain/partner/state.ts';
import { partnerStream } from '../../domain/stream-names.ts';
import { rememberUnder } from './remember.ts';

/** The gate of a partner as it stands now. */
export type FindPartnerGate = (partnerId: string) => Promise<PartnerGate>;

/**
 * Finds a partner's gate in the log itself, so that a change is in force at once, also while the
 * read tables are behind.
 * @see spec "Partner contract status"
 */
export const findPartnerGateWith = (parts: {
  readonly readStream: ReadStream;
  /** Counter that goes up with every change to a partner; fails when it cannot be known. */
  readonly accessVersion: () => Promise<bigint>;
}): FindPartnerGate =>
  rememberUnder(parts.accessVersion, async (partnerId) => {
    const stored = await parts.readStream(partnerStream(partnerId));
    return partnerGate(stateAfter(stored, partnerFold));
  });
