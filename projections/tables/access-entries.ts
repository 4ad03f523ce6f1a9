import type {
  AccessEvent,
  AccessPlace,
  Export,
  FilterKind,
} from '../../domain/access-log/events.ts';
import { listOpenedRecordIds } from '../../domain/access-log/unusual.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import type { Actor, StoredEvent } from '../../domain/event-log.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  type RowOf,
  upsert,
} from '../projection.ts';

/** Event of the access log, or `RecordPrefilled` for a version that was saved from a pre-fill. */
export type AccessEntryType = AccessEvent['type'] | 'RecordPrefilled';

const accessEntry = defineTable({
  name: 'access_entry',
  columns: {
    entry_id: column.text(),
    position: column.bigint(),
    type: column.text<AccessEntryType>(),
    at: column.timestamptz(),
    actor: column.jsonb<Actor>(),
    /** Account that acted, or that a sign-in was attempted for. Null if there is none or it is unknown. */
    account_id: column.textOrNull(),
    practice_id: column.textOrNull(),
    place: column.textOrNull<AccessPlace>(),
    /** By type: a limit, a page, a way of printing, an EHR host, the births of a handoff, or the log viewed. */
    detail: column.textOrNull(),
    exported: column.textOrNull<Export>(),
    row_count: column.integerOrNull(),
    filters: column.jsonbOrNull<readonly FilterKind[]>(),
    record_ids: column.jsonbOrNull<readonly string[]>(),
    prefill_ids: column.jsonbOrNull<readonly string[]>(),
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
});

/** An actor opened a record. Input of the detection of unusual access. */
const recordOpening = defineTable({
  name: 'record_opening',
  columns: {
    at: column.timestamptz(),
    record_id: column.uuid(),
    entry_id: column.text(),
    practice_id: column.text(),
    actor_kind: column.text<Actor['kind']>(),
    actor_id: column.text(),
  },
  key: ['entry_id', 'record_id'],
  indexes: [
    '(practice_id, actor_id, at)',
    '(practice_id, at)',
    // Partial: few openings are by operators, who are looked up by the name they entered.
    "(practice_id, actor_id) where actor_kind = 'operator'",
  ],
});

/** Member who entered a record, possibly from a file or a pre-fill. Their own access to it is not unusual. */
const enteredRecord = defineTable({
  name: 'entered_record',
  columns: {
    record_id: column.uuid(),
    member_id: column.text(),
  },
  key: ['record_id'],
  indexes: [],
});

type EntryDetails = Partial<
  Omit<RowOf<typeof accessEntry>, 'entry_id' | 'position' | 'type' | 'at' | 'actor'>
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
    : listOpenedRecordIds(event as AccessEvent).map((recordId) =>
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
  } satisfies Handlers<AccessEvent | BirthRecordEvent<'BirthRecorded' | 'BirthAmended'>>,
};
