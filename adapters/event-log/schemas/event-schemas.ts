import {
  type AccessEvent,
  EXPORTS,
  FILTER_KINDS,
  LOGS_SHOWN,
  PASSWORD_TRIED_AT,
  PLACES_SHOWN,
  SECOND_FACTOR_CHANGES,
  SIGN_IN_FACTORS,
  SINGLE_SIGN_ON_REFUSALS,
} from '../../../domain/access-log/events.ts';
import type { MemberEvent } from '../../../domain/account/member-events.ts';
import type { StaffEvent } from '../../../domain/account/staff-events.ts';
import type { ApiKeyEvent } from '../../../domain/api-key/events.ts';
import type { PartnerKeySlotEvent } from '../../../domain/api-key/partner-key-slot.ts';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import {
  type CompactCourse,
  compactCourse,
  expandCourse,
} from '../../../domain/course/compact-course.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { clampStamp } from '../../../domain/course/stamps.ts';
import { DATE_ORDERS } from '../../../domain/intake/form/date-order.ts';
import type { PartnerEvent } from '../../../domain/partner/events.ts';
import { CLOCKS } from '../../../domain/practice/clock.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import type { MergesEvent, ProviderEvent } from '../../../domain/provider/events.ts';
import type { RegistryStreamEvent } from '../../../domain/registry/events.ts';
import type { StreamKind } from '../../../domain/stream-names.ts';
import type { IngestionEvent } from '../../../domain/submission/events.ts';
import type { WorkEvent } from '../../../domain/work-items/events.ts';
import { WORK_KINDS } from '../../../domain/work-items/items.ts';
import { courseOfCareSchema } from './course-of-care-schema.ts';
import { identifyMatter, identifyRejection, identifyWarning } from './old-words.ts';
import {
  anyOf,
  arrayOf,
  count,
  instant,
  type JsonSchema,
  nullable,
  objectOf,
  ordinal,
  type TypeSchema,
  text,
  uuid,
} from './shapes.ts';

export type RegistryEvent =
  | RegistryStreamEvent
  | PracticeEvent
  | PartnerEvent
  | PartnerKeySlotEvent
  | MemberEvent
  | StaffEvent
  | ApiKeyEvent
  | IngestionEvent
  | BirthRecordEvent
  | ProviderEvent
  | MergesEvent
  | AccessEvent
  | WorkEvent;

/** Version of an event type's data, its JSON Schema, and the upcasters for older data. */
export interface EventSchema {
  /** Kind of the streams that it is appended to. */
  readonly stream: StreamKind;
  readonly version: number;
  readonly schema: JsonSchema;
  /** `upcasters[n]` converts version n + 1 to n + 2. */
  readonly upcasters: readonly Rewrite[];
  /** Stored form of this version's data, if it differs, and the way to restore it. */
  readonly packing?: { readonly pack: Rewrite; readonly unpack: Rewrite };
  /** Corrects data that was impossible at the time it was recorded. */
  readonly asOfReceipt?: (
    data: Readonly<Record<string, unknown>>,
    recordedAt: string,
  ) => Readonly<Record<string, unknown>>;
  /** Adds fields that this version gained after the data was written. */
  readonly complete?: Rewrite;
}

type Rewrite = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

type SchemaOfType = Omit<EventSchema, 'stream'>;

const first = (schema: JsonSchema): SchemaOfType => ({ version: 1, schema, upcasters: [] });

/** A revision, which may exceed a JSON number. */
const decimal: TypeSchema = { type: 'string', pattern: '^\\d{1,19}$' };
const boolean: JsonSchema = { type: 'boolean' };
const keyKind = anyOf('native', 'partner');
const source = anyOf('manual', 'csv', 'fhir_push', 'ehr_pull');
const scopes = arrayOf(anyOf('ingest:write', 'ingest:read'));

