import fc from 'fast-check';
import type { AccessEvent } from '../../domain/access-log/events.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import type { StaffEvent } from '../../domain/account/staff-events.ts';
import type { ApiKeyEvent } from '../../domain/api-key/events.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { emptyChild, emptyMother } from '../../domain/course/course.ts';
import type { CustomFieldEvent } from '../../domain/custom-field/events.ts';
import type { LogEntry } from '../../domain/event-log.ts';
import type { PartnerEvent } from '../../domain/partner/events.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import { COURSES_PER_CHUNK } from '../../domain/submission/decide.ts';
import type {
  IngestionEvent,
  RejectedEntry,
  SharedIngestionEvent,
} from '../../domain/submission/events.ts';
import type { WorkEvent } from '../../domain/work-items/events.ts';
import { courseOfInes, INES, OLDER } from './birth-records.ts';
import { birthBundle, courseOf } from './bundles.ts';
import { entryAt } from './in-memory.ts';

/** The id of a record by its number: the same of every log. */
export const uuid = (record: number): string =>
  `00000000-0000-5000-8000-${String(record).padStart(12, '0')}`;

const record = fc.integer({ min: 1, max: 3 });
const number = fc.integer({ min: 1, max: 8 });
const text = fc.constantFrom('a', 'b', 'c', 'quote " and \\ and é');

/** The last one does not fit its column: it parks the stream, however far that is. */
const chunk = fc.constantFrom(0, 1, 2, 3_000_000_000);

const version = fc
  .record({
    record,
    version: number,
    keyKind: fc.constantFrom('native' as const, 'partner' as const, null),
    stamp: fc.option(text),
    attendant: fc.option(text),
    fingerprints: fc.uniqueArray(text),
    weight: fc.option(fc.integer({ min: 300, max: 6_000 })),
    names: fc.array(text, { maxLength: 3 }),
    source: fc.constantFrom('fhir_push' as const, 'ehr_pull' as const),
    prefillId: fc.option(text),
    restores: fc.option(number),
  })
  .map(
    ({ record: of, attendant, weight, names, prefillId, restores, ...rest }): RecordVersion => ({
      submissionUuid: uuid(of),
      practiceId: 'practice',
      ...(prefillId === null ? {} : { prefill: { prefillId, ehr: 'ehr.example' } }),
      ...(restores === null
        ? {}
        : { restored: { version: restores }, reason: 'reason', undoneImport: 'import' }),
      mark: null,
      providers: [],
      ...rest,
      course: {
        ...courseOfInes,
        attendant,
        mother: { ...emptyMother(), given_names: names },
        children: names.map((name) => ({
          ...emptyChild(),
          given_names: [name],
          birth_date: '2026-05-12',
          birth_weight_grams: weight,
          gestational_age_weeks: 24,
        })),
      },
    }),
  );

const duplicateStep = fc.constantFrom(
  'DuplicateFlagged' as const,
  'DuplicateDismissed' as const,
  'DuplicateFlagRestored' as const,
);

const recordEvent = fc.oneof(
  version.map((data): BirthRecordEvent => ({ type: 'BirthRecorded', data })),
  version.map((data): BirthRecordEvent => ({ type: 'BirthAmended', data })),
  fc.tuple(record, number, fc.constantFrom('fhir_push' as const, 'manual' as const)).map(
    ([of, held, source]): BirthRecordEvent => ({
      type: 'BirthRetracted',
      data: { submissionUuid: uuid(of), practiceId: 'practice', version: held, source, mark: null },
    }),
  ),
  fc.tuple(record, number).map(
    ([of, revival]): BirthRecordEvent => ({
      type: 'RevivalKept',
      data: { submissionUuid: uuid(of), practiceId: 'practice', version: revival, mark: null },
    }),
  ),
  fc.tuple(record, number, fc.constantFrom([], ['children.0.birth_weight_grams'])).map(
    ([of, held, questions]): BirthRecordEvent => ({
      type: 'QuestionsConfirmed',
      data: {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        version: held,
        questions,
        mark: null,
      },
    }),
  ),
  fc
    .record({
      record,
      number,
      part: fc.constantFrom('course', 'children.0', 'children.1'),
      item: fc.constantFrom('birth-weight', 'plurality', 'of a later version'),
      until: fc.option(fc.constantFrom('2026-03-01', '2026-06-01')),
      isTakenBack: fc.boolean(),
    })
    .map(({ record: of, number: held, part, item, until, isTakenBack }): BirthRecordEvent => {
      const data = {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        version: held,
        part,
        item,
        children: held,
        mark: null,
      };
      if (isTakenBack) return { type: 'ItemReasonTakenBack', data };
      return until === null
        ? { type: 'ItemUnobtainable', data }
        : { type: 'ItemAwaited', data: { ...data, until } };
    }),
  fc.tuple(record, record, duplicateStep).map(
    ([of, older, type]): BirthRecordEvent => ({
      type,
      data: {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        mark: null,
        duplicateOf: uuid(older),
      },
    }),
  ),
  fc.tuple(record, text, text).map(
    ([of, from, to]): BirthRecordEvent => ({
      type: 'AttributionRepointed',
      data: {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        mark: null,
        part: 'attendant',
        from,
        to,
      },
    }),
  ),
);

