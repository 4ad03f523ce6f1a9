import { emptyCourseOfCare } from '../../domain/course-of-care/canonical-record.ts';
import { NOT_RECORDED, newLedger } from '../../domain/course-of-care/ledger.ts';
import type { LoadRecords } from '../../domain/course-of-care/ports.ts';
import { emptiedColumns } from '../../domain/csv/emptied-columns.ts';
import type { RowMessage } from '../../domain/csv/row.ts';
import type { PreviewRow } from '../../domain/csv/staged-import.ts';
import { type BirthTold, birthToldBy, unlikeIn } from '../../domain/csv/unlike-birth.ts';
import { type CourseOutcome, decideQueued } from '../../domain/ingestion/decide-queued.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import { DUPLICATE_AMENDMENT, type Rejection, STALE_UPDATE } from '../../domain/rejections.ts';
import { recordStream } from '../../domain/stream-names.ts';
import type { Registry } from '../registry/registry.ts';

/** What a row will do, as the preview tells it. */
export type RowForecast = Pick<
  PreviewRow,
  'status' | 'version' | 'revives' | 'amendsRow' | 'unlike' | 'empties' | 'looksLike' | 'errors'
>;

/** A course of the file, and the number of its row. */
export interface CourseAhead {
  readonly queued: QueuedCourse;
  readonly row: number;
}

/** The row of the file that wrote a record last, and whose birth it tells of. */
interface WrittenRow {
  readonly row: number;
  readonly told: BirthTold | null;
}

/** Says what courses will do, in the order of the file; every call goes on from the one before. */
export type DecideAhead = (
  courses: readonly CourseAhead[],
  rest: () => Promise<void>,
) => Promise<readonly RowForecast[]>;

// The content decides nothing but its fingerprints, which stand beside it.
const NO_CONTENT = emptyCourseOfCare();

/**
 * The decisions of the write path on the read tables as they are now, with nothing written: what a
 * confirmed import will do unless records change meanwhile.
 * @param receivedAt when the file was read, ISO 8601
 */
export const decideAheadWith = (
  { reads, identity, idOf }: Registry,
  practiceId: string,
  importId: string,
  receivedAt: string,
): DecideAhead => {
  const ledger = newLedger();
  /** Rows of the file by the record that they last wrote, and by the uuid of the record. */
  const rowByStream = new Map<string, WrittenRow>();
  const rowByUuid = new Map<string, number>();

  const load = async (streams: readonly string[], fingerprints: readonly string[]) => {
    const unknown = [...new Set(streams)].filter((stream) => !ledger.record(stream));
    const states = await reads.loadRecordStates(unknown);
    for (const stream of unknown) ledger.hold(stream, states.get(stream) ?? NOT_RECORDED);
    const asked = [...new Set(fingerprints)].filter((one) => !ledger.knowsFingerprint(one));
    ledger.holdFingerprints(asked, await reads.loadFingerprintHolders(practiceId, asked));
  };

  return async (courses, rest) => {
    const ahead = courses.map(({ queued, row }) => {
      const submissionUuid = idOf(importId, queued.position);
      const hash = queued.kind === 'rejected' ? null : queued.recordHash;
      return {
        queued,
        row,
        submissionUuid,
        stream: recordStream(hash ?? identity.submissionHash(submissionUuid)),
      };
    });
    const real = ahead.filter(({ queued }) => queued.kind !== 'rejected');
    await load(
      real.map(({ stream }) => stream),
      real.flatMap(({ queued }) => (queued.kind === 'course' ? queued.fingerprints : [])),
    );
    const forecasts: RowForecast[] = [];
    for (const { queued, row, submissionUuid, stream } of ahead) {
      await rest();
      const outcome = decideQueued(
        {
          queued: queued.kind === 'course' ? { ...queued, course: NO_CONTENT } : queued,
          stream,
          submissionUuid,
          practiceId,
          keyKind: null,
          source: 'csv',
          mark: { ingestionId: importId, position: queued.position },
          receivedAt,
        },
        ledger,
      );
      const before = rowByStream.get(stream) ?? null;
      const told = queued.kind === 'course' ? birthToldBy(queued.course) : null;
      const unlike = before?.told && told ? unlikeIn(before.told, told) : [];
      forecasts.push({
        ...forecastOf(outcome, before?.row ?? null, rowByUuid),
        ...(outcome.accepted !== null && unlike.length > 0 ? { unlike } : {}),
      });
      if (outcome.accepted === null) continue;
      rowByStream.set(stream, { row, told });
      // A record that was there before is known by itself, not by the row that amends it.
      if (outcome.accepted.submission_uuid === submissionUuid) rowByUuid.set(submissionUuid, row);
    }
    const emptied = await emptiedByRow(
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

// What a row of the same file wrote is known to the reader of the file.
const isAmendmentOfRecord = (forecast: RowForecast | undefined): boolean =>
  forecast !== undefined && forecast.version !== null && forecast.amendsRow === null;

/** Records with their courses of care are loaded so many at once: others get to run in between. */
const RECORDS_PER_LOAD = 100;

const emptiedByRow = async (
  amendments: readonly (CourseAhead & { readonly stream: string })[],
  loadRecords: LoadRecords,
  rest: () => Promise<void>,
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const emptied = new Map<number, readonly string[]>();
  for (let from = 0; from < amendments.length; from += RECORDS_PER_LOAD) {
    const some = amendments.slice(from, from + RECORDS_PER_LOAD);
    const records = await loadRecords(some.map(({ stream }) => stream));
    for (const { queued, row, stream } of some) {
      await rest();
      const held = records.get(stream)?.state;
      if (queued.kind === 'course' && held !== undefined && held.status !== 'none')
        emptied.set(row, emptiedColumns(held.course, queued.course));
    }
  }
  return emptied;
};

const forecastOf = (
  { accepted, rejected, events, before }: CourseOutcome,
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
      errors: (rejected?.rejections ?? []).map(messageOf),
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

const messageOf = ({ diagnostics, expression }: Rejection): RowMessage => {
  switch (diagnostics) {
    case STALE_UPDATE.diagnostics:
      return {
        column: null,
        message: 'The record under this chart number holds a change with a later time.',
      };
    case DUPLICATE_AMENDMENT.diagnostics:
      return {
        column: 'chart_number',
        message:
          'Another chart number holds the same mother and time of birth. Clear that duplicate first, or correct the chart number.',
      };
    default:
      return { column: expression?.[0] ?? null, message: diagnostics };
  }
};
