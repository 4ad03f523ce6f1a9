import type { WorkEvent } from '../../domain/work-items/events.ts';
import { type Change, type Handlers, type ReadTable, upsert } from '../projection.ts';

/** Row of `read.work_taken`: who takes care of something. */
export interface WorkTakenRow {
  readonly practice_id: string;
  readonly kind: string;
  readonly item_key: string;
  /** Member id; null: it was released. */
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

/** Row of `read.work_dismissed`: about what nothing more will be done. */
export interface WorkDismissedRow {
  readonly practice_id: string;
  readonly kind: string;
  readonly item_key: string;
  /** What it consisted of then; null: it was reopened. */
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

/** What people have said about the things to do. What there is to do follows from other tables. */
export const workAssignments = {
  name: 'work_answers',
  version: 2,
  tables: [workTaken, workDismissed],
  on: {
    WorkTaken: (data) => [taken(data, data.memberId)],
    WorkReleased: (data) => [taken(data, null)],
    WorkDismissed: (data) => [dismissed(data, data.parts)],
    WorkReopened: (data) => [dismissed(data, null)],
  } satisfies Handlers<WorkEvent>,
};

type StatedBy = WorkEvent['data'];

const keyOf = ({ practiceId, kind, key }: StatedBy) => ({
  practice_id: practiceId,
  kind,
  item_key: key,
});

const taken = (data: StatedBy, by: string | null): Change =>
  upsert('work_taken', { ...keyOf(data), taken_by: by, taken_at: data.at });

const dismissed = (data: StatedBy, parts: readonly string[] | null): Change =>
  upsert('work_dismissed', {
    ...keyOf(data),
    parts,
    dismissed_by: data.memberId,
    dismissed_at: data.at,
  });