/** Version 1 also had the scope `export:read` for reading records, which keys can no longer do. */
const ofKey = (schema: JsonSchema): SchemaOfType => ({
  version: 2,
  schema,
  upcasters: [
    (data) => ({
      ...data,
      scopes: (data['scopes'] as readonly unknown[]).filter((scope) => scope !== 'export:read'),
    }),
  ],
});
const contractStatus = anyOf('Pending', 'Active', 'Suspended');
const mark = nullable(objectOf({ ingestionId: text, position: count }));

const providerDetails = {
  npi: nullable(text),
  name: nullable(text),
  credentials: nullable(text),
  role: anyOf('midwife', 'physician', 'doula', 'nurse', 'assistant', 'other'),
};
const namedProvider = objectOf({ providerId: text, identity: text, ...providerDetails });

const duplicate = first(
  objectOf({ submissionUuid: uuid, practiceId: text, duplicateOf: uuid, mark }),
);

const pairDecision = first(
  objectOf(
    { submissionUuid: uuid, practiceId: text, duplicateOf: uuid, mark },
    { standingFlag: uuid },
  ),
);

const accessed = { at: instant, practiceId: nullable(text) };
const filters = arrayOf(anyOf(...FILTER_KINDS));

const aboutItem = {
  practiceId: text,
  kind: anyOf(...WORK_KINDS),
  key: text,
  memberId: text,
  at: instant,
};

const role = anyOf('Admin', 'Provider', 'Viewer', 'Scribe');

const customFieldLook = {
  practiceId: text,
  fieldId: text,
  label: text,
  choices: arrayOf(text),
  order: count,
};

const withWholeCourse: Rewrite = (data) => ({
  ...data,
  course: expandCourse(data['course'] as CompactCourse),
});

interface StoredCourse {
  readonly warnings?: readonly Parameters<typeof identifyWarning>[0][];
}

/** Most courses have no warnings and stay unchanged. */
const withWarningIds: Rewrite = (data) => {
  const { course } = data as { readonly course?: StoredCourse };
  return course?.warnings?.some(({ id }) => id === undefined) === true
    ? { ...data, course: { ...course, warnings: course.warnings.map(identifyWarning) } }
    : data;
};

interface StoredOutcomes {
  readonly rejected?: readonly {
    readonly rejections: readonly Parameters<typeof identifyRejection>[0][];
  }[];
}

const withRejectionIds: Rewrite = (data) => {
  const { rejected = [] } = data as StoredOutcomes;
  return rejected.length === 0
    ? data
    : {
        ...data,
        rejected: rejected.map((entry) => ({
          ...entry,
          rejections: entry.rejections.map(identifyRejection),
        })),
      };
};

const withMatters: Rewrite = (data) =>
  data['kind'] === 'refused'
    ? { ...data, parts: (data['parts'] as readonly string[]).map(identifyMatter) }
    : data;

/**
 * Version 2 omits unknown fields of the course of care in the log. Records then stay below the 2 KB
 * at which Postgres moves a value out of the row, and every step from append to projection is
 * faster.
 */
const recordVersion: SchemaOfType = {
  version: 2,
  // Version 1 stored all fields of its time; later fields are empty. The first records predate
  // providers.
  upcasters: [(data) => ({ providers: [], ...withWholeCourse(data) })],
  packing: {
    pack: (data) => ({ ...data, course: compactCourse(data['course'] as CourseOfCare) }),
    unpack: (data) => withWholeCourse(data),
  },
  // Version 0.1 accepted stamps from any future date. After one from the year 9999, every update
  // was older.
  complete: withWarningIds,
  asOfReceipt: (data, recordedAt) => {
    const { stamp: sent } = data as { readonly stamp?: unknown };
    if (typeof sent !== 'string') return data;
    const stamp = clampStamp(sent, recordedAt);
    if (stamp === sent) return data;
    const course = data['course'] as CourseOfCare;
    return { ...data, stamp, course: course.stamp === sent ? { ...course, stamp } : course };
  },
  schema: objectOf(
    {
      submissionUuid: uuid,
      practiceId: text,
      version: ordinal,
      source,
      keyKind: nullable(keyKind),
      course: courseOfCareSchema,
      providers: arrayOf(namedProvider),
      stamp: nullable(instant),
      fingerprints: arrayOf(text),
      mark,
    },
    {
      prefill: objectOf({ prefillId: text, ehr: text }, { otherIds: arrayOf(text) }),
      mergedFrom: objectOf({ submissionUuid: uuid, paths: arrayOf(text) }),
      reason: { ...text, maxLength: 600 },
      restored: objectOf({ version: ordinal }),
      undoneImport: text,
    },
  ),
};

