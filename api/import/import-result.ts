import {
  buildNotImportedLine,
  buildResultRows,
  listFilledRows,
  type ResultLine,
} from '../../domain/submission/import-result.ts';
import type { App } from '../ports/app-ports.ts';

type Progress = Awaited<ReturnType<App['reads']['imports']['findProgress']>>;

/**
 * `null` if the import is unfinished or unknown. Takes the progress that its caller shows, because
 * the import could have ended since.
 */
export const buildImportResult = (
  { reads }: App,
  progress: Progress,
): AsyncIterable<ResultLine> | null => {
  if (progress?.status !== 'completed' && progress?.status !== 'failed') return null;
  return linesOf(
    [...listFilledRows(progress.total, progress.emptyRows)],
    reads.imports.readOutcomes(progress.importId),
  );
};

export const buildImportResultFile = (
  app: App,
  progress: Progress,
): AsyncIterable<string> | null => {
  const lines = buildImportResult(app, progress);
  return lines === null ? null : app.csv.write(RESULT_COLUMNS, cellsOf(lines));
};

export const listResultRecords = async (
  app: App,
  progress: Progress,
): Promise<readonly string[]> => {
  const recordIds: string[] = [];
  for await (const { submissionUuid } of buildImportResult(app, progress) ?? [])
    if (submissionUuid !== null) recordIds.push(submissionUuid);
  return recordIds;
};

async function* cellsOf(lines: AsyncIterable<ResultLine>): AsyncIterable<readonly string[]> {
  for await (const line of lines) yield resultCells(line);
}

async function* linesOf(
  rowOf: readonly number[],
  outcomes: ReturnType<App['reads']['imports']['readOutcomes']>,
): AsyncIterable<ResultLine> {
  let reportedRows = 0;
  for await (const chunk of outcomes)
    for (const line of buildResultRows(chunk, rowOf)) {
      reportedRows += 1;
      yield line;
    }
  for (const row of rowOf.slice(reportedRows)) yield buildNotImportedLine(row);
}

const RESULT_COLUMNS = [
  'row',
  'chart_number',
  'outcome',
  'version',
  'suspected_duplicate',
  'reason',
  'submission_uuid',
] as const;

const resultCells = (line: ResultLine): readonly string[] => [
  String(line.row),
  line.chartNumber ?? '',
  line.outcome,
  line.version === null ? '' : String(line.version),
  line.isSuspectedDuplicate ? 'yes' : '',
  line.reasons.join(' '),
  line.submissionUuid ?? '',
];
