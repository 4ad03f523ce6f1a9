import type { FindActorNames } from '../../../domain/course-of-care/finding/ports.ts';
import type { ReadStream, StoredEvent } from '../../../domain/event-log.ts';
import type { ProviderDetails } from '../../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../../domain/provider/events.ts';
import { mergesStream, providerStream } from '../../../domain/stream-names.ts';

/** Something that changed what is known of a provider. */
export type ProviderChange =
  | { readonly kind: 'details'; readonly at: Date; readonly details: ProviderDetails }
  | {
      readonly kind: 'merge';
      readonly at: Date;
      readonly absorbedId: string;
      /** Email of the member who merged them; null: the service's staff did. */
      readonly by: string | null;
    };

/** What changed, latest first. */
export type FindProviderHistory = (provider: {
  readonly practiceId: string;
  readonly partnerId: string;
  readonly providerId: string;
}) => Promise<readonly ProviderChange[]>;

/** What the history of a provider is read with. */
export interface ProviderHistoryParts {
  readonly readStream: ReadStream;
  readonly mergesHash: (practiceId: string, partnerId: string) => string;
  readonly findActorNames: FindActorNames;
}

/** Reads the history of a provider from the log: what its partner told, and what it has absorbed. */
export const findProviderHistoryWith =
  (parts: ProviderHistoryParts): FindProviderHistory =>
  async ({ practiceId, partnerId, providerId }) => {
    const [told, merges] = await Promise.all([
      parts.readStream(providerStream(providerId)),
      parts.readStream(mergesStream(parts.mergesHash(practiceId, partnerId))),
    ]);
    const own = merges.filter(({ event }) => (event as MergesEvent).data.survivor === providerId);
    const actors = own.map(({ metadata: { actor } }) => actor);
    const names = await parts.findActorNames(practiceId, actors);
    const mergeOf = ({ event, metadata }: StoredEvent): ProviderChange => ({
      kind: 'merge',
      at: new Date(metadata.recordedAt),
      absorbedId: (event as MergesEvent).data.absorbed,
      by: names.get(`${metadata.actor.kind}:${metadata.actor.id}`)?.name ?? null,
    });
    return [...told.map(detailsOf), ...own.map(mergeOf)].sort(
      (a, b) => b.at.getTime() - a.at.getTime(),
    );
  };

const detailsOf = ({ event, metadata }: StoredEvent): ProviderChange => ({
  kind: 'details',
  at: new Date(metadata.recordedAt),
  details: (event as ProviderEvent).data,
});
