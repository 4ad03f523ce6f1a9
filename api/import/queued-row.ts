import type { FingerprintKeys } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import {
  formatReference,
  MAX_CHART_NUMBER,
  readChartNumber,
} from '../../domain/course/chart-number.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import type { NamedColumn } from '../../domain/mapping/csv/column-names.ts';
import type { FileRow, RowMessage, RowReading } from '../../domain/mapping/csv/row.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { buildFingerprints, isTooLongToStore } from '../admission/course-content.ts';

const TOO_LONG: RowMessage = {
  column: null,
  id: 'row-too-long',
  message: 'The texts of the row are too long together. Shorten them.',
};
const CHART_NUMBER_UNUSABLE: RowMessage = {
  column: 'chart_number',
  id: 'chart-number-not-kept',
  message: `The chart number may have up to ${MAX_CHART_NUMBER} characters, all of them printable. Correct it.`,
};

export interface RowContext {
  readonly practiceId: string;
  /** Time at which the file was read. */
  readonly stamp: string;
  readonly recordHash: (practiceId: string, chartNumber: string) => string;
  readonly fingerprintKeys: FingerprintKeys;
  /** `null` if the practice has set no time zone. */
  readonly offsetAt: OffsetAt | null;
}

export interface QueuedRow {
  readonly queued: QueuedItem;
  readonly chartNumber: string | null;
  readonly errors: readonly RowMessage[];
}

/**
 * Rejected rows are queued too, so that the result covers every row.
 * @param position zero-based, among the non-empty rows
 */
export const toQueuedRow = (
  row: FileRow,
  columns: readonly (NamedColumn | null)[],
  reading: RowReading,
  position: number,
  context: RowContext,
): QueuedRow => {
  const column = columns.findIndex((one) => one?.path === 'chart_number');
  const chart = readChartNumber(row.cells[column]);
  const chartNumber = chart.kind === 'chart number' ? chart.value : null;
  const reference = formatReference(chartNumber, position);
  const refused = (errors: readonly RowMessage[]): QueuedRow => ({
    queued: { kind: 'rejected', position, ...reference, rejections: toRejections(errors) },
    chartNumber,
    errors,
  });

  if (reading.kind === 'refused') return refused(reading.errors);
  if (chart.kind === 'unusable') return refused([CHART_NUMBER_UNUSABLE]);
  const { practiceId, stamp } = context;
  const course = { ...reading.course, chart_number: chartNumber, stamp };
  if (isTooLongToStore(course)) return refused([TOO_LONG]);
  return {
    queued: {
      kind: 'course',
      position,
      ...reference,
      stamp,
      course,
      providers: [],
      partnerId: null,
      recordHash: chartNumber === null ? null : context.recordHash(practiceId, chartNumber),
      ...buildFingerprints(course, practiceId, context.fingerprintKeys, context.offsetAt),
    },
    chartNumber,
    errors: [],
  };
};

// The outcomes of a whole chunk must fit into one event.
const MAX_REJECTIONS = 8;

const toRejections = (errors: readonly RowMessage[]): readonly Rejection[] =>
  errors.slice(0, MAX_REJECTIONS).map(toRejection);

const toRejection = ({ column, id, message }: RowMessage): Rejection => ({
  id,
  code: 'value',
  diagnostics: message,
  ...(column === null ? {} : { expression: [column] }),
});
