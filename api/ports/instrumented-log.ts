import type { EventLog } from '../../adapters/event-log/event-log.ts';
import type { SharedIngestionEvent } from '../../domain/submission/events.ts';
import type { Meters } from '../process/counts.ts';

export const instrumentLog = (log: EventLog, meters: Meters): EventLog => ({
  ...log,
  async append(stream, expected, events, context, ...limits) {
    const began = performance.now();
    try {
      const result = await log.append(stream, expected, events, context, ...limits);
      meters.appended(result.kind, performance.now() - began);
      if (result.kind === 'appended') countEnds(events, meters);
      return result;
    } catch (error) {
      meters.appended('failed', performance.now() - began);
      throw error;
    }
  },
});

/** The last event of an append ends the ingestion, whatever the others are. */
const countEnds = (events: Parameters<EventLog['append']>[2], meters: Meters): void => {
  const { type, data } = events.at(-1)?.event ?? {};
  if (type === 'PushesIngested')
    for (const _ of (data as SharedIngestionEvent<'PushesIngested'>['data']).pushes)
      meters.ended('completed');
  else if (type === 'IngestionCompleted' || type === 'SubmissionIngested')
    meters.ended('completed');
  else if (type === 'IngestionFailed') meters.ended('failed');
};
