import type { WorkEvent } from '../../domain/work-items/events.ts';
import { type Change, column, defineTable, type Handlers, upsert } from '../projection.ts';

const workTaken = defineTable({
  name: 'work_taken',
  columns: {
    practice_id: column.text(),
    kind: column.text(),
    item_key: column.text(),
    /** Member id; null if released. */
    taken_by: column.textOrNull(),
    taken_at: column.timestamptz(),
  },
  key: ['practice_id', 'kind', 'item_key'],
  indexes: [],
});

const workDismissed = defineTable({
  name: 'work_dismissed',
  columns: {
    practice_id: column.text(),
    kind: column.text(),
    item_key: column.text(),
    /** Parts of the item when it was dismissed; null if reopened. */
    parts: column.textArrayOrNull(),
    dismissed_by: column.text(),
    dismissed_at: column.timestamptz(),
  },
  key: ['practice_id', 'kind', 'item_key'],
  indexes: [],
});

/** Assignments and dismissals of work items. The items themselves come from other tables. */
export const workAssignments = {
  name: 'work_answers',
  version: 2,
  tables: [workTaken, workDismissed],
  on: {
    WorkTaken: (data) => [assign(data, data.memberId)],
    WorkReleased: (data) => [assign(data, null)],
    WorkDismissed: (data) => [dismiss(data, data.parts)],
    WorkReopened: (data) => [dismiss(data, null)],
  } satisfies Handlers<WorkEvent>,
};

type WorkEventData = WorkEvent['data'];

const buildKey = ({ practiceId, kind, key }: WorkEventData) => ({
  practice_id: practiceId,
  kind,
  item_key: key,
});

const assign = (data: WorkEventData, memberId: string | null): Change =>
  upsert('work_taken', { ...buildKey(data), taken_by: memberId, taken_at: data.at });

const dismiss = (data: WorkEventData, parts: readonly string[] | null): Change =>
  upsert('work_dismissed', {
    ...buildKey(data),
    parts,
    dismissed_by: data.memberId,
    dismissed_at: data.at,
  });
