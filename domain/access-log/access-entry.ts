import type { Doer } from '../audit/audit-entry.ts';
import type { ListSlice } from '../course-of-care/finding/listing.ts';
import type { Actor } from '../event-log.ts';
import type { AccessEvent, Export, FilterKind, PlaceShown } from './events.ts';

/** A record that an entry names, as it is called now. */
export interface AccessedRecord {
  readonly submissionUuid: string;
  /** Null: it has none, or the record is not in the tables yet, or is one of a longer list. */
  readonly chartNumber: string | null;
}

/** What somebody did, as the access log shows it. */
export interface AccessEntry {
  readonly entryId: string;
  readonly type: AccessEvent['type'];
  readonly at: Date;
  readonly by: Doer & Pick<Actor, 'id'>;
  /** The account that did it, or that was tried; null: none, or it is not known. */
  readonly accountId: string | null;
  /** Email of the account that was tried; null: none, or it is not known. */
  readonly triedEmail: string | null;
  /** Where records were shown; null for what shows none. */
  readonly place: PlaceShown | null;
  /** Which limit held a sign-in back, or where a password was tried; null for all else. */
  readonly detail: string | null;
  readonly exported: Export | null;
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  readonly records: readonly AccessedRecord[];
}

/** Of a longer list no record is called by its number: the log would show what it watches over. */
const MOST_NAMED = 3;

/** Whether the records of an entry are called by their chart numbers. */
export const namesRecords = (place: PlaceShown | null, records: number): boolean =>
  place !== 'access-log' && records <= MOST_NAMED;

/** The kinds by which the access log can be narrowed down. */
export const ACCESS_KINDS = ['sign-ins', 'records', 'exports'] as const;

/** @see ACCESS_KINDS */
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** The event types of each kind. */
export const TYPES_OF_KIND: Readonly<Record<AccessKind, readonly AccessEvent['type'][]>> = {
  'sign-ins': ['AccountSignedIn', 'AccountSignedOut', 'PasswordRefused', 'SignInHeldBack'],
  records: ['RecordsShown', 'ChartsShown'],
  exports: ['DataExported'],
};

/** Which entries of a practice's access log are asked for; null asks for all. */
export interface AccessQuery {
  /** Account id of who did it, or whose account was tried. */
  readonly person: string | null;
  /** Submission uuid. */
  readonly record: string | null;
  readonly kind: AccessKind | null;
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
