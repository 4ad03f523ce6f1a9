import type { FindProgress, ReadOutcomes } from '../../domain/csv/import-progress.ts';
import {
  filledRows,
  linesOfChunk,
  notImportedLine,
  type ResultLine,
} from '../../domain/csv/result-lines.ts';

/** The result of an import that has ended, line by line; null while it goes on or if unknown. */
export type ImportResult = (
  practiceId: string,
  importId: string,
) => Promise<AsyncIterable<ResultLine> | null>;

/** @see ImportResult */
export const importResultWith =
  (findProgress: FindProgress, readOutcomes: ReadOutcomes): ImportResult =>
  async (practiceId, importId) => {
    const progress = await findProgress(practiceId, importId);
    if (progress?.status !== 'completed' && progress?.status !== 'failed') return null;
    return linesOf([...filledRows(progress.total, progress.emptyRows)], readOutcomes(importId));
  };

async function* linesOf(
  rowOf: readonly number[],
  outcomes: ReturnType<ReadOutcomes>,
): AsyncIterable<ResultLine> {
  let told = 0;
  for await (const chunk of outcomes)
    for (const line of linesOfChunk(chunk, rowOf)) {
      told += 1;
      yield line;
    }
  for (const row of rowOf.slice(told)) yield notImportedLine(row);
}

/** Header line of a result file. */
export const RESULT_COLUMNS = [
  'row',
  'chart_number',
  'outcome',
  'version',
  'suspected_duplicate',
  'reason',
  'submission_uuid',
] as const;

/** A line of a result as the cells of its file. */
export const resultCells = (line: ResultLine): readonly string[] => [
  String(line.row),
  line.chartNumber ?? '',
  line.outcome,
  line.version === null ? '' : String(line.version),
  line.isSuspectedDuplicate ? 'yes' : '',
  line.reasons.join(' '),
  line.submissionUuid ?? '',
];
