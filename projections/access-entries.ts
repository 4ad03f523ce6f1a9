import type { AccessEvent, Export, FilterKind, PlaceShown } from '../domain/access-log/events.ts';
import type { Actor, StoredEvent } from '../domain/event-log.ts';
import type { Doer } from './audit-entries.ts';
import type { NamedPerson } from './people-names.ts';
import { type Change, type Handlers, put, type ReadTable } from './projection.ts';
import type { ListSlice } from './record-listing.ts';

/** Row of `read.access_entry`: who signed in, and who saw which data of people. */
export interface AccessEntryRow {
  readonly entry_id: string;
  readonly position: string;
  readonly type: AccessEvent['type'];
  readonly at: Date;
  readonly actor: Actor;
  /** The account that did it, or that was tried. */
  readonly account_id: string | null;
  readonly practice_id: string | null;
  readonly place: PlaceShown | null;
  readonly detail: string | null;
  readonly exported: Export | null;
  readonly row_count: number | null;
  readonly filters: readonly FilterKind[] | null;
  readonly record_ids: readonly string[] | null;
}

const accessEntry: ReadTable = {
  name: 'access_entry',
  columns: {
    entry_id: 'text not null',
    position: 'bigint not null',
    type: 'text not null',
    at: 'timestamptz not null',
    actor: 'jsonb not null',
    account_id: 'text',
    practice_id: 'text',
    place: 'text',
    detail: 'text',
    exported: 'text',
    row_count: 'integer',
    filters: 'jsonb',
    record_ids: 'jsonb',
  },
  key: ['entry_id'],
  indexes: [
    '(practice_id, at desc, position desc)',
    '(practice_id, account_id, at desc, position desc)',
    // Few among many.
    "(practice_id, at desc, position desc) where type = 'DataExported'",
    // One row for a list of fifty records, found by each of them.
    'using gin (record_ids jsonb_path_ops)',
  ],
};

type Told = Partial<Omit<AccessEntryRow, 'entry_id' | 'position' | 'type' | 'at' | 'actor'>>;

const NOTHING_TOLD = {
  account_id: null,
  practice_id: null,
  place: null,
  detail: null,
  exported: null,
  row_count: null,
  filters: null,
  record_ids: null,
} as const;

const entry = (
  { practiceId, at }: AccessEvent['data'],
  { id, position, event, metadata: { actor } }: StoredEvent,
  told: Told,
): readonly Change[] => [
  put('access_entry', {
    entry_id: id,
    position: position.toString(),
    type: event.type,
    at,
    actor,
    ...NOTHING_TOLD,
    practice_id: practiceId,
    account_id: actor.kind === 'member' || actor.kind === 'staff' ? actor.id : null,
    ...told,
  }),
];

/** What people did and saw; the access log's pages are made of it. */
export const accessEntries = {
  name: 'access_entries',
  version: 3,
  tables: [accessEntry],
  on: {
    AccountSignedIn: (data, stored) => entry(data, stored, {}),
    AccountSignedOut: (data, stored) => entry(data, stored, {}),
    PasswordRefused: (data, stored) =>
      entry(data, stored, { account_id: data.accountId, detail: data.where }),
    SignInHeldBack: (data, stored) =>
      entry(data, stored, { account_id: data.accountId, detail: data.by }),
    SecondFactorChanged: (data, stored) => entry(data, stored, { detail: data.change }),
    SessionsEnded: (data, stored) => entry(data, stored, { account_id: data.accountId }),
    RecordsShown: (data, stored) =>
      entry(data, stored, { place: data.place, filters: data.filters, record_ids: data.recordIds }),
    ChartsShown: (data, stored) => entry(data, stored, {}),
    ImportShown: (data, stored) => entry(data, stored, { detail: data.stagedBy }),
    ReceiptsRead: (data, stored) =>
      entry(data, stored, { record_ids: data.recordIds, row_count: data.ingestionIds.length }),
    DataExported: (data, stored) =>
      entry(data, stored, { exported: data.what, row_count: data.rows, filters: data.filters }),
  } satisfies Handlers<AccessEvent>,
};

/** A record that an entry names, as it is called now. */
export interface AccessedRecord {
  readonly submissionUuid: string;
  /** Null: it has none, or the record is not in the tables yet, or is one of a longer list. */
  readonly chartNumber: string | null;
}

/** What a person did, as the access log shows it. */
export interface AccessEntry {
  readonly entryId: string;
  readonly type: AccessEvent['type'];
  readonly at: Date;
  readonly by: Doer & Pick<Actor, 'id'>;
  /** Name of the key that did it; null: it has none, or no key did. */
  readonly keyName: string | null;
  /** The account that did it, or that was tried; null: none, or it is not known. */
  readonly accountId: string | null;
  /** Whose account was tried; null: nobody's, or it is not known. */
  readonly tried: NamedPerson | null;
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
export const ACCESS_KINDS = ['sign-ins', 'records', 'exports', 'receipts'] as const;

/** @see ACCESS_KINDS */
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** The event types of each kind. */
export const TYPES_OF_KIND: Readonly<Record<AccessKind, readonly AccessEvent['type'][]>> = {
  'sign-ins': [
    'AccountSignedIn',
    'AccountSignedOut',
    'PasswordRefused',
    'SignInHeldBack',
    'SessionsEnded',
    'SecondFactorChanged',
  ],
  records: ['RecordsShown', 'ChartsShown', 'ImportShown'],
  exports: ['DataExported'],
  receipts: ['ReceiptsRead'],
};

/**
 * Which entries of a practice's access log are asked for; null asks for all. What systems read by keys is
 * listed where it is asked for, by its kind or a record: it is more than what all people do.
 */
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
