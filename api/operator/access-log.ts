import { randomUUID } from 'node:crypto';
import { buildRecordsShown } from '../../domain/access-log/decide.ts';
import type { AccessPlace } from '../../domain/access-log/events.ts';
import type { AppendContext } from '../../domain/event-log.ts';
import { isUuid } from '../../domain/text-input.ts';
import type { AccessQuery } from '../../projections/lists/access.ts';
import {
  type ListedAccess,
  type ListedRecordAccess,
  listAccess,
  listRecordAccess,
} from '../access-log/list-access.ts';
import { createAccessLogRelay } from '../app/access-log-relay.ts';
import type { CommandSets } from '../commands/command-sets.ts';
import type { RecordHistory } from '../commands/record-history.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { Stores } from '../stores/stores.ts';

export interface CommandAccessLog {
  /** Records that the command shows the history. */
  history(practiceId: string, history: RecordHistory): Promise<RecordHistory>;
  /** Records that the provider's records were shown. */
  readonly career: CommandSets['providers']['career'];
  /**
   * Latest entry first; `null` for entries of no practice. A list about one record comes from the
   * practice that owns it, and is itself recorded.
   */
  list(practiceId: string | null, query: AccessQuery): Promise<ListedAccess | ListedRecordAccess>;
}

/** Older entries can be found with filters. */
const MAX_LISTED = 10_000;
const TABLES_WITHIN_MS = 30_000;

export const createCommandAccessLog = (
  { log, reads, progress, noteAccess }: AppPorts,
  stores: Pick<Stores, 'db' | 'log'>,
  { practices, providers: { career } }: Pick<CommandSets, 'practices' | 'providers'>,
  { actor, correlationId }: AppendContext,
): CommandAccessLog => {
  const noteRecords = async (
    practiceId: string,
    place: AccessPlace,
    recordIds: readonly string[],
  ): Promise<void> => {
    const events = buildRecordsShown({ practiceId, at: new Date(), place, recordIds, filters: [] });
    if (events.length > 0)
      await noteAccess(
        events.map((event) => ({ noteId: randomUUID(), event, actor, correlationId })),
      );
  };

  return {
    async history(practiceId, history) {
      const { submissionUuid, state } = history;
      if (submissionUuid !== null && state !== null)
        await noteRecords(practiceId, 'history-command', [submissionUuid]);
      return history;
    },

    async career(providerId) {
      const entries = await career(providerId);
      const practiceId = await reads.findPracticeByProvider(providerId);
      const recordIds = entries.map(({ submissionUuid }) => submissionUuid);
      if (practiceId !== null) await noteRecords(practiceId, 'career-command', recordIds);
      return entries;
    },

    async list(practiceId, query) {
      await createAccessLogRelay(stores)();
      await progress.reach(await log.head(), TABLES_WITHIN_MS);
      const { record } = query;
      const of =
        record !== null && isUuid(record) ? await reads.findPracticeByRecord(record) : null;
      const holder = practiceId ?? of;
      const practice = holder === null ? null : await practices.find(holder);
      const lastBreakGlass = practice?.status === 'known' ? practice.lastBreakGlass : null;
      if (record === null || holder === null || holder !== of)
        return listAccess(reads, holder, lastBreakGlass, query, MAX_LISTED);
      const recordQuery = { ...query, record };
      const list = await listRecordAccess(reads, holder, lastBreakGlass, recordQuery, MAX_LISTED);
      await noteRecords(holder, 'access-command', [record]);
      return list;
    },
  };
};
