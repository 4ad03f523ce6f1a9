import type { ReadStream, StoredEvent } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { mergesFold, providerFold, survivorIn } from '../../domain/provider/state.ts';
import { mergesStream, providerStream } from '../../domain/stream-names.ts';

/**
 * Who stands for a provider after the merges up to an instant; itself if it was never absorbed.
 * @param asOf null: now
 */
export type FindSurvivor = (providerId: string, asOf: Date | null) => Promise<string>;

/** Finds survivors in the log itself. */
export const findSurvivorWith =
  (parts: {
    readonly readStream: ReadStream;
    readonly mergesHash: (practiceId: string, partnerId: string) => string;
  }): FindSurvivor =>
  async (providerId, asOf) => {
    const provider = stateAfter(await parts.readStream(providerStream(providerId)), providerFold);
    if (provider.status === 'unknown') return providerId;
    const { practiceId, partnerId } = provider;
    const merges = await parts.readStream(mergesStream(parts.mergesHash(practiceId, partnerId)));
    const inForce = merges.filter((stored) => isUpTo(stored, asOf));
    return survivorIn(stateAfter(inForce, mergesFold), providerId);
  };

/** Whether an event was recorded by an instant. @param asOf null: any was */
export const isUpTo = ({ metadata }: StoredEvent, asOf: Date | null): boolean =>
  asOf === null || Date.parse(metadata.recordedAt) <= asOf.getTime();
