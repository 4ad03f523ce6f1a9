import { parseReference } from '../course/chart-number.ts';
import type { Rejection } from '../course/rejections.ts';
import { type ChunkOutcomes, listOutcomes, type RecordedOutcome } from './outcomes.ts';

/** Words of the result file; `refused` means rejected. */
export type RowOutcome = 'recorded' | 'amended' | 'refused' | 'not imported';

export interface ResultLine {
  readonly row: number;
  readonly chartNumber: string | null;
  readonly outcome: RowOutcome;
  readonly version: number | null;
  readonly isSuspectedDuplicate: boolean;
  readonly reasons: readonly string[];
  readonly submissionUuid: string | null;
}

/** First row below the header line. */
const FIRST_ROW = 2;

export function* listFilledRows(courses: number, emptyRows: readonly number[]): Generator<number> {
  const empty = new Set(emptyRows);
  for (let row = FIRST_ROW, left = courses; left > 0; row += 1) {
    if (empty.has(row)) continue;
    left -= 1;
    yield row;
  }
}

/** In file order. */
export const buildResultRows = (
  outcomes: ChunkOutcomes,
  rowOf: readonly number[],
): readonly ResultLine[] =>
  Array.from(listOutcomes(outcomes), (outcome) => buildLine(outcome, rowOf[outcome.position] ?? 0));

const buildLine = ({ kind, position, entry }: RecordedOutcome, row: number): ResultLine => {
  const line = { row, chartNumber: parseReference(entry, position) };
  return kind === 'rejected'
    ? {
        ...line,
        outcome: 'refused',
        version: null,
        isSuspectedDuplicate: false,
        reasons: entry.rejections.map(formatReason),
        submissionUuid: null,
      }
    : {
        ...line,
        outcome: entry.amended ? 'amended' : 'recorded',
        version: entry.version ?? null,
        isSuspectedDuplicate: entry.suspected_duplicate === true,
        reasons: [],
        submissionUuid: entry.submission_uuid,
      };
};

export const buildNotImportedLine = (row: number): ResultLine => ({
  row,
  chartNumber: null,
  outcome: 'not imported',
  version: null,
  isSuspectedDuplicate: false,
  reasons: [],
  submissionUuid: null,
});

/** Explains a rejection to users, with the column that it is about. */
const formatReason = ({ id, diagnostics, expression }: Rejection): string => {
  switch (id) {
    case 'stale-update':
      return 'The record was changed after the file was read. Import the row again if it is right.';
    case 'duplicate-amendment':
      return 'Another chart number has the same mother and time of birth. Check the chart number, or void one of the two records first.';
    default:
      return expression?.[0] === undefined ? diagnostics : `${expression[0]}: ${diagnostics}`;
  }
};

export interface ImportProgress {
  readonly importId: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly processed: number;
  readonly total: number;
  /** `null` until completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** ISO 8601 with offset; `null` until completed. */
  readonly completedAt: string | null;
  /** Class name of the error that ended a failed import; `null` otherwise. */
  readonly exception: string | null;
  readonly emptyRows: readonly number[];
}

/** Returns `null` if the practice has no confirmed import with this id. */
export type FindProgress = (practiceId: string, importId: string) => Promise<ImportProgress | null>;

/** Reads the outcomes of an import, chunk by chunk in order, one page in memory at a time. */
export type ReadOutcomes = (importId: string) => AsyncIterable<ChunkOutcomes>;
