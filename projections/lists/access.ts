import type { Export, FilterKind, PlaceShown } from '../../domain/access-log/events.ts';
import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { AccessEntryType } from '../tables/access-entries.ts';
import type { ActorSummary } from './audit.ts';
import type { NamedPerson } from './people-names.ts';

/** A record in an entry, with its current chart number. */
export interface AccessedRecord {
  readonly submissionUuid: string;
  /** Null if the record has none, is not projected yet, or is part of a longer list. */
  readonly chartNumber: string | null;
}

/** An entry of the access log. */
export interface AccessEntry {
  readonly entryId: string;
  readonly type: AccessEntryType;
  readonly at: Date;
  readonly by: ActorSummary & Pick<Actor, 'id'>;
  /** Name of the key that acted. Null if it is unnamed, or if no key acted. */
  readonly keyName: string | null;
  /** Account that acted, or that a sign-in was attempted for. Null if there is none or it is unknown. */
  readonly accountId: string | null;
  /** Owner of the account that a sign-in was attempted for. Null if there is none or it is unknown. */
  readonly tried: NamedPerson | null;
  /** Page that showed or printed records, or null. */
  readonly place: PlaceShown | null;
  /**
   * Depends on the type: the limit that blocked a sign-in, the page of a wrong password, the way
   * records were printed, the EHR host of a pre-fill, the births of a handoff, or the log that was
   * viewed. Null for other types.
   */
  readonly detail: string | null;
  readonly exported: Export | null;
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  readonly records: readonly AccessedRecord[];
  /** Reasons to review the entry; usually empty. */
  readonly unusual: readonly UnusualMark[];
}

/**
 * Filter of the access log; null does not filter. Reads by keys are listed only when filtered by their kind
 * or by a record: they outnumber everything people do. The records of an exported file are listed only when
 * filtered by a record; otherwise the file itself is one entry.
 */
export interface AccessQuery {
  /** Id of the account that acted, or that a sign-in was attempted for. */
  readonly person: string | null;
  /** Submission uuid. */
  readonly record: string | null;
  readonly kind: AccessKind | null;
  /** Only entries with a mark. */
  readonly onlyUnusual?: boolean;
  /** Inclusive. */
  readonly since?: Date | null;
  /** Exclusive. */
  readonly until?: Date | null;
}

/** Number of times one actor accessed a record in one way. */
export interface AccessCount {
  readonly type: AccessEntryType;
  readonly place: PlaceShown | null;
  readonly by: AccessEntry['by'];
  readonly keyName: string | null;
  readonly times: number;
  readonly first: Date;
  readonly last: Date;
}

/** Entries with more records omit chart numbers: otherwise the log itself would disclose them. */
const MAX_NAMED_RECORDS = 3;

/** True if an entry shows the chart numbers of its records. */
export const canShowChartNumbers = (place: PlaceShown | null, records: number): boolean =>
  place !== 'access-log' && records <= MAX_NAMED_RECORDS;

export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Kinds that the access log can be filtered by. */
export const ACCESS_KINDS = [
  'sign-ins',
  'records',
  'prints',
  'exports',
  'receipts',
  'prefills',
] as const;

/** The event types of each kind. */
export const TYPES_OF_KIND: Readonly<Record<AccessKind, readonly AccessEntryType[]>> = {
  'sign-ins': [
    'AccountSignedIn',
    'AccountSignedOut',
    'PasswordRefused',
    'SingleSignOnRefused',
    'SignInHeldBack',
    'SessionsEnded',
    'SecondFactorChanged',
    'KeyRefusedElsewhere',
  ],
  records: [
    'RecordsShown',
    'ChartsShown',
    'ImportShown',
    'HandedOverShown',
    'HandedOverDiscarded',
    'LogShown',
  ],
  prints: ['RecordsPrinted'],
  exports: ['DataExported', 'RecordsExported'],
  receipts: ['ReceiptsRead'],
  prefills: ['RecordPrefilled'],
};
