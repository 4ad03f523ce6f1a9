import { randomUUID } from 'node:crypto';
import { findAccessIn } from '../../../adapters/postgres/queries/access-log.ts';
import { findPracticeOfProviderIn } from '../../../adapters/postgres/queries/providers.ts';
import type { AccessQuery } from '../../../domain/access-log/access-entry.ts';
import { showRecords } from '../../../domain/access-log/decide.ts';
import type { PlaceShown } from '../../../domain/access-log/events.ts';
import type { AppendContext } from '../../../domain/event-log.ts';
import { type ListedAccess, listAccess } from '../../access-log/list-access.ts';
import type { RecordHistory } from '../../commands/record-history.ts';
import { carryNotesOf, noteAccessIn } from '../access-log.ts';
import type { Stores } from '../stores.ts';
import type { CommandSets } from './command-sets.ts';
import type { CommandReadTables } from './read-tables.ts';

/** What commands tell the access log, and what they tell of it. */
export interface CommandAccessLog {
  /** Passes a record's history on, once it is noted that somebody sees it. */
  history(practiceId: string, shown: RecordHistory): Promise<RecordHistory>;
  /** The same of the records in a provider's career. */
  readonly career: CommandSets['providers']['career'];
  /** What the access log of a practice, or of none, says by now, the latest first. */
  list(practiceId: string | null, query: AccessQuery): Promise<ListedAccess>;
}

/** Whoever needs more narrows them down. */
const MOST_LISTED = 10_000;
const TABLES_WITHIN_MS = 30_000;

/** @see CommandAccessLog */
export const commandAccessLogOf = (
  stores: Pick<Stores, 'db' | 'log'>,
  career: CommandSets['providers']['career'],
  readTables: () => Promise<CommandReadTables>,
  { actor, correlationId }: AppendContext,
): CommandAccessLog => {
  const { db, log } = stores;
  const note = noteAccessIn(db);
  const findPracticeOfProvider = findPracticeOfProviderIn(db);

  const noteShown = async (
    practiceId: string,
    place: PlaceShown,
    recordIds: readonly string[],
  ): Promise<void> => {
    const events = showRecords({ practiceId, at: new Date(), place, recordIds, filters: [] });
    if (events.length > 0)
      await note(events.map((event) => ({ noteId: randomUUID(), event, actor, correlationId })));
  };

  return {
    async history(practiceId, shown) {
      const { submissionUuid, state } = shown;
      if (submissionUuid !== null && state !== null)
        await noteShown(practiceId, 'history-command', [submissionUuid]);
      return shown;
    },

    async career(providerId) {
      const entries = await career(providerId);
      const practiceId = await findPracticeOfProvider(providerId);
      const recordIds = entries.map(({ submissionUuid }) => submissionUuid);
      if (practiceId !== null) await noteShown(practiceId, 'career-command', recordIds);
      return entries;
    },

    async list(practiceId, query) {
      await carryNotesOf(stores)();
      const { progress } = await readTables();
      await progress.reach(await log.head(), TABLES_WITHIN_MS);
      return listAccess(findAccessIn(db), practiceId, query, MOST_LISTED);
    },
  };
};
