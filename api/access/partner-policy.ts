import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { checkGate, type PartnerGate } from '../../domain/partner/gate.ts';
import { partnerFold } from '../../domain/partner/state.ts';
import { partnerStream } from '../../domain/stream-names.ts';
import { createVersionedCache } from '../process/remember.ts';

/** The gate of a partner as it stands now. */
export type FindPartnerPolicy = (partnerId: string) => Promise<PartnerGate>;

/**
 * Finds a partner's gate in the log itself, so that a change is in force at once, also while the
 * read tables are behind; while the log is away, by the partner as last read.
 * @param accessVersion counter that goes up with every change to a partner; fails when it cannot be
 * known
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
