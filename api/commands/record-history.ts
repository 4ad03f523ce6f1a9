import type { CourseOfCare } from '../../domain/course-of-care/canonical-record.ts';
import { heldRecordOf, type StoredRecordEvent } from '../../domain/course-of-care/resume.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { type FindSurvivor, isUpTo } from './provider-survivors.ts';

/** What an auditor sees of a chart number: its state at a moment, and every event up to then. */
export interface RecordHistory {
  readonly chartNumber: string;
  readonly submissionUuid: string | null;
  readonly state: {
    readonly status: 'live' | 'voided';
    readonly version: number;
    readonly source: string;
    readonly keyKind: 'native' | 'partner' | null;
    readonly suspectedDuplicate: boolean;
    readonly courseOfCare: CourseOfCare;
  } | null;
  readonly events: readonly {
    readonly type: string;
    /** Version of the record that the event belongs to. */
    readonly version: number;
    readonly at: string;
    readonly actor: { readonly kind: string; readonly id: string };
    readonly data: unknown;
  }[];
}

/**
 * Replays a chart number from the log.
 * @param asOf ISO 8601 instant; later events are left out. Null: now
 */
export const recordHistory = async (
  parts: {
    readonly readStream: ReadStream;
    readonly recordHash: (practiceId: string, chartNumber: string) => string;
    readonly findSurvivor: FindSurvivor;
  },
  practiceId: string,
  chartNumber: string,
  asOf: Date | null,
): Promise<RecordHistory> => {
  const all = (await parts.readStream(
    recordStream(parts.recordHash(practiceId, chartNumber)),
  )) as readonly StoredRecordEvent[];
  const stored = all.filter((one) => isUpTo(one, asOf));
  const { state } = heldRecordOf(stored);
  let version = 0;
  return {
    chartNumber,
    submissionUuid: state.status === 'none' ? null : state.submissionUuid,
    state:
      state.status === 'none'
        ? null
        : {
            status: state.status,
            version: state.version,
            source: state.source,
            keyKind: state.keyKind,
            suspectedDuplicate: state.duplicateOf !== null,
            courseOfCare: await withSurvivors(state.course, parts.findSurvivor, asOf),
          },
    events: stored.map(({ event, metadata }) => {
      if ('version' in event.data) version = event.data.version;
      return {
        type: event.type,
        version,
        at: metadata.recordedAt,
        actor: metadata.actor,
        data: event.data,
      };
    }),
  };
};

/** Attribution is right as soon as a merge is decided, before it has come to each record. */
const withSurvivors = async (
  course: CourseOfCare,
  findSurvivor: FindSurvivor,
  asOf: Date | null,
): Promise<CourseOfCare> => {
  const survivorOf = async (providerId: string | null) =>
    providerId === null ? null : findSurvivor(providerId, asOf);
  const [attendant, certifier] = await Promise.all([
    survivorOf(course.attendant),
    survivorOf(course.certifier),
  ]);
  return { ...course, attendant, certifier };
};
