import type { WorkEvent } from '../../domain/work-items/events.ts';
import { type Change, type Handlers, type ReadTable, upsert } from '../projection.ts';

/** Row of `read.work_taken`: assignment of a work item. */
export interface WorkTakenRow {
  readonly practice_id: string;
  readonly kind: string;
  readonly item_key: string;
  /** Member id; null if released. */
  readonly taken_by: string | null;
  readonly taken_at: Date;
}

const workTaken: ReadTable = {
  name: 'work_taken',
  columns: {
    practice_id: 'text not null',
    kind: 'text not null',
    item_key: 'text not null',
    taken_by: 'text',
    taken_at: 'timestamptz not null',
  },
  key: ['practice_id', 'kind', 'item_key'],
  indexes: [],
};

/** Row of `read.work_dismissed`: dismissal of a work item. */
export interface WorkDismissedRow {
  readonly practice_id: string;
  readonly kind: string;
  readonly item_key: string;
  /** Parts of the item when it was dismissed; null if reopened. */
  readonly parts: readonly string[] | null;
  readonly dismissed_by: string;
  readonly dismissed_at: Date;
}

const workDismissed: ReadTable = {
  name: 'work_dismissed',
  columns: {
    practice_id: 'text not null',
    kind: 'text not null',
    item_key: 'text not null',
    parts: 'text[]',
    dismissed_by: 'text not null',
    dismissed_at: 'timestamptz not null',
  },
  key: ['practice_id', 'kind', 'item_key'],
  indexes: [],
};

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
