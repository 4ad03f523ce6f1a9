import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { isUuid } from '../../domain/text-input.ts';
import { findSurvivor, isUpTo } from '../ingestion/provider-survivors.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { wasSuspectedAsOf } from './duplicates-as-of.ts';

/** What an auditor sees of a record: its state at a moment, and every event up to then. */
export interface RecordHistory {
  /** The one asked for; asked for by its id, the record's at that moment. */
  readonly chartNumber: string | null;
  readonly submissionUuid: string | null;
  readonly state: {
    readonly status: 'live' | 'voided';
    readonly version: number;
    readonly source: string;
    readonly keyKind: 'native' | 'partner' | null;
    /** It is the newer one of an open pair. */
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
    /** Its place in the tree of the log, from 0; null: the tree does not hold it yet. */
    readonly leaf: number | null;
  }[];
}

/**
 * Replays a chart number from the log.
 * @param asOf later events are left out; null: now
 */
export const findHistoryByChart = async (
  registry: AppPorts,
  practiceId: string,
  chartNumber: string,
  asOf: Date | null,
): Promise<RecordHistory> => {
  const stored = await readStored(
    registry,
    recordStream(registry.identity.recordHash(practiceId, chartNumber)),
  );
  return { chartNumber, ...(await buildHistory(registry, stored, asOf)) };
};

/**
 * Replays a record of a practice from the log, with or without a chart number.
 * @param asOf later events are left out; null: now
 * @returns null if the practice holds no record with this id
 */
export const findHistoryByRecord = async (
  registry: AppPorts,
  practiceId: string,
  submissionUuid: string,
  asOf: Date | null,
): Promise<RecordHistory | null> => {
  if (!isUuid(submissionUuid)) return null;
  // One without a chart number is found without any table, whatever became of those.
  let stored = await readStored(
    registry,
    recordStream(registry.identity.submissionHash(submissionUuid)),
  );
  if (stored.length === 0) {
    const stream = await registry.reads.findRecordStream(practiceId, submissionUuid);
    stored = stream === null ? [] : await readStored(registry, stream);
  }
  const { state } = toLoadedRecord(stored);
  if (state.status === 'none' || state.practiceId !== practiceId) return null;
  const history = await buildHistory(registry, stored, asOf);
  const chartNumber = history.state?.courseOfCare.chart_number ?? null;
  return { chartNumber, ...history, submissionUuid };
};

const readStored = async (
  { log }: AppPorts,
  stream: string,
): Promise<readonly StoredRecordEvent[]> =>
  (await log.readStream(stream)) as readonly StoredRecordEvent[];

const buildHistory = async (
  registry: AppPorts,
  all: readonly StoredRecordEvent[],
  asOf: Date | null,
): Promise<Omit<RecordHistory, 'chartNumber'>> => {
  const stored = all.filter((one) => isUpTo(one, asOf));
  const { state } = toLoadedRecord(stored);
  const leaves = await registry.reads.leafIndexes(stored);
  let version = 0;
  return {
    submissionUuid: state.status === 'none' ? null : state.submissionUuid,
    state:
      state.status === 'none'
        ? null
        : {
            status: state.status,
            version: state.version,
            source: state.source,
            keyKind: state.keyKind,
            suspectedDuplicate: await wasSuspectedAsOf(registry, stored, asOf),
            courseOfCare: await withSurvivors(registry, state.course, asOf),
          },
    events: stored.map(({ event, metadata }, at) => {
      if ('version' in event.data) version = event.data.version;
      return {
        type: event.type,
        version,
        at: metadata.recordedAt,
        actor: metadata.actor,
        data: event.data,
        leaf: leaves[at] ?? null,
      };
    }),
  };
};

/** Attribution is right as soon as a merge is decided, before it has come to each record. */
const withSurvivors = async (
  registry: AppPorts,
  course: CourseOfCare,
  asOf: Date | null,
): Promise<CourseOfCare> => {
  const survivorOf = async (providerId: string | null) =>
    providerId === null ? null : findSurvivor(registry, providerId, asOf);
  const [attendant, certifier] = await Promise.all([
    survivorOf(course.attendant),
    survivorOf(course.certifier),
  ]);
  return { ...course, attendant, certifier };
};
