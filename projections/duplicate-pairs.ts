import type { CourseOfCare } from '../domain/course-of-care/canonical-record.ts';
import type {
  BirthRecordEvent,
  DuplicateFlagged,
  SubmissionSource,
} from '../domain/course-of-care/events.ts';
import type { Actor, StoredEvent } from '../domain/event-log.ts';
import { type Change, type Handlers, put, type ReadTable } from './projection.ts';

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

/** A record of a pair as people compare it. */
export interface PairRecord {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly version: number;
  readonly source: SubmissionSource;
  readonly keyKind: 'native' | 'partner' | null;
  readonly recordedAt: Date;
  readonly changedAt: Date;
  /** Who wrote the version that holds now. */
  readonly actor: Actor;
  /** Names the providers that the record is attributed to now. */
  readonly course: CourseOfCare;
}

/** Two live records that look alike and were not told apart. */
export interface SuspectedPair {
  readonly older: PairRecord;
  readonly newer: PairRecord;
}

/** The two records of a pair by their ids. */
export type PairIds = Readonly<Record<'older' | 'newer', string>>;

/** Open pairs that are counted and listed; a practice with more has other work to do first. */
export const MAX_OPEN_PAIRS = 1_000;

/**
 * The open pairs of a practice, `MAX_OPEN_PAIRS` at most, those found first before others; last those
 * whose records differ in nearly everything.
 */
export type ListSuspected = (practiceId: string) => Promise<readonly PairIds[]>;

/** Loads an open pair; null if it is not open (any more). */
export type LoadSuspectedPair = (
  practiceId: string,
  pair: PairIds,
) => Promise<SuspectedPair | null>;

/** A record of a pair in a list. */
export interface PairLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
}

/** Two live records that were told apart. */
export interface DismissedPair {
  readonly older: PairLine;
  readonly newer: PairLine;
  readonly at: Date;
  readonly actor: Actor;
}

/** Pairs that were told apart since a moment, and can be flagged again; latest first. */
export type ListDismissed = (
  practiceId: string,
  since: Date,
  most: number,
) => Promise<readonly DismissedPair[]>;
