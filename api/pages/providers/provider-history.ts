import { isKnown, type StoredEvent } from '../../../domain/event-log.ts';
import type { ProviderDetails } from '../../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../../domain/provider/events.ts';
import { mergesStream, providerStream } from '../../../domain/stream-names.ts';
import type { ProviderListing } from '../../../projections/lists/providers.ts';
import type { App } from '../../ports/app-ports.ts';

export type ProviderChange =
  | { readonly kind: 'details'; readonly at: Date; readonly details: ProviderDetails }
  | {
      readonly kind: 'merge';
      readonly at: Date;
      readonly absorbedId: string;
      /** Email of the member who merged; `null` for service staff. */
      readonly by: string | null;
    };

/** Latest first. */
export const findProviderHistory = async (
  { log, identity, reads }: App,
  {
    practiceId,
    partnerId,
    providerId,
  }: Pick<ProviderListing, 'partnerId' | 'providerId'> & {
    readonly practiceId: string;
  },
): Promise<readonly ProviderChange[]> => {
  const [changes, merges] = await Promise.all([
    log.readStream(providerStream(providerId)),
    log.readStream(mergesStream(identity.mergesHash(practiceId, partnerId))),
  ]);
  const own = merges
    .filter(isKnown)
    .filter(({ event }) => (event as MergesEvent).data.survivor === providerId);
  const actors = own.map(({ metadata: { actor } }) => actor);
  const names = await reads.findActorNames(practiceId, actors);
  const toMerge = ({ event, metadata }: StoredEvent): ProviderChange => ({
    kind: 'merge',
    at: new Date(metadata.recordedAt),
    absorbedId: (event as MergesEvent).data.absorbed,
    by: names.get(`${metadata.actor.kind}:${metadata.actor.id}`)?.name ?? null,
  });
  return [...changes.filter(isKnown).map(toDetails), ...own.map(toMerge)].sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  );
};

const toDetails = ({ event, metadata }: StoredEvent): ProviderChange => ({
  kind: 'details',
  at: new Date(metadata.recordedAt),
  details: (event as ProviderEvent).data,
});