const completedAt = '2026-03-01T10:00:00+00:00';

const REFUSED: RejectedEntry = {
  reference: 'C-1',
  rejections: [{ id: 'no-mother', code: 'structure', diagnostics: 'No mother' }],
};

const ingestionEvent = fc
  .tuple(text, chunk, fc.integer({ min: 0, max: 7 }))
  .map(([ingestionId, of, kind]): IngestionEvent => {
    const undone = { records: 1, voided: 1, restored: 0, voidedAgain: 0, left: 0 };
    switch (kind) {
      case 0:
        return {
          type: 'IngestionQueued',
          data: {
            ingestionId,
            practiceId: 'practice',
            keyId: 'key',
            keyKind: 'native',
            attempt: uuid(1),
            courses: 1,
            correlationId: 'test',
            receivedAt: completedAt,
          },
        };
      case 1:
        return { type: 'IngestionStarted', data: { ingestionId, run: 1 } };
      case 2:
        return {
          type: 'RecordsProcessed',
          data: {
            ingestionId,
            chunk: of,
            accepted: [],
            rejected: [REFUSED],
            rejectedAt: [of * COURSES_PER_CHUNK],
            practiceId: 'practice',
            source: 'fhir_push',
          },
        };
      case 3:
        return {
          type: 'IngestionCompleted',
          data: { ingestionId, accepted: 1, rejected: 0, completedAt },
        };
      case 4:
        return {
          type: 'ImportUndoBegun',
          data: { ingestionId, practiceId: 'practice', records: 2 },
        };
      case 5:
        return { type: 'ImportUndoProgressed', data: { ingestionId, ...undone } };
      case 6:
        return { type: 'ImportUndone', data: { ingestionId, ...undone, undoneAt: completedAt } };
      default:
        return {
          type: 'IngestionFailed',
          data: {
            ingestionId,
            error: 'error',
            exception: 'exception',
            correlationId: 'test',
            completedAt,
          },
        };
    }
  });

