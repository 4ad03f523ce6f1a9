import {
  type BirthIdentity,
  findIdentityMismatches,
  isDifferentMother,
  toBirthIdentity,
} from '../../domain/birth-record/birth-identity.ts';
import { listFingerprints } from '../../domain/birth-record/duplicates/fingerprint.ts';
import type { LoadRecords } from '../../domain/birth-record/ports.ts';
import { createWorkingSet, type LoadedRecord } from '../../domain/birth-record/working-set.ts';
import { type CourseOfCare, emptyChild, emptyCourseOfCare } from '../../domain/course/course.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import {
  CHART_NUMBER_CONFLICT,
  findClearedColumns,
  type RowMessage,
} from '../../domain/mapping/csv/row.ts';
import {
  decideItem,
  type ItemOutcome,
  type ItemsOfSubmission,
  type SubmissionItem,
  toSubmissionItem,
} from '../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import type { ChartNumberConflict, PreviewRow } from '../../domain/submission/staged-import.ts';
import { loadWorkingSet } from '../ingestion/load-working-set.ts';
import type { App } from '../ports/app-ports.ts';

export type RowForecast = Pick<
  PreviewRow,
  | 'status'
  | 'version'
  | 'revives'
  | 'amendsRow'
  | 'unlike'
  | 'anothers'
  | 'empties'
  | 'looksLike'
  | 'othersAlike'
  | 'errors'
>;

export interface PreviewedCourse {
  readonly queued: QueuedItem;
  readonly row: number;
}

interface WrittenRow {
  readonly row: number;
  readonly birth: BirthIdentity | null;
}

/** Each call continues after the last one, in the order of the file. */
export type PreviewDecisions = (
  courses: readonly PreviewedCourse[],
  rest: () => Promise<void>,
) => Promise<readonly RowForecast[]>;

const NO_CONTENT = emptyCourseOfCare();

/** Fingerprints are stored separately. */
const pickDecidingPart = ({ mother, children }: CourseOfCare): CourseOfCare => {
  const { family_name, given_names, birth_date } = mother;
  return {
    ...NO_CONTENT,
    mother: { ...NO_CONTENT.mother, family_name, given_names, birth_date },
    children: children.map(({ birth_date: born, birth_time }) => ({
      ...emptyChild(),
      birth_date: born,
      birth_time,
    })),
  };
};

/** A working set can then contain thousands of records. */
const omitContent =
  (loadRecords: LoadRecords): LoadRecords =>
  async (streams) => {
    const found = new Map<string, LoadedRecord>();
    for (let from = 0; from < streams.length; from += RECORDS_PER_LOAD)
      for (const [stream, record] of await loadRecords(
        streams.slice(from, from + RECORDS_PER_LOAD),
      ))
        found.set(
          stream,
          record.state.status === 'none'
            ? record
            : {
                ...record,
                state: {
                  ...record.state,
                  course: pickDecidingPart(record.state.course),
                  providers: [],
                },
              },
        );
    return found;
  };

/**
 * Uses the decisions of ingestion and the current read tables; writes nothing.
 * @param receivedAt ISO 8601
 */
export const createPreviewDecisions = (
  { reads, identity, deriveId }: App,
  practiceId: string,
  importId: string,
  receivedAt: string,
): PreviewDecisions => {
  const workingSet = createWorkingSet();
  const workingSetReads = {
    loadRecords: omitContent(reads.loadRecords),
    loadFingerprintHolders: reads.loadFingerprintHolders,
  };
  const sent: ItemsOfSubmission = {
    ingestionId: importId,
    practiceId,
    keyKind: null,
    source: 'csv',
    receivedAt,
  };
  const names = { deriveId, submissionHash: identity.submissionHash };
  const rowByStream = new Map<string, WrittenRow>();
  const rowByUuid = new Map<string, number>();

  return async (courses, rest) => {
    const ahead = courses.map(({ queued, row }) => ({
      course: toSubmissionItem(queued, sent, names),
      row,
    }));
    await loadWorkingSet(
      ahead.map(({ course }) => course),
      workingSet,
      workingSetReads,
      null,
    );
    const forecasts: RowForecast[] = [];
    for (const { course, row } of ahead) {
      await rest();
      const { queued, stream, submissionUuid } = course;
      const outcome = decideItem(
        queued.kind === 'course'
          ? { ...course, queued: { ...queued, course: pickDecidingPart(queued.course) } }
          : course,
        workingSet,
      );
      const before = rowByStream.get(stream) ?? null;
      const birth = queued.kind === 'course' ? toBirthIdentity(queued.course) : null;
      const unlike = before?.birth && birth ? findIdentityMismatches(before.birth, birth) : [];
      const belongsToOther = findConflict(outcome, birth, before?.row ?? null);
      const forecast = buildForecast(outcome, before?.row ?? null, rowByUuid);
      // Without the row itself and the one that it is flagged for.
      const others =
        forecast.looksLike === null || queued.kind !== 'course'
          ? 0
          : workingSet.countLive(listFingerprints(queued)) - 2;
      forecasts.push({
        ...forecast,
        ...(others > 0 ? { othersAlike: others } : {}),
        ...(outcome.accepted !== null && unlike.length > 0 ? { unlike } : {}),
        ...(belongsToOther === null ? {} : { anothers: belongsToOther }),
      });
      if (outcome.accepted === null) continue;
      rowByStream.set(stream, { row, birth });
      // Only new records: an existing record is shown by its uuid, not by the row that amends it.
      if (outcome.accepted.submission_uuid === submissionUuid) rowByUuid.set(submissionUuid, row);
    }
    const emptied = await findEmptiedColumns(
      ahead.filter((_, index) => isAmendmentOfRecord(forecasts[index])),
      reads.loadRecords,
      rest,
    );
    return forecasts.map((forecast, index) => ({
      ...forecast,
      empties: emptied.get(ahead[index]?.row ?? 0) ?? [],
    }));
  };
};

