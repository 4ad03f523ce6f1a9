import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
import type { Seat } from '../../../access/signed-in.ts';
import type { App } from '../../../ports/app-ports.ts';
import type { RecordNames } from './record-view.ts';

/** @param at as-of time; `null` for the present */
export const loadHistoryNames = async (
  app: App,
  { practiceId, practice }: Seat,
  stored: readonly StoredRecordEvent[],
  at: Date | null = null,
): Promise<RecordNames> => {
  const providerIds = stored.flatMap(({ event }) => {
    if (event.type === 'AttributionRepointed') return [event.data.from, event.data.to];
    if (!('course' in event.data)) return [];
    const { attendant, certifier } = event.data.course;
    return [attendant, certifier].filter((id) => id !== null);
  });
  const [actors, providers, customFields] = await Promise.all([
    app.reads.findActorNames(
      practiceId,
      stored.map(({ metadata }) => metadata.actor),
    ),
    app.reads.findProviderNames(practiceId, providerIds),
    app.reads.listCustomFields(practiceId),
  ]);
  return {
    timeZone: practice.timeZone,
    clock: practice.clock,
    actors,
    customFields,
    // In the past, later merges do not apply; earlier ones are among the record's events.
    providers:
      at === null
        ? providers
        : new Map([...providers].map(([id, one]) => [id, { ...one, name: one.ownName }])),
  };
};
