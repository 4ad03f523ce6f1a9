import type { CourseOfCare } from '../../domain/course/course.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { CamelRow } from '../read-model.ts';
import type { RecordLine } from './records.ts';

export interface PairRecord
  extends Pick<
    CamelRow<'birth_record'>,
    'submissionUuid' | 'chartNumber' | 'version' | 'source' | 'keyKind' | 'recordedAt' | 'changedAt'
  > {
  readonly actor: Actor;
  /** Includes the providers that the record is currently attributed to. */
  readonly course: CourseOfCare;
}

export interface SuspectedPair {
  readonly older: PairRecord;
  readonly newer: PairRecord;
}

export type PairIds = Readonly<Record<'older' | 'newer', string>>;

export interface ListedPairIds extends PairIds {
  /** Number of pairs with the same older record: records that may all be the same birth. */
  readonly recordsAlike: number;
}

/** Maximum number of open pairs that are counted and listed. */
export const MAX_OPEN_PAIRS = 1_000;

export type PairLine = Pick<RecordLine, 'submissionUuid' | 'chartNumber' | 'motherName'>;

export interface DismissedPair {
  readonly older: PairLine;
  readonly newer: PairLine;
  readonly at: Date;
  readonly actor: Actor;
}
