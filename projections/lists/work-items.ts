import type { Question } from '../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { WorkItemName, WorkKind } from '../../domain/work-items/items.ts';
import type { PairIds } from './duplicates.ts';
import type { RecordLine } from './records.ts';

/** Things to do of one kind that are counted and listed; a practice with more has other work to do first. */
export const MAX_WORK_ITEMS = 1_000;

/** The number in the menu goes no further. */
export const MAX_SHOWN_IN_MENU = 100;

/** Refused records and import rows are listed for so many days, and births for a year. */
export const LISTED_DAYS = { refused: 90, birth: 365 } as const;

/** For whom things to do are looked up. */
export interface WorkSeat {
  readonly practiceId: string;
  readonly memberId: string;
  /** `YYYY-MM-DD` in the practice's time zone. */
  readonly today: string;
  readonly now: Date;
  /** Ids of the items of the certificate that the practice needs. */
  readonly neededItems: readonly string[];
  /** Days after a birth by which its record is due; null: the practice set none. */
  readonly daysUntilDue: number | null;
  /** Reviews of access are for Admins. */
  readonly isAdmin: boolean;
}

/** Which things to do a list shows; null and false ask for nothing. */
export interface WorkFilter {
  readonly kind: WorkKind | null;
  /** Those that the member has taken. */
  readonly isMine: boolean;
  /** Those whose due date has passed. */
  readonly isLate: boolean;
  /** Those that were dismissed, instead of those that are open. */
  readonly isDismissed: boolean;
}

/** How many things there are to do, by kind; each number is `MAX_WORK_ITEMS` at most. */
export interface WorkCounts {
  readonly byKind: ReadonlyMap<WorkKind, number>;
  readonly total: number;
  readonly mine: number;
  readonly late: number;
}

/** One thing to do. */
export interface WorkItem extends WorkItemName {
  readonly since: Date;
  /** Who took it before this took care of something else; null: it is always the same. */
  readonly opened: Date | null;
  /** What it consists of: paths of odd values, ids of items that are missing, matters of rejections. */
  readonly parts: readonly string[];
  /** `YYYY-MM-DD`; null: none. */
  readonly due: string | null;
  /** Member id of who takes care of it; null: nobody. */
  readonly takenBy: string | null;
  readonly takenAt: Date | null;
}

/** A refused record, as the list of things to do tells of it. */
export interface RefusedRecord {
  readonly ingestionId: string;
  readonly chartNumber: string | null;
  /** Submission uuid of the record under this chart number, active or voided. */
  readonly held: string | null;
  readonly rejections: readonly Rejection[];
  /** Name of the partner, else of the key; null: neither has one. */
  readonly sentBy: string | null;
}

/** Odd values of a record, with the course of care that holds them. */
export interface ListedQuestions {
  readonly version: number;
  readonly course: CourseOfCare;
  readonly questions: readonly Pick<Question, 'path' | 'doubts'>[];
}

/** A record that was voided and sent again. */
export interface ListedRevival {
  /** The version that made it live again. */
  readonly version: number;
  readonly voidedAt: Date;
  readonly voidedBy: Actor;
  readonly reason: string | null;
  readonly revivedAt: Date;
  readonly revivedBy: Actor;
}

/** A record as far as the list names it. */
export type WorkRecord = Pick<
  RecordLine,
  'chartNumber' | 'motherName' | 'keyKind' | 'born' | 'children' | 'fetalDeaths'
>;

/** What it takes to tell of things to do in words: of each kind by the keys of its items. */
export interface WorkDetails {
  /** The records that items are about, and those that look like them. */
  readonly records: ReadonlyMap<string, WorkRecord>;
  readonly questions: ReadonlyMap<string, ListedQuestions>;
  readonly pairs: ReadonlyMap<string, readonly PairIds[]>;
  readonly refused: ReadonlyMap<string, RefusedRecord>;
  readonly revived: ReadonlyMap<string, ListedRevival>;
  /** Imports: who brought the file, and how many rows were rejected. */
  readonly imports: ReadonlyMap<string, { readonly memberId: string; readonly rejected: number }>;
  /** Names of keys; null: it has none. */
  readonly keys: ReadonlyMap<string, string | null>;
}

/** A page of things to do. */
export interface WorkPage {
  readonly counts: WorkCounts;
  /** Those that the filter finds, up to `MAX_WORK_ITEMS` of each kind. */
  readonly found: number;
  readonly items: readonly WorkItem[];
}
