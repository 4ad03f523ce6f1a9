import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { checkGate, type PartnerGate } from '../../domain/partner/gate.ts';
import { partnerFold } from '../../domain/partner/state.ts';
import { partnerStream } from '../../domain/stream-names.ts';
import { createVersionedCache } from '../process/remember.ts';

export type FindPartnerPolicy = (partnerId: string) => Promise<PartnerGate>;

/**
 * Reads the log itself, so a change applies immediately; while it is unavailable, the stored copy.
 * @param accessVersion counter of changes to partners; rejects if it is unknown
 * @see spec "Partner contract status"
 */
export const createFindPartnerPolicy = (
  readStream: ReadStream,
  accessVersion: () => Promise<bigint>,
): FindPartnerPolicy =>
  createVersionedCache(accessVersion, async (partnerId) => {
    const stored = await readStream(partnerStream(partnerId));
    return checkGate(stateAfter(stored, partnerFold));
  });
