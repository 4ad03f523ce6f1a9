import type { Export, FilterKind, PlaceShown } from '../../domain/access-log/events.ts';
import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { AccessEntryType } from '../tables/access-entries.ts';
import type { ActorSummary } from './audit.ts';
import type { NamedPerson } from './people-names.ts';
import type { ListSlice } from './records.ts';

/** A record that an entry names, as it is called now. */
export interface AccessedRecord {
  readonly submissionUuid: string;
  /** Null: it has none, or the record is not in the tables yet, or is one of a longer list. */
  readonly chartNumber: string | null;
}

/** What a person did, as the access log shows it. */
export interface AccessEntry {
  readonly entryId: string;
  readonly type: AccessEntryType;
  readonly at: Date;
  readonly by: ActorSummary & Pick<Actor, 'id'>;
  /** Name of the key that did it; null: it has none, or no key did. */
  readonly keyName: string | null;
  /** The account that did it, or that was tried; null: none, or it is not known. */
  readonly accountId: string | null;
  /** Whose account was tried; null: nobody's, or it is not known. */
  readonly tried: NamedPerson | null;
  /** Where records were shown or printed; null for what shows none. */
  readonly place: PlaceShown | null;
  /**
   * Which limit held a sign-in back, where a password was tried, how records were printed, the host of the EHR
   * of a pre-fill, which births that were handed over, or which log; null for all else.
   */
  readonly detail: string | null;
  readonly exported: Export | null;
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  readonly records: readonly AccessedRecord[];
  /** Why the entry deserves a look; empty for nearly all. */
  readonly unusual: readonly UnusualMark[];
}

/**
 * Which entries of a practice's access log are asked for; null asks for all. What systems read by keys is
 * listed where it is asked for, by its kind or a record: it is more than what all people do. Which records were in
 * a file is listed for a record only, the file itself for all others.
 */
export interface AccessQuery {
  /** Account id of who did it, or whose account was tried. */
  readonly person: string | null;
  /** Submission uuid. */
  readonly record: string | null;
  readonly kind: AccessKind | null;
  /** Only entries with a mark. */
  readonly onlyUnusual?: boolean;
  /** The first moment asked for. */
  readonly since?: Date | null;
  /** The first moment that is not asked for any more. */
  readonly until?: Date | null;
}

/**
 * Finds entries, the latest first.
 * @param practiceId null: what concerns no practice, such as the sign-ins of the service staff
 * @returns with them how many there are in all; `isMore`: more than were counted
 */
export type FindAccess = (
  practiceId: string | null,
  query: AccessQuery,
  slice: ListSlice,
) => Promise<{
  readonly entries: readonly AccessEntry[];
  readonly found: number;
  readonly isMore: boolean;
}>;

/** Reads all entries, the latest first. @returns with how many they are */
export type ReadAccess = (
  practiceId: string | null,
  query: AccessQuery,
) => Promise<{
  readonly count: number;
  readonly parts: () => AsyncIterable<readonly AccessEntry[]>;
}>;

/** How often somebody got at a record in one way. */
export interface AccessCount {
  readonly type: AccessEntryType;
  readonly place: PlaceShown | null;
  readonly by: AccessEntry['by'];
  readonly keyName: string | null;
  readonly times: number;
  readonly first: Date;
  readonly last: Date;
}

/** Counts the entries of a record by who did what. */
export type CountAccess = (practiceId: string, record: string) => Promise<readonly AccessCount[]>;

/** Of a longer list no record is called by its number: the log would show what it watches over. */
const MAX_NAMED = 3;

/** Whether the records of an entry are called by their chart numbers. */
export const namesRecords = (place: PlaceShown | null, records: number): boolean =>
  place !== 'access-log' && records <= MAX_NAMED;

/** @see ACCESS_KINDS */
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** The kinds by which the access log can be narrowed down. */
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
