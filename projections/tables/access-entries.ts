import type {
  AccessEvent,
  Export,
  FilterKind,
  PlaceShown,
} from '../../domain/access-log/events.ts';
import { countOpenedRecords } from '../../domain/access-log/unusual.ts';
import type {
  BirthAmended,
  BirthRecorded,
  RecordVersion,
} from '../../domain/birth-record/events.ts';
import type { Actor, StoredEvent } from '../../domain/event-log.ts';
import { type Change, type Handlers, type ReadTable, upsert } from '../projection.ts';

/** Event of the access log, or `RecordPrefilled` for a version that was saved from a pre-fill. */
export type AccessEntryType = AccessEvent['type'] | 'RecordPrefilled';

/** Row of `read.access_entry`: a sign-in, or access to personal data. */
export interface AccessEntryRow {
  readonly entry_id: string;
  readonly position: string;
  readonly type: AccessEntryType;
  readonly at: Date;
  readonly actor: Actor;
  /** Account that acted, or that a sign-in was attempted for. */
  readonly account_id: string | null;
  readonly practice_id: string | null;
  readonly place: PlaceShown | null;
  readonly detail: string | null;
  readonly exported: Export | null;
  readonly row_count: number | null;
  readonly filters: readonly FilterKind[] | null;
  readonly record_ids: readonly string[] | null;
  /** Pre-fills that were viewed, or the one that was saved. */
  readonly prefill_ids: readonly string[] | null;
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
    prefill_ids: 'jsonb',
  },
  key: ['entry_id'],
  indexes: [
    '(practice_id, at desc, position desc)',
    '(practice_id, account_id, at desc, position desc)',
    // Partial: few entries are exports.
    "(practice_id, at desc, position desc) where type = 'DataExported'",
    // A list of fifty records is one row, found by each of its ids.
    'using gin (record_ids jsonb_path_ops)',
    'using gin (prefill_ids jsonb_path_ops) where prefill_ids is not null',
  ],
};

/** Row of `read.record_opening`: an actor opened a record. Input of the detection of unusual access. */
export interface RecordOpeningRow {
  readonly entry_id: string;
  readonly record_id: string;
  readonly practice_id: string;
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string;
  readonly at: Date;
}

const recordOpening: ReadTable = {
  name: 'record_opening',
  columns: {
    at: 'timestamptz not null',
    record_id: 'uuid not null',
    entry_id: 'text not null',
    practice_id: 'text not null',
    actor_kind: 'text not null',
    actor_id: 'text not null',
  },
  key: ['entry_id', 'record_id'],
  indexes: [
    '(practice_id, actor_id, at)',
    '(practice_id, at)',
    // Partial: few openings are by operators, who are looked up by the name they entered.
    "(practice_id, actor_id) where actor_kind = 'operator'",
  ],
};

/** Member who entered a record, possibly from a file or a pre-fill. Their own access to it is not unusual. */
const enteredRecord: ReadTable = {
  name: 'entered_record',
  columns: { record_id: 'uuid not null', member_id: 'text not null' },
  key: ['record_id'],
  indexes: [],
};

type EntryDetails = Partial<
  Omit<AccessEntryRow, 'entry_id' | 'position' | 'type' | 'at' | 'actor'>
>;

const EMPTY_DETAILS = {
  account_id: null,
  practice_id: null,
  place: null,
  detail: null,
  exported: null,
  row_count: null,
  filters: null,
  record_ids: null,
  prefill_ids: null,
} as const;

const buildEntry = (
  { practiceId, at }: Pick<AccessEvent['data'], 'practiceId' | 'at'>,
  { id, position, event, metadata: { actor } }: StoredEvent,
  details: EntryDetails,
  type = event.type as AccessEntryType,
): readonly Change[] => [
  upsert('access_entry', {
    entry_id: id,
    position: position.toString(),
    type,
    at,
    actor,
    ...EMPTY_DETAILS,
    practice_id: practiceId,
    account_id: actor.kind === 'member' || actor.kind === 'staff' ? actor.id : null,
    ...details,
  }),
];

