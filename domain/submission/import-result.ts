import { parseReference } from '../course/chart-number.ts';
import type { Rejection } from '../course/rejections.ts';
import { type ChunkOutcomes, type ItemOutcome, listOutcomes } from './outcomes.ts';

/** Outcome of a row. */
export type RowOutcome = 'recorded' | 'amended' | 'refused' | 'not imported';

/** One line of a result: what became of one row of the file. */
export interface ResultLine {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly chartNumber: string | null;
  readonly outcome: RowOutcome;
  /** Version of an amended record. */
  readonly version: number | null;
  readonly isSuspectedDuplicate: boolean;
  /** Why a row was refused, as sentences. */
  readonly reasons: readonly string[];
  readonly submissionUuid: string | null;
}

/** The first row under the header line. */
const FIRST_ROW = 2;

/** Row numbers of the filled rows of a file, in order. @param courses how many there are */
export function* listFilledRows(courses: number, emptyRows: readonly number[]): Generator<number> {
  const empty = new Set(emptyRows);
  for (let row = FIRST_ROW, left = courses; left > 0; row += 1) {
    if (empty.has(row)) continue;
    left -= 1;
    yield row;
  }
}

/**
 * The outcomes of one chunk as lines, in the order of the file.
 * @param rowOf row numbers by position in the submission
 */
export const buildResultRows = (
  outcomes: ChunkOutcomes,
  rowOf: readonly number[],
): readonly ResultLine[] =>
  Array.from(listOutcomes(outcomes), (outcome) => buildLine(outcome, rowOf[outcome.position] ?? 0));

const buildLine = ({ kind, position, entry }: ItemOutcome, row: number): ResultLine => {
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

/** A line for a row that an import did not come to before it failed. */
export const buildNotImportedLine = (row: number): ResultLine => ({
  row,
  chartNumber: null,
  outcome: 'not imported',
  version: null,
  isSuspectedDuplicate: false,
  reasons: [],
  submissionUuid: null,
});

/** A refusal in words of people, with the column that it is about. */
const formatReason = ({ id, diagnostics, expression }: Rejection): string => {
  switch (id) {
    case 'stale-update':
      return 'The record was changed after the file was read. Import the row again if it is right.';
    case 'duplicate-amendment':
      return 'Another chart number holds the same mother and time of birth. Clear that duplicate first.';
    default:
      return expression?.[0] === undefined ? diagnostics : `${expression[0]}: ${diagnostics}`;
  }
};

/** Progress of a confirmed import. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Member id of who confirmed it. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** Rows that have their outcome. */
  readonly processed: number;
  /** Filled rows of the file. */
  readonly total: number;
  /** Once it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** ISO 8601 with offset, or null while it runs. */
  readonly completedAt: string | null;
  /** Class name of the fault that ended a failed import; null otherwise. */
  readonly exception: string | null;
  /** Rows of the file that held nothing. */
  readonly emptyRows: readonly number[];
}

/** The progress of an import of a practice; null if it has none of this id that was confirmed. */
export type FindProgress = (practiceId: string, importId: string) => Promise<ImportProgress | null>;

/** Outcomes of an import, chunk by chunk in order, a page in memory at a time. */
export type ReadOutcomes = (importId: string) => AsyncIterable<ChunkOutcomes>;
