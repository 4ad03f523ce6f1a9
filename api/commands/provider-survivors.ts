import type { ReadStream, StoredEvent } from '../../domain/event-log.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import {
  evolve,
  evolveMerges,
  type Merges,
  noMerges,
  type Provider,
  survivorIn,
  unknownProvider,
} from '../../domain/provider/state.ts';
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
    const provider = providerOf(await parts.readStream(providerStream(providerId)));
    if (provider.status === 'unknown') return providerId;
    const { practiceId, partnerId } = provider;
    const merges = await parts.readStream(mergesStream(parts.mergesHash(practiceId, partnerId)));
    return survivorIn(mergesOf(merges.filter((stored) => isUpTo(stored, asOf))), providerId);
  };

/** Whether an event was recorded by an instant. @param asOf null: any was */
export const isUpTo = ({ metadata }: StoredEvent, asOf: Date | null): boolean =>
  asOf === null || Date.parse(metadata.recordedAt) <= asOf.getTime();

const providerOf = (stored: readonly StoredEvent[]): Provider =>
  stored.reduce<Provider>(
    (state, { event }) => evolve(state, event as ProviderEvent),
    unknownProvider,
  );

const mergesOf = (stored: readonly StoredEvent[]): Merges =>
  stored.reduce<Merges>((state, { event }) => evolveMerges(state, event as MergesEvent), noMerges);
