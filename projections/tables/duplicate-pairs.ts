import type { BirthRecordEvent, DuplicateFlagged } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { type Change, type Handlers, put, type ReadTable } from '../projection.ts';

/** Row of `read.duplicate_pair`: a record that looks like an older one, and what staff made of it. */
export interface DuplicatePairRow {
  readonly submission_uuid: string;
  /** Submission uuid of the older record. */
  readonly duplicate_of: string;
  readonly practice_id: string;
  readonly is_dismissed: boolean;
  /** When it was flagged, dismissed or flagged again. */
  readonly since: Date;
  /** Who did that. */
  readonly actor_kind: string;
  readonly actor_id: string;
}

const duplicatePair: ReadTable = {
  name: 'duplicate_pair',
  columns: {
    submission_uuid: 'uuid not null',
    duplicate_of: 'uuid not null',
    practice_id: 'text not null',
    is_dismissed: 'boolean not null',
    since: 'timestamptz not null',
    actor_kind: 'text not null',
    actor_id: 'text not null',
  },
  key: ['submission_uuid', 'duplicate_of'],
  indexes: ['(practice_id, since)', '(duplicate_of)'],
};

/**
 * Pairs of look-alikes. Whether both are still live is the records' own table to say: a pair with a
 * voided side asks nothing of anybody.
 * @see spec "Duplicate fingerprint"
 */
export const duplicatePairs = {
  name: 'duplicate_pairs',
  version: 2,
  tables: [duplicatePair],
  on: {
    DuplicateFlagged: (data, stored) => [pairOf(data, false, stored)],
    DuplicateDismissed: (data, stored) => [pairOf(data, true, stored)],
    DuplicateFlagRestored: (data, stored) => [pairOf(data, false, stored)],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const pairOf = (
  { submissionUuid, duplicateOf, practiceId }: DuplicateFlagged['data'],
  isDismissed: boolean,
  { metadata }: StoredEvent,
): Change =>
  put('duplicate_pair', {
    submission_uuid: submissionUuid,
    duplicate_of: duplicateOf,
    practice_id: practiceId,
    is_dismissed: isDismissed,
    since: metadata.recordedAt,
    actor_kind: metadata.actor.kind,
    actor_id: metadata.actor.id,
  });