const rejection = objectOf(
  { code: text, diagnostics: text },
  { id: text, named: text, expression: arrayOf(text) },
);

const acceptedEntry = objectOf(
  { reference: text, submission_uuid: uuid },
  {
    isChartNumber: anyOf(true),
    suspected_duplicate: anyOf(true),
    amended: anyOf(true),
    retracted: anyOf(true),
    version: ordinal,
  },
);

const rejectedEntry = objectOf(
  { reference: text, rejections: arrayOf(rejection) },
  { isChartNumber: anyOf(true) },
);

/** Metadata of a submission, plus the fields of the event that starts its ingestion. */
const ingestionHead = (more: Readonly<Record<string, JsonSchema>> = {}) =>
  objectOf(
    {
      ingestionId: text,
      practiceId: text,
      keyId: nullable(text),
      keyKind: nullable(keyKind),
      attempt: uuid,
      courses: count,
      correlationId: text,
      receivedAt: instant,
      ...more,
    },
    { imported: objectOf({ memberId: text, fileHash: text, emptyRows: arrayOf(ordinal) }) },
  );

const undoneRecords = {
  records: count,
  voided: count,
  restored: count,
  voidedAgain: count,
  left: count,
};

const nameOfPerson = { ...text, maxLength: 100 };

/** Event types of one kind of stream. In a stream of another kind they are not ours. */
const inStreamsOf = <Type extends string>(
  stream: StreamKind,
  schemas: Readonly<Record<Type, SchemaOfType>>,
): Readonly<Record<Type, EventSchema>> =>
  Object.fromEntries(
    Object.entries<SchemaOfType>(schemas).map(([type, schema]) => [type, { ...schema, stream }]),
  ) as Record<Type, EventSchema>;

