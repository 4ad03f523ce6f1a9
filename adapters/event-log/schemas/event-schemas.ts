import { ACCESS_EVENTS } from '../../../domain/access-log/events.ts';
import { MEMBER_EVENTS } from '../../../domain/account/member-events.ts';
import { STAFF_EVENTS } from '../../../domain/account/staff-events.ts';
import { API_KEY_EVENTS } from '../../../domain/api-key/events.ts';
import { PARTNER_KEY_SLOT_EVENTS } from '../../../domain/api-key/partner-key-slot.ts';
import { BIRTH_RECORD_EVENTS } from '../../../domain/birth-record/events.ts';
import {
  type CompactCourse,
  compactCourse,
  expandCourse,
} from '../../../domain/course/compact-course.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { clampStamp } from '../../../domain/course/stamps.ts';
import { PARTNER_EVENTS } from '../../../domain/partner/events.ts';
import { PRACTICE_EVENTS } from '../../../domain/practice/events.ts';
import { MERGES_EVENTS, PROVIDER_EVENTS } from '../../../domain/provider/events.ts';
import { REGISTRY_EVENTS } from '../../../domain/registry/events.ts';
import type { Schema } from '../../../domain/schema.ts';
import type { StreamKind } from '../../../domain/stream-names.ts';
import { INGESTION_EVENTS, SHARED_INGESTION_EVENTS } from '../../../domain/submission/events.ts';
import { WORK_EVENTS } from '../../../domain/work-items/events.ts';
import { identifyMatter, identifyRejection, identifyWarning } from './old-words.ts';

export interface EventSchema {
  readonly stream: StreamKind;
  readonly schema: Schema;
  readonly version: number;
  /** Until every supported release reads the new form, data grows by optional properties only. */
  readonly versions: readonly StoredVersion[];
  /** Corrects data that was impossible at the time it was recorded. */
  readonly asOfReceipt?: (
    data: Readonly<Record<string, unknown>>,
    recordedAt: string,
  ) => Readonly<Record<string, unknown>>;
  /** Adds fields that this version gained after the data was written. */
  readonly complete?: Rewrite;
}

interface StoredVersion {
  /** Converts the data to its stored form, if that differs, and restores it. */
  readonly packing?: { readonly pack: Rewrite; readonly unpack: Rewrite };
  /** Converts the data to the next version; absent from the current one. */
  readonly upcast?: Rewrite;
}

type Rewrite = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

type EarlierForms = Partial<Omit<EventSchema, 'stream' | 'schema' | 'version'>>;

/** Version 1 also had the scope `export:read` for reading records, which keys can no longer do. */
const key: EarlierForms = {
  versions: [
    {
      upcast: (data) => ({
        ...data,
        scopes: (data['scopes'] as readonly unknown[]).filter((scope) => scope !== 'export:read'),
      }),
    },
    {},
  ],
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

/** Records then stay below the 2 KB at which Postgres moves a value out of the row. */
const recordVersion: EarlierForms = {
  versions: [
    // All fields of its time; later fields are empty. The first records predate providers.
    { upcast: (data) => ({ providers: [], ...withWholeCourse(data) }) },
    {
      packing: {
        pack: (data) => ({ ...data, course: compactCourse(data['course'] as CourseOfCare) }),
        unpack: withWholeCourse,
      },
    },
  ],
  complete: withWarningIds,
  // Version 0.1 accepted any future date. After one from the year 9999, every update was older.
  asOfReceipt: (data, recordedAt) => {
    const { stamp: sent } = data as { readonly stamp?: unknown };
    if (typeof sent !== 'string') return data;
    const stamp = clampStamp(sent, recordedAt);
    if (stamp === sent) return data;
    const course = data['course'] as CourseOfCare;
    return { ...data, stamp, course: course.stamp === sent ? { ...course, stamp } : course };
  },
};

const EVENTS = {
  ...REGISTRY_EVENTS,
  ...PRACTICE_EVENTS,
  ...PARTNER_EVENTS,
  ...PARTNER_KEY_SLOT_EVENTS,
  ...MEMBER_EVENTS,
  ...STAFF_EVENTS,
  ...API_KEY_EVENTS,
  ...INGESTION_EVENTS,
  ...SHARED_INGESTION_EVENTS,
  ...BIRTH_RECORD_EVENTS,
  ...PROVIDER_EVENTS,
  ...MERGES_EVENTS,
  ...ACCESS_EVENTS,
  ...WORK_EVENTS,
};

type EventType = keyof typeof EVENTS;

/** Event types with earlier forms. All others are in version 1. */
const EARLIER_FORMS: Readonly<Partial<Record<EventType, EarlierForms>>> = {
  ApiKeyMinted: key,
  PartnerKeyIssued: key,
  BirthRecorded: recordVersion,
  BirthAmended: recordVersion,
  SubmissionIngested: { complete: withRejectionIds },
  RecordsProcessed: { complete: withRejectionIds },
  WorkDismissed: { complete: withMatters },
};

export const EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(EVENTS).map(([type, event]): [string, EventSchema] => {
    const { versions = [{}], ...forms } = EARLIER_FORMS[type as EventType] ?? {};
    return [type, { ...event, ...forms, version: versions.length, versions }];
  }),
) as Readonly<Record<EventType, EventSchema>>;