const sharedEvent = fc
  .tuple(fc.array(text, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean())
  .map(([ids, isRefused, isTakenUp]): SharedIngestionEvent => {
    const practiceId = 'practice';
    const ingestionIds = ids.map((id) => `shared-${id}`);
    const outcomes = isRefused
      ? { accepted: [], rejected: [REFUSED], rejectedAt: [0] }
      : {
          accepted: [{ reference: 'C-1', submission_uuid: uuid(1) }],
          rejected: [],
          rejectedAt: [],
        };
    const pushes = ingestionIds.map((ingestionId) => ({
      ingestionId,
      attempt: uuid(1),
      courses: 1,
      correlationId: 'test',
      receivedAt: completedAt,
      ...outcomes,
    }));
    return isTakenUp
      ? { type: 'PushesTakenUp', data: { practiceId, ingestionIds } }
      : {
          type: 'PushesIngested',
          data: { practiceId, keyId: 'key', keyKind: 'native', pushes, completedAt },
        };
  });

const otherEvent = fc
  .tuple(text, text, fc.boolean(), fc.integer({ min: 0, max: 9 }))
  .map(([id, name, beta, kind]): PracticeEvent | ApiKeyEvent | WorkEvent => {
    const work = {
      practiceId: 'practice',
      kind: 'missing',
      key: id,
      memberId: name,
      at: completedAt,
    } as const;
    switch (kind) {
      case 6:
        return { type: 'WorkTaken', data: work };
      case 7:
        return { type: 'WorkReleased', data: work };
      case 8:
        return { type: 'WorkDismissed', data: { ...work, parts: [name] } };
      case 9:
        return { type: 'WorkReopened', data: work };
      case 0:
        return { type: 'PracticeCreated', data: { practiceId: id, name, sandbox: false, beta } };
      case 1:
        return { type: 'PracticeBetaSet', data: { practiceId: id, beta } };
      case 2:
        return { type: 'PracticeSandboxSet', data: { practiceId: id, sandbox: beta } };
      case 3:
        return { type: 'PracticeSandboxChangeRefused', data: { practiceId: id, sandbox: beta } };
      case 4:
        return {
          type: 'ApiKeyMinted',
          data: {
            keyId: id,
            practiceId: 'practice',
            kind: 'native',
            partnerId: null,
            name,
            scopes: ['ingest:write'],
            tokenHash: 'hash',
          },
        };
      default:
        return { type: 'ApiKeyRevoked', data: { keyId: id } };
    }
  });

const role = fc.constantFrom('Admin' as const, 'Scribe' as const);
const status = fc.constantFrom('Pending' as const, 'Active' as const, 'Suspended' as const);
const details = fc.record({
  npi: fc.option(text),
  name: fc.option(text),
  credentials: fc.option(text),
  role: fc.constantFrom('midwife' as const, 'physician' as const, 'other' as const),
});

type PersonEvent =
  | ProviderEvent
  | MergesEvent
  | PartnerEvent
  | MemberEvent
  | StaffEvent
  | CustomFieldEvent;

/** Providers with their merges, partners, seats, staff and the fields of two practices. */
const personEvent = fc
  .record({ id: text, other: text, role, status, details, is: fc.boolean(), n: number })
  .chain(({ id, other, role: seat, status: contract, details: told, is, n }) => {
    const practiceId = is ? 'practice' : 'another';
    const look = { practiceId, fieldId: id, label: other, choices: [other], order: n };
    const called = is ? { name: other } : {};
    const events: readonly PersonEvent[] = [
      {
        type: 'ProviderIdentified',
        data: { ...told, providerId: id, practiceId, partnerId: 'partner', identity: other },
      },
      { type: 'ProviderDetailsChanged', data: { ...told, providerId: id, practiceId } },
      {
        type: 'ProvidersMerged',
        data: { practiceId, partnerId: 'partner', absorbed: id, survivor: other, following: [] },
      },
      {
        type: 'PartnerCreated',
        data: { partnerId: id, name: other, beta: is, status: contract },
      },
      { type: 'PartnerBetaSet', data: { partnerId: id, beta: is } },
      { type: 'PartnerContractStatusChanged', data: { partnerId: id, status: contract } },
      {
        type: 'MemberAdded',
        data: { memberId: id, practiceId, email: other, role: seat, ...called },
      },
      {
        type: 'MemberInvited',
        data: {
          memberId: id,
          practiceId,
          email: other,
          role: seat,
          endsAt: '2026-05-15T10:00:00.000Z',
          byStaff: is,
          ...called,
        },
      },
      { type: 'SeatChanged', data: { memberId: id, practiceId, role: seat } },
      { type: 'AuditorPermissionSet', data: { memberId: id, practiceId, granted: true } },
      { type: 'MemberNamed', data: { memberId: id, practiceId, name: other } },
      { type: 'MemberRemoved', data: { memberId: id, practiceId } },
      { type: 'OneTimePasswordGiven', data: { memberId: id, practiceId } },
      { type: 'StaffAdded', data: { staffId: id, email: other, ...called } },
      { type: 'StaffNamed', data: { staffId: id, name: other } },
      { type: 'CustomFieldDefined', data: { ...look, type: 'text' } },
      { type: 'CustomFieldChanged', data: look },
      { type: 'CustomFieldBound', data: { practiceId, fieldId: id, item: is ? 'PAY' : null } },
      { type: 'CustomFieldRetired', data: { practiceId, fieldId: id } },
      { type: 'CustomFieldRestored', data: { practiceId, fieldId: id } },
    ];
    return fc.constantFrom(...events);
  });

/** Who signed in, and saw what, in two practices and in none. */
const accessEvent = fc
  .record({
    id: text,
    practice: fc.constantFrom('practice', 'another', null),
    rows: fc.option(number),
  })
  .chain(({ id, practice, rows }) => {
    const happened = { at: '2026-05-12T10:00:00.000Z', practiceId: practice };
    const tried = { ...happened, accountId: rows === null ? null : id };
    const events: readonly AccessEvent[] = [
      { type: 'AccountSignedIn', data: happened },
      { type: 'AccountSignedIn', data: { ...happened, by: 'single-sign-on', factor: 'provider' } },
      { type: 'AccountSignedOut', data: happened },
      { type: 'PasswordRefused', data: { ...tried, where: 'sign-in' } },
      { type: 'SingleSignOnRefused', data: { ...tried, why: 'no-account' } },
      { type: 'SignInHeldBack', data: { ...tried, by: 'address' } },
      {
        type: 'RecordsShown',
        data: { ...happened, place: 'list', recordIds: [INES, OLDER], filters: ['words'] },
      },
      {
        type: 'RecordsShown',
        data: { ...happened, place: 'record', recordIds: [OLDER, INES], filters: [] },
      },
      {
        type: 'RecordsPrinted',
        data: { ...happened, place: 'births', recordIds: [INES, OLDER], by: 'browser' },
      },
      { type: 'RecordsExported', data: { ...happened, what: 'access-log', recordIds: [INES] } },
      {
        type: 'RecordsExported',
        data: {
          ...happened,
          what: 'records-csv',
          recordIds: [INES, OLDER],
          versions: [(rows ?? 0) + 1, 1],
        },
      },
      { type: 'ChartsShown', data: { ...happened, prefillIds: [id] } },
      { type: 'DataExported', data: { ...happened, what: 'import-result', rows, filters: [] } },
    ];
    return fc.constantFrom(...events);
  });

type LoggedEvent =
  | BirthRecordEvent
  | WorkEvent
  | IngestionEvent
  | SharedIngestionEvent
  | PracticeEvent
  | ApiKeyEvent
  | PersonEvent
  | AccessEvent;

/** The id that an event's data names first is the one whose stream it is on. */
const STREAM_IDS = [
  'submissionUuid',
  'ingestionId',
  'keyId',
  'memberId',
  'staffId',
  'providerId',
  'absorbed',
  'partnerId',
  'practiceId',
];

const streamOf = ({ data }: LoggedEvent): string => {
  const values = data as Readonly<Record<string, unknown>>;
  const named = STREAM_IDS.find((name) => name in values) ?? '';
  return `${named}-${values[named]}`;
};

/** Parks a stream of its own, in most sequences: its chunk does not fit its column. */
const misfit = fc.constant<IngestionEvent>({
  type: 'RecordsProcessed',
  data: {
    ingestionId: 'misfit',
    chunk: 3_000_000_000,
    accepted: [],
    rejected: [],
    rejectedAt: [],
    practiceId: 'practice',
    source: 'fhir_push',
  },
});

/** Logs of events of every kind, few things each, so that they meet: some name what is not there, some park. */
export const anyLog = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: recordEvent },
      { weight: 2, arbitrary: ingestionEvent },
      sharedEvent,
      otherEvent,
      personEvent,
      accessEvent,
      misfit,
    ),
    {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    },
  )
  .map((events): readonly LogEntry[] => {
    const revisions = new Map<string, bigint>();
    return events.map((event, position) => {
      const stream = streamOf(event);
      const revision = (revisions.get(stream) ?? -1n) + 1n;
      revisions.set(stream, revision);
      return entryAt(BigInt(position), stream, revision, event);
    });
  });

const RECORDS_AT_ONCE = 4_000;
const COURSE = courseOf(birthBundle());

/** Record events as in a year of a practice: most are new, every fifth amends an earlier record. */
export const recordEntry = (position: number): LogEntry => {
  const isAmendment = position % 5 === 4;
  const of = isAmendment ? Math.max(position - RECORDS_AT_ONCE - 1, 0) : position;
  const data = {
    submissionUuid: uuid(of),
    practiceId: 'practice',
    version: isAmendment ? 2 : 1,
    source: 'fhir_push',
    keyKind: 'native',
    providers: [],
    mark: null,
    stamp: '2026-05-13T09:00:00.000000000Z',
    fingerprints: [`fingerprint-of-forty-three-characters-${position}`],
    course: { ...COURSE, chart_number: `C-${of}` },
  };
  const type = isAmendment ? 'BirthAmended' : 'BirthRecorded';
  return entryAt(BigInt(position), `record-${of}`, isAmendment ? 1n : 0n, { type, data });
};
