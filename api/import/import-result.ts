import {
  buildNotImportedLine,
  buildResultRows,
  listFilledRows,
  type ResultLine,
} from '../../domain/submission/import-result.ts';
import type { App } from '../ports/app-ports.ts';

/** Builds the result of a finished import line by line; `null` if it is unfinished or unknown. */
export const buildImportResult = async (
  { reads }: App,
  practiceId: string,
  importId: string,
): Promise<AsyncIterable<ResultLine> | null> => {
  const progress = await reads.findImportProgress(practiceId, importId);
  if (progress?.status !== 'completed' && progress?.status !== 'failed') return null;
  return linesOf(
    [...listFilledRows(progress.total, progress.emptyRows)],
    reads.readImportOutcomes(importId),
  );
};

/** Writes the result as a CSV file. */
export const buildImportResultFile = async (
  registry: App,
  practiceId: string,
  importId: string,
): Promise<AsyncIterable<string> | null> => {
  const lines = await buildImportResult(registry, practiceId, importId);
  return lines === null ? null : registry.csv.write(RESULT_COLUMNS, cellsOf(lines));
};

/** Submission uuids of all records in the result of an import. */
export const listResultRecords = async (
  registry: App,
  practiceId: string,
  importId: string,
): Promise<readonly string[]> => {
  const recordIds: string[] = [];
  for await (const { submissionUuid } of (await buildImportResult(
    registry,
    practiceId,
    importId,
  )) ?? [])
    if (submissionUuid !== null) recordIds.push(submissionUuid);
  return recordIds;
};

async function* cellsOf(lines: AsyncIterable<ResultLine>): AsyncIterable<readonly string[]> {
  for await (const line of lines) yield resultCells(line);
}

async function* linesOf(
  rowOf: readonly number[],
  outcomes: ReturnType<App['reads']['readImportOutcomes']>,
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