const buildOpening = (
  { practiceId, at }: AccessEvent['data'],
  { id, event, metadata: { actor } }: StoredEvent,
): readonly Change[] =>
  practiceId === null
    ? []
    : countOpenedRecords(event as AccessEvent).map((recordId) =>
        upsert('record_opening', {
          entry_id: id,
          record_id: recordId,
          practice_id: practiceId,
          actor_kind: actor.kind,
          actor_id: actor.id,
          at,
        }),
      );

/** Derived from the record's events, because saving a pre-fill adds no event to the access log. */
const buildPrefilled = (
  { practiceId, submissionUuid, source, prefill }: RecordVersion,
  stored: StoredEvent,
): readonly Change[] =>
  source !== 'ehr_pull'
    ? []
    : buildEntry(
        { practiceId, at: stored.metadata.recordedAt },
        stored,
        {
          detail: prefill?.ehr ?? null,
          record_ids: [submissionUuid],
          prefill_ids:
            prefill === undefined ? null : [prefill.prefillId, ...(prefill.otherIds ?? [])],
        },
        'RecordPrefilled',
      );

/** Source of the access log's pages. */
export const accessEntries = {
  name: 'access_entries',
  version: 6,
  tables: [accessEntry, recordOpening, enteredRecord],
  on: {
    BirthRecorded: (data, stored) => {
      const { actor } = stored.metadata;
      const entered = { record_id: data.submissionUuid, member_id: actor.id };
      return [
        ...(actor.kind === 'member' ? [upsert('entered_record', entered)] : []),
        ...buildPrefilled(data, stored),
      ];
    },
    BirthAmended: buildPrefilled,
    AccountSignedIn: (data, stored) =>
      buildEntry(data, stored, {
        detail: [data.by, data.factor].filter((way) => way !== undefined).join(' ') || null,
      }),
    AccountSignedOut: (data, stored) => buildEntry(data, stored, {}),
    PasswordRefused: (data, stored) =>
      buildEntry(data, stored, { account_id: data.accountId, detail: data.where }),
    SingleSignOnRefused: (data, stored) =>
      buildEntry(data, stored, { account_id: data.accountId, detail: data.why }),
    SignInHeldBack: (data, stored) =>
      buildEntry(data, stored, { account_id: data.accountId, detail: data.by }),
    SecondFactorChanged: (data, stored) => buildEntry(data, stored, { detail: data.change }),
    SessionsEnded: (data, stored) => buildEntry(data, stored, { account_id: data.accountId }),
    RecordsShown: (data, stored) => [
      ...buildEntry(data, stored, {
        place: data.place,
        filters: data.filters,
        record_ids: data.recordIds,
      }),
      ...buildOpening(data, stored),
    ],
    RecordsPrinted: (data, stored) => [
      ...buildEntry(data, stored, {
        place: data.place,
        detail: data.by,
        record_ids: data.recordIds,
      }),
      ...buildOpening(data, stored),
    ],
    ChartsShown: (data, stored) => buildEntry(data, stored, { prefill_ids: data.prefillIds }),
    ImportShown: (data, stored) => buildEntry(data, stored, { detail: data.stagedBy }),
    HandedOverShown: (data, stored) =>
      buildEntry(data, stored, { detail: data.handedOverIds.join(' ') }),
    HandedOverDiscarded: (data, stored) => buildEntry(data, stored, { detail: data.handedOverId }),
    LogShown: (data, stored) => buildEntry(data, stored, { detail: data.log }),
    ReceiptsRead: (data, stored) =>
      buildEntry(data, stored, { record_ids: data.recordIds, row_count: data.ingestionIds.length }),
    KeyRefusedElsewhere: (data, stored) => buildEntry(data, stored, { row_count: data.requests }),
    DataExported: (data, stored) =>
      buildEntry(data, stored, {
        exported: data.what,
        row_count: data.rows,
        filters: data.filters,
      }),
    RecordsExported: (data, stored) => [
      ...buildEntry(data, stored, { exported: data.what, record_ids: data.recordIds }),
      ...buildOpening(data, stored),
    ],
  } satisfies Handlers<AccessEvent | BirthRecorded | BirthAmended>,
};
