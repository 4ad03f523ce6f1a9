import type { BirthRecordEvent } from '../domain/course-of-care/events.ts';
import { sparseCourse } from '../domain/course-of-care/sparse-course.ts';
import type { StoredEvent } from '../domain/event-log.ts';
import {
  type Handlers,
  isFirst,
  patch,
  put,
  type ReadTable,
  type Row,
  replace,
} from './projection.ts';

/** Row of `read.birth_record`: what a practice holds under one chart number now. */
export interface BirthRecordRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly stream: string;
  /** Revision of the stream's last event, the fence of the next append. */
  readonly revision: string;
  readonly chart_number: string | null;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly source: string;
  readonly key_kind: 'native' | 'partner' | null;
  readonly duplicate_of: string | null;
  /** The older record from which a person has told this one apart. */
  readonly dismissed_duplicate_of: string | null;
  readonly fingerprints: unknown;
  /** Sparse: `wholeCourse` puts back what is left out. */
  readonly course: unknown;
  readonly providers: unknown;
  /** Providers whom the record is attributed to now; `course` names those that were sent. */
  readonly attendant: string | null;
  readonly certifier: string | null;
  /** Place of the record's first event in the log: the order of age among look-alikes. */
  readonly recorded_position: string;
  readonly recorded_at: Date;
  readonly changed_at: Date;
}

/** Row of `read.record_fingerprint`: by it the duplicate check finds live records. */
export interface RecordFingerprintRow {
  readonly submission_uuid: string;
  readonly fingerprint: string;
  readonly practice_id: string;
}

const birthRecord: ReadTable = {
  name: 'birth_record',
  columns: {
    submission_uuid: 'uuid not null',
    practice_id: 'text not null',
    stream: 'text not null',
    revision: 'bigint not null',
    chart_number: 'text',
    status: 'text not null',
    version: 'integer not null',
    stamp: 'text',
    source: 'text not null',
    key_kind: 'text',
    duplicate_of: 'uuid',
    dismissed_duplicate_of: 'uuid',
    fingerprints: 'json not null',
    // Plain json: nobody searches in it, and taking it apart was most of what writing a record cost.
    course: 'json not null',
    providers: 'json not null',
    attendant: 'text',
    certifier: 'text',
    recorded_position: 'bigint not null',
    recorded_at: 'timestamptz not null',
    changed_at: 'timestamptz not null',
  },
  key: ['submission_uuid'],
  // Looked up by equality only: a hash takes less room than the text.
  indexes: ['using hash (stream)', "(practice_id) where status = 'voided'"],
};

const recordFingerprint: ReadTable = {
  name: 'record_fingerprint',
  columns: {
    submission_uuid: 'uuid not null',
    fingerprint: 'text not null',
    practice_id: 'text not null',
  },
  key: ['submission_uuid', 'fingerprint'],
  indexes: ['using hash (fingerprint)'],
};

/** Live and voided records, and the fingerprints of the live ones. @see spec "Record lifecycle" */
export const birthRecords = {
  name: 'birth_records',
  version: 4,
  tables: [birthRecord, recordFingerprint],
  on: {
    // Literals without spreads: these are the rows that a rebuild makes by the hundred thousand.
    BirthRecorded: (data, stored) => [
      put(
        'birth_record',
        {
          submission_uuid: data.submissionUuid,
          practice_id: data.practiceId,
          stream: stored.stream,
          revision: stored.revision.toString(),
          chart_number: data.course.chart_number,
          status: 'live',
          version: data.version,
          stamp: data.stamp,
          source: data.source,
          key_kind: data.keyKind,
          duplicate_of: null,
          dismissed_duplicate_of: null,
          fingerprints: data.fingerprints,
          course: sparseCourse(data.course),
          providers: data.providers,
          attendant: data.course.attendant,
          certifier: data.course.certifier,
          recorded_position: stored.position.toString(),
          recorded_at: stored.metadata.recordedAt,
          changed_at: stored.metadata.recordedAt,
        },
        isFirst(stored),
      ),
      fingerprintsOf(data, data.fingerprints, isFirst(stored)),
    ],
    BirthAmended: (data, stored) => [
      patch('birth_record', keyOf(data), {
        revision: stored.revision.toString(),
        status: 'live',
        version: data.version,
        stamp: data.stamp,
        source: data.source,
        key_kind: data.keyKind,
        fingerprints: data.fingerprints,
        course: sparseCourse(data.course),
        providers: data.providers,
        attendant: data.course.attendant,
        certifier: data.course.certifier,
        changed_at: stored.metadata.recordedAt,
      }),
      fingerprintsOf(data, data.fingerprints),
    ],
    BirthRetracted: (data, stored) => [
      patch('birth_record', keyOf(data), {
        ...changeOf(stored),
        status: 'voided',
        version: data.version,
      }),
      // spec "Duplicate fingerprint": voided records are ignored by the check
      fingerprintsOf(data, []),
    ],
    DuplicateFlagged: (data, stored) => [
      patch('birth_record', keyOf(data), { ...changeOf(stored), duplicate_of: data.duplicateOf }),
    ],
    DuplicateDismissed: (data, stored) => [
      patch('birth_record', keyOf(data), {
        ...changeOf(stored),
        duplicate_of: null,
        dismissed_duplicate_of: data.duplicateOf,
      }),
    ],
    DuplicateFlagRestored: (data, stored) => [
      patch('birth_record', keyOf(data), {
        ...changeOf(stored),
        duplicate_of: data.duplicateOf,
        dismissed_duplicate_of: null,
      }),
    ],
    AttributionRepointed: (data, stored) => [
      patch('birth_record', keyOf(data), { ...changeOf(stored), [data.part]: data.to }),
    ],
  } satisfies Handlers<BirthRecordEvent>,
};

const keyOf = (data: { readonly submissionUuid: string }): Row => ({
  submission_uuid: data.submissionUuid,
});

const changeOf = (stored: StoredEvent): Row => ({
  revision: stored.revision.toString(),
  changed_at: stored.metadata.recordedAt,
});

const fingerprintsOf = (
  data: { readonly submissionUuid: string; readonly practiceId: string },
  fingerprints: readonly string[],
  isNew = false,
) =>
  replace(
    'record_fingerprint',
    keyOf(data),
    fingerprints.map((fingerprint) => ({
      submission_uuid: data.submissionUuid,
      fingerprint,
      practice_id: data.practiceId,
    })),
    isNew,
  );
