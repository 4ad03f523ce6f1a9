import type { Question } from '../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { WorkItemName, WorkKind } from '../../domain/work-items/items.ts';
import type { CamelRow } from '../read-model.ts';
import type { PairIds } from './duplicates.ts';
import type { RecordLine } from './records.ts';

/** Maximum number of work items of one kind that are counted and listed. */
export const MAX_WORK_ITEMS = 1_000;

export const MAX_MENU_COUNT = 100;

export interface MenuCounts {
  readonly total: number;
  /** True while an import, or the undo of one, changes what is to do in the background. */
  readonly isChanging: boolean;
}

/** Number of days for which refused records and import rows, and births, are listed. */
export const LISTED_DAYS = { refused: 90, birth: 365 } as const;

/** The member whose work items are listed, with the settings of the practice that they depend on. */
export interface WorkSeat {
  readonly practiceId: string;
  readonly memberId: string;
  /** `YYYY-MM-DD` in the practice's time zone. */
  readonly today: string;
  readonly now: Date;
  /** Ids of the certificate items that the practice needs. */
  readonly neededItems: readonly string[];
  /** Days from a birth until its record is due; null if the practice set no limit. */
  readonly daysUntilDue: number | null;
  /** Access reviews are listed for Admins only. */
  readonly isAdmin: boolean;
}

/** Filter of the work list; null and false do not filter. */
export interface WorkFilter {
  readonly kind: WorkKind | null;
  readonly isMine: boolean;
  readonly isLate: boolean;
  readonly isDismissed: boolean;
}

/** Open work items; at most `MAX_WORK_ITEMS` are counted per kind. */
export interface WorkCounts {
  readonly byKind: ReadonlyMap<WorkKind, number>;
  readonly total: number;
  readonly mine: number;
  readonly late: number;
}

export interface WorkItem extends WorkItemName {
  readonly since: Date;
  /** Start of its current occurrence. Earlier assignments are ignored. Null if it occurs only once. */
  readonly opened: Date | null;
  /** Paths of unusual values, ids of missing items, or dismissal keys of rejections. */
  readonly parts: readonly string[];
  /** `YYYY-MM-DD`; null if there is no due date. */
  readonly due: string | null;
  /** Member id of the assignee; null if unassigned. */
  readonly takenBy: string | null;
  readonly takenAt: Date | null;
}

export interface RefusedRecord
  extends Pick<CamelRow<'refused_record'>, 'ingestionId' | 'chartNumber' | 'rejections'> {
  /** Submission uuid of the live or voided record with this chart number. */
  readonly recordUuid: string | null;
  /** Name of the partner, or of the key for a native push; null if the key has no name. */
  readonly sentBy: string | null;
}

export interface ListedQuestions {
  readonly version: number;
  readonly course: CourseOfCare;
  readonly questions: readonly Pick<Question, 'path' | 'doubts'>[];
}

export interface ListedRevival extends Pick<CamelRow<'record_void'>, 'voidedAt' | 'reason'> {
  readonly version: number;
  readonly voidedBy: Actor;
  readonly revivedAt: Date;
  readonly revivedBy: Actor;
}

export type WorkRecord = Pick<
  RecordLine,
  'chartNumber' | 'motherName' | 'keyKind' | 'born' | 'children' | 'fetalDeaths'
>;

/** Details needed to describe work items in words; maps are keyed by the item's key unless noted. */
export interface WorkDetails {
  /** Records of the items and their match candidates, by submission uuid. */
  readonly records: ReadonlyMap<string, WorkRecord>;
  readonly questions: ReadonlyMap<string, ListedQuestions>;
  readonly pairs: ReadonlyMap<string, PairIds>;
  readonly refused: ReadonlyMap<string, RefusedRecord>;
  readonly revived: ReadonlyMap<string, ListedRevival>;
  readonly imports: ReadonlyMap<string, { readonly memberId: string; readonly rejected: number }>;
  /** Names of keys; null if a key has none. */
  readonly keys: ReadonlyMap<string, string | null>;
}

export interface WorkPage {
  readonly counts: WorkCounts;
  /** Number of items that match the filter, up to `MAX_WORK_ITEMS` per kind. */
  readonly found: number;
  readonly items: readonly WorkItem[];
}