/** Unless the row is rejected for another reason. */
const findConflict = (
  { accepted, rejected, before: { state } }: ItemOutcome,
  birth: BirthIdentity | null,
  row: number | null,
): ChartNumberConflict | null => {
  const isOther =
    birth !== null &&
    state.status !== 'none' &&
    isDifferentMother(toBirthIdentity(state.course), birth) &&
    (rejected?.rejections ?? []).every(({ id }) => id === CHART_NUMBER_CONFLICT.id);
  return isOther ? { version: state.version, row, isConfirmed: accepted !== null } : null;
};

// Values that a row of the same file wrote are known to the reader of the file.
const isAmendmentOfRecord = (forecast: RowForecast | undefined): boolean =>
  forecast !== undefined && forecast.version !== null && forecast.amendsRow === null;

const RECORDS_PER_LOAD = 100;

const findEmptiedColumns = async (
  amendments: readonly { readonly course: SubmissionItem; readonly row: number }[],
  loadRecords: LoadRecords,
  rest: () => Promise<void>,
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const emptied = new Map<number, readonly string[]>();
  for (let from = 0; from < amendments.length; from += RECORDS_PER_LOAD) {
    const some = amendments.slice(from, from + RECORDS_PER_LOAD);
    const records = await loadRecords(some.map(({ course }) => course.stream));
    for (const { course, row } of some) {
      await rest();
      const { queued, stream } = course;
      const existing = records.get(stream)?.state;
      if (queued.kind === 'course' && existing !== undefined && existing.status !== 'none')
        emptied.set(row, findClearedColumns(existing.course, queued.course));
    }
  }
  return emptied;
};

const buildForecast = (
  { accepted, rejected, events, before }: ItemOutcome,
  amendsRow: number | null,
  rowByUuid: ReadonlyMap<string, number>,
): RowForecast => {
  if (accepted === null)
    return {
      status: 'refused',
      version: null,
      revives: false,
      amendsRow: null,
      empties: [],
      looksLike: null,
      errors: (rejected?.rejections ?? []).map((one) => buildMessage(one, amendsRow)),
    };
  const flag = events.find((event) => event.type === 'DuplicateFlagged');
  const older = flag?.data.duplicateOf ?? null;
  const olderRow = older === null ? undefined : rowByUuid.get(older);
  return {
    status: older !== null ? 'flagged' : accepted.amended === true ? 'amends' : 'new',
    version: accepted.version ?? null,
    revives: before.state.status === 'voided',
    amendsRow,
    empties: [],
    looksLike:
      older === null
        ? null
        : olderRow === undefined
          ? { submissionUuid: older }
          : { row: olderRow },
    errors: [],
  };
};

export const ROW_OF_ANOTHER_WOMAN =
  'This chart number belongs to another woman: more differs than agrees of the mother’s name, her date of birth and the child’s. Correct the chart number.';

export const describeSharedChartNumber = (earlierRow: number): string =>
  `Row ${earlierRow} has this chart number for another woman. Correct the chart number of one of them.`;

const buildMessage = (
  { id, diagnostics, expression }: Rejection,
  earlierRow: number | null,
): RowMessage => {
  switch (id) {
    case 'another-womans-record':
      return {
        column: 'chart_number',
        id,
        message: earlierRow === null ? ROW_OF_ANOTHER_WOMAN : describeSharedChartNumber(earlierRow),
      };
    case 'stale-update':
      return {
        column: null,
        id,
        message: 'The record under this chart number holds a change with a later time.',
      };
    case 'duplicate-amendment':
      return {
        column: 'chart_number',
        id,
        message:
          'Another chart number has the same mother and time of birth. Check the chart number, or void one of the two records first.',
      };
    default:
      return { column: expression?.[0] ?? null, id, message: diagnostics };
  }
};
