import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { isKnown } from '../../domain/event-log.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { isUuid } from '../../domain/text-input.ts';
import { findSurvivor, isUpTo } from '../ingestion/provider-survivors.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { wasSuspectedAsOf } from './duplicates-as-of.ts';

export interface RecordHistory {
  readonly chartNumber: string | null;
  readonly submissionUuid: string | null;
  readonly state: {
    readonly status: 'live' | 'voided';
    readonly version: number;
    readonly source: string;
    readonly keyKind: 'native' | 'partner' | null;
    /** True for the newer one of an open pair. */
    readonly suspectedDuplicate: boolean;
    readonly courseOfCare: CourseOfCare;
  } | null;
  readonly events: readonly {
    readonly type: string;
    /** After the event. */
    readonly version: number;
    readonly at: string;
    readonly actor: { readonly kind: string; readonly id: string };
    readonly data: unknown;
    /** From 0; `null` if the tree does not contain it yet. */
    readonly leaf: number | null;
  }[];
}

/** @param asOf excludes later events; now if `null` */
export const findHistoryByChart = async (
  app: AppPorts,
  practiceId: string,
  chartNumber: string,
  asOf: Date | null,
): Promise<RecordHistory> => {
  const stored = await readStored(
    app,
    recordStream(app.identity.recordHash(practiceId, chartNumber)),
  );
  return { chartNumber, ...(await buildHistory(app, stored, asOf)) };
};

/**
 * @param asOf excludes later events; now if `null`
 * @returns `null` if the practice has no record with this id
 */
export const findHistoryByRecord = async (
  app: AppPorts,
  practiceId: string,
  submissionUuid: string,
  asOf: Date | null,
): Promise<RecordHistory | null> => {
  if (!isUuid(submissionUuid)) return null;
  // A record without a chart number is found even if the read tables are unavailable.
  let stored = await readStored(app, recordStream(app.identity.submissionHash(submissionUuid)));
  if (stored.length === 0) {
    const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
    stored = stream === null ? [] : await readStored(app, stream);
  }
  const { state } = toLoadedRecord(stored);
  if (state.status === 'none' || state.practiceId !== practiceId) return null;
  const history = await buildHistory(app, stored, asOf);
  const chartNumber = history.state?.courseOfCare.chart_number ?? null;
  return { chartNumber, ...history, submissionUuid };
};

const readStored = async (
  { log }: AppPorts,
  stream: string,
): Promise<readonly StoredRecordEvent[]> =>
  (await log.readStream(stream)).filter(isKnown) as readonly StoredRecordEvent[];

const buildHistory = async (
  app: AppPorts,
  all: readonly StoredRecordEvent[],
  asOf: Date | null,
): Promise<Omit<RecordHistory, 'chartNumber'>> => {
  const stored = all.filter((one) => isUpTo(one, asOf));
  const { state } = toLoadedRecord(stored);
  const leaves = await app.reads.findLeafIndexes(stored);
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
            suspectedDuplicate: await wasSuspectedAsOf(app, stored, asOf),
            courseOfCare: await withSurvivors(app, state.course, asOf),
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

/** Resolves merges, because they apply before every record has been repointed. */
const withSurvivors = async (
  app: AppPorts,
  course: CourseOfCare,
  asOf: Date | null,
): Promise<CourseOfCare> => {
  const survivorOf = async (providerId: string | null) =>
    providerId === null ? null : findSurvivor(app, providerId, asOf);
  const [attendant, certifier] = await Promise.all([
    survivorOf(course.attendant),
    survivorOf(course.certifier),
  ]);
  return { ...course, attendant, certifier };
};
