import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { PracticeCommands } from '../commands/manage-practices.ts';
import type { RecordHistory } from '../commands/record-history.ts';
import type { Reads } from '../ports/reads.ts';

const UTC = 'UTC';

/** Without the read tables, the history shows ids. */
export const createHistoryNames = (reads: Reads, findPractice: PracticeCommands['find']) => {
  const orNone = <T>(found: Promise<T>, none: T): Promise<T> => found.catch(() => none);
  return async (practiceId: string, { events, state }: RecordHistory) => {
    const actors = events.map(({ actor }) => actor as Actor);
    const providerIds = [
      ...events.flatMap(({ type, data }) => providersIn({ type, data } as BirthRecordEvent)),
      state?.courseOfCare.attendant,
      state?.courseOfCare.certifier,
    ].filter((id) => id !== null && id !== undefined);
    const practice = await findPractice(practiceId);
    return {
      clock: '24' as const,
      timeZone: practice.status === 'unknown' ? UTC : practice.timeZone,
      actors: await orNone(reads.findActorNames(practiceId, actors), new Map()),
      providers: await orNone(reads.findProviderNames(practiceId, providerIds), new Map()),
      customFields: await orNone(reads.listCustomFields(practiceId), []),
    };
  };
};

const providersIn = (event: BirthRecordEvent): readonly (string | null)[] => {
  switch (event.type) {
    case 'BirthRecorded':
    case 'BirthAmended':
      return [event.data.course.attendant, event.data.course.certifier];
    case 'AttributionRepointed':
      return [event.data.to];
    default:
      return [];
  }
};