/** JSON Schema of each event type, checked on append and on read. */
export const EVENT_SCHEMAS: Readonly<Record<RegistryEvent['type'], EventSchema>> = {
  ...inStreamsOf('registry', {
    RegistryInitialised: first(
      objectOf({ registryId: text, wrappedIdentityKey: text, checkValue: text }),
    ),
    IdentityKeyRewrapped: first(
      objectOf(
        { registryId: text, wrappedIdentityKey: text },
        {
          wrappedFingerprintKeys: arrayOf(objectOf({ version: ordinal, wrappedKey: text })),
          wrappedCheckpointKeys: arrayOf(objectOf({ version: ordinal, wrappedKey: text })),
        },
      ),
    ),
    FingerprintKeyAdded: first(
      objectOf({
        registryId: text,
        version: ordinal,
        wrappedKey: text,
        checkValue: text,
        aloneFrom: instant,
      }),
    ),
    CheckpointKeyAdded: first(
      objectOf({
        registryId: text,
        version: ordinal,
        name: { type: 'string', pattern: '^[^\\s+]+$' },
        publicKey: { type: 'string', pattern: '^[A-Za-z0-9+/]{43}=$' },
        wrappedKey: text,
      }),
    ),
    LogLossAccepted: first(
      objectOf({
        registryId: text,
        origin: { type: 'string', pattern: '^[^\\s+]+$' },
        originNumber: ordinal,
        signedSize: count,
        keptSize: count,
      }),
    ),
    StreamLossAccepted: first(
      objectOf({
        registryId: text,
        streams: arrayOf(objectOf({ stream: text, from: decimal, to: decimal })),
      }),
    ),
    ForeignEventsAcknowledged: first(
      objectOf({
        registryId: text,
        streams: arrayOf(objectOf({ stream: text, revision: decimal })),
      }),
    ),
  }),
  ...inStreamsOf('practice', {
    PracticeCreated: first(
      objectOf({ practiceId: text, name: text, sandbox: boolean, beta: boolean }),
    ),
    PracticeSandboxSet: first(objectOf({ practiceId: text, sandbox: boolean })),
    PracticeSandboxChangeRefused: first(objectOf({ practiceId: text, sandbox: boolean })),
    PracticeBetaSet: first(objectOf({ practiceId: text, beta: boolean })),
    PracticeRenamed: first(objectOf({ practiceId: text, name: text })),
    PracticeTimeZoneSet: first(objectOf({ practiceId: text, timeZone: text })),
    AccessReviewed: first(
      objectOf({
        practiceId: text,
        at: instant,
        seats: arrayOf(objectOf({ memberId: text, role })),
      }),
    ),
    SingleSignOnSet: first(
      objectOf({ practiceId: text, issuer: text, clientId: text, allowedDomains: arrayOf(text) }),
    ),
    SingleSignOnTurnedOff: first(objectOf({ practiceId: text })),
    NeededItemsChosen: first(objectOf({ practiceId: text, items: arrayOf(text) })),
    DaysUntilDueSet: first(objectOf({ practiceId: text, days: nullable(ordinal) })),
    ImportColumnsMapped: first(
      objectOf({
        practiceId: text,
        columns: arrayOf(objectOf({ heading: text, label: text, path: nullable(text) })),
      }),
    ),
    ImportColumnsForgotten: first(objectOf({ practiceId: text, headings: arrayOf(text) })),
    PracticeDateOrderSet: first(objectOf({ practiceId: text, dateOrder: anyOf(...DATE_ORDERS) })),
    PracticeClockSet: first(objectOf({ practiceId: text, clock: anyOf(...CLOCKS) })),
    SecondFactorRequirementSet: first(objectOf({ practiceId: text, required: boolean })),
    BreakGlassUsed: first(objectOf({ practiceId: text, at: instant, reason: text, email: text })),
    CustomFieldDefined: first(
      objectOf({ ...customFieldLook, type: anyOf('text', 'number', 'date', 'choice') }),
    ),
    CustomFieldChanged: first(objectOf(customFieldLook)),
    CustomFieldRetired: first(objectOf({ practiceId: text, fieldId: text })),
    CustomFieldRestored: first(objectOf({ practiceId: text, fieldId: text })),
  }),
  ...inStreamsOf('partner', {
    PartnerCreated: first(
      objectOf({ partnerId: text, name: text, beta: boolean, status: contractStatus }),
    ),
    PartnerBetaSet: first(objectOf({ partnerId: text, beta: boolean })),
    PartnerContractStatusChanged: first(objectOf({ partnerId: text, status: contractStatus })),
  }),
  ...inStreamsOf('partnerkeys', {
    PartnerKeyIssued: ofKey(
      objectOf(
        {
          keyId: text,
          partnerId: text,
          practiceId: text,
          name: nullable(text),
          scopes,
          tokenHash: text,
        },
        { lastFour: text, addresses: arrayOf(text) },
      ),
    ),
    PartnerKeyWithdrawn: first(objectOf({ partnerId: text, practiceId: text, keyId: text })),
  }),
  ...inStreamsOf('member', {
    MemberAdded: first(
      objectOf({ memberId: text, practiceId: text, email: text, role }, { name: nameOfPerson }),
    ),
    MemberInvited: first(
      objectOf(
        {
          memberId: text,
          practiceId: text,
          email: text,
          role,
          endsAt: instant,
          byStaff: boolean,
        },
        { name: nameOfPerson },
      ),
    ),
    InvitationWithdrawn: first(objectOf({ memberId: text, practiceId: text })),
    SeatChanged: first(objectOf({ memberId: text, practiceId: text, role })),
    AuditorPermissionSet: first(objectOf({ memberId: text, practiceId: text, granted: boolean })),
    MemberNamed: first(objectOf({ memberId: text, practiceId: text, name: nameOfPerson })),
    MemberRemoved: first(objectOf({ memberId: text, practiceId: text })),
    OneTimePasswordGiven: first(objectOf({ memberId: text, practiceId: text })),
  }),
  ...inStreamsOf('staff', {
    StaffAdded: first(objectOf({ staffId: text, email: text }, { name: nameOfPerson })),
    StaffNamed: first(objectOf({ staffId: text, name: nameOfPerson })),
    StaffRemoved: first(objectOf({ staffId: text })),
    StaffPasswordGiven: first(objectOf({ staffId: text })),
    StaffAccessReviewed: first(objectOf({ staffId: text, at: instant, people: arrayOf(text) })),
  }),
  ...inStreamsOf('key', {
    ApiKeyMinted: ofKey(
      objectOf(
        {
          keyId: text,
          practiceId: text,
          kind: keyKind,
          partnerId: nullable(text),
          name: nullable(text),
          scopes,
          tokenHash: text,
        },
        { lastFour: text, addresses: arrayOf(text) },
      ),
    ),
    ApiKeyAddressesSet: first(objectOf({ keyId: text, addresses: arrayOf(text) })),
    ApiKeyEndSet: first(objectOf({ keyId: text, endsAt: instant })),
    ApiKeyRevoked: first(objectOf({ keyId: text })),
  }),
  ...inStreamsOf('ingestion', {
    IngestionQueued: first(ingestionHead()),
    SubmissionIngested: {
      ...first(
        ingestionHead({
          accepted: arrayOf(acceptedEntry),
          rejected: arrayOf(rejectedEntry),
          rejectedAt: arrayOf(count),
          completedAt: instant,
        }),
      ),
      complete: withRejectionIds,
    },
    IngestionStarted: first(
      objectOf({ ingestionId: text, run: ordinal }, { head: ingestionHead() }),
    ),
    RecordsProcessed: {
      ...first(
        objectOf(
          {
            ingestionId: text,
            chunk: count,
            accepted: arrayOf(acceptedEntry),
            rejected: arrayOf(rejectedEntry),
          },
          { rejectedAt: arrayOf(count), practiceId: text, source },
        ),
      ),
      complete: withRejectionIds,
    },
    IngestionCompleted: first(
      objectOf({ ingestionId: text, accepted: count, rejected: count, completedAt: instant }),
    ),
    IngestionFailed: first(
      objectOf(
        {
          ingestionId: text,
          error: text,
          exception: text,
          correlationId: text,
          completedAt: instant,
        },
        { head: ingestionHead() },
      ),
    ),
    ImportUndoBegun: first(objectOf({ ingestionId: text, practiceId: text, records: count })),
    ImportUndoProgressed: first(objectOf({ ingestionId: text, ...undoneRecords })),
    ImportUndone: first(objectOf({ ingestionId: text, ...undoneRecords, undoneAt: instant })),
  }),
  ...inStreamsOf('record', {
    BirthRecorded: recordVersion,
    BirthAmended: recordVersion,
    BirthRetracted: first(
      objectOf(
        { submissionUuid: uuid, practiceId: text, version: ordinal, source, mark },
        {
          reason: nullable({ ...text, maxLength: 500 }),
          mergedInto: uuid,
          undoneImport: text,
        },
      ),
    ),
    DuplicateFlagged: duplicate,
    DuplicateDismissed: pairDecision,
    DuplicateFlagRestored: pairDecision,
    QuestionsConfirmed: first(
      objectOf({
        submissionUuid: uuid,
        practiceId: text,
        version: ordinal,
        questions: arrayOf(text),
        mark,
      }),
    ),
    RevivalKept: first(
      objectOf({ submissionUuid: uuid, practiceId: text, version: ordinal, mark }),
    ),
    AttributionRepointed: first(
      objectOf({
        submissionUuid: uuid,
        practiceId: text,
        part: anyOf('attendant', 'certifier'),
        from: text,
        to: text,
        mark,
      }),
    ),
  }),
  ...inStreamsOf('provider', {
    ProviderIdentified: first(
      objectOf({
        providerId: text,
        practiceId: text,
        partnerId: text,
        identity: text,
        ...providerDetails,
      }),
    ),
    ProviderDetailsChanged: first(
      objectOf({ providerId: text, practiceId: text, ...providerDetails }),
    ),
  }),
  ...inStreamsOf('merges', {
    ProvidersMerged: first(
      objectOf({
        practiceId: text,
        partnerId: text,
        absorbed: text,
        survivor: text,
        following: arrayOf(text),
      }),
    ),
  }),
  ...inStreamsOf('access', {
    AccountSignedIn: first(
      objectOf(accessed, { by: anyOf('single-sign-on'), factor: anyOf(...SIGN_IN_FACTORS) }),
    ),
    AccountSignedOut: first(objectOf(accessed)),
    PasswordRefused: first(
      objectOf({
        ...accessed,
        accountId: nullable(text),
        where: anyOf(...PASSWORD_TRIED_AT),
      }),
    ),
    SingleSignOnRefused: first(
      objectOf({ ...accessed, accountId: nullable(text), why: anyOf(...SINGLE_SIGN_ON_REFUSALS) }),
    ),
    SignInHeldBack: first(
      objectOf({ ...accessed, accountId: nullable(text), by: anyOf('account', 'address') }),
    ),
    SecondFactorChanged: first(
      objectOf({
        ...accessed,
        change: anyOf(...SECOND_FACTOR_CHANGES),
      }),
    ),
    SessionsEnded: first(objectOf({ ...accessed, accountId: text })),
    RecordsShown: first(
      objectOf({
        ...accessed,
        place: anyOf(...PLACES_SHOWN),
        recordIds: { ...arrayOf(uuid), minItems: 1 },
        filters,
      }),
    ),
    RecordsPrinted: first(
      objectOf({
        ...accessed,
        place: anyOf(...PLACES_SHOWN),
        recordIds: { ...arrayOf(uuid), minItems: 1 },
        by: anyOf('print-view', 'browser'),
      }),
    ),
    ChartsShown: first(objectOf({ ...accessed, prefillIds: { ...arrayOf(text), minItems: 1 } })),
    ImportShown: first(objectOf({ ...accessed, importId: text, stagedBy: text })),
    HandedOverShown: first(
      objectOf({ ...accessed, handedOverIds: { ...arrayOf(text), minItems: 1 } }),
    ),
    HandedOverDiscarded: first(objectOf({ ...accessed, handedOverId: text })),
    LogShown: first(objectOf({ ...accessed, log: { enum: LOGS_SHOWN } })),
    ReceiptsRead: first(
      objectOf({
        ...accessed,
        ingestionIds: { ...arrayOf(text), minItems: 1 },
        recordIds: arrayOf(uuid),
      }),
    ),
    KeyRefusedElsewhere: first(objectOf({ ...accessed, requests: count })),
    DataExported: first(
      objectOf({ ...accessed, what: anyOf(...EXPORTS), rows: nullable(count), filters }),
    ),
    RecordsExported: first(
      objectOf(
        {
          ...accessed,
          what: anyOf(...EXPORTS),
          recordIds: { ...arrayOf(uuid), minItems: 1 },
        },
        { versions: arrayOf(ordinal) },
      ),
    ),
  }),
  ...inStreamsOf('work', {
    WorkTaken: first(objectOf(aboutItem)),
    WorkReleased: first(objectOf(aboutItem)),
    WorkDismissed: {
      ...first(objectOf({ ...aboutItem, parts: arrayOf(text) })),
      complete: withMatters,
    },
    WorkReopened: first(objectOf(aboutItem)),
  }),
};
