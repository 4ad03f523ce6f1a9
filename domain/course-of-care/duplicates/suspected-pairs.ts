import type { Actor } from '../../event-log.ts';
import type { CourseOfCare } from '../canonical-record.ts';
import type { SubmissionSource } from '../events.ts';

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
  /** Names those to whom the record is attributed now. */
  readonly course: CourseOfCare;
}

/** Two live records that look alike, and nobody has told apart. */
export interface SuspectedPair {
  readonly older: PairRecord;
  /** The one that is flagged. */
  readonly newer: PairRecord;
  readonly since: Date;
}

/** The flagged records of open pairs by their ids, those flagged first before others. */
export type ListSuspected = (practiceId: string) => Promise<readonly string[]>;

/** The open pair of a flagged record; null if there is none (any more). */
export type LoadSuspectedPair = (
  practiceId: string,
  newer: string,
) => Promise<SuspectedPair | null>;

/** A record of a pair in a list. */
export interface PairLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
}

/** Two live records that somebody has told apart. */
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
