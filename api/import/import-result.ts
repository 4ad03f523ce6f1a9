import {
  buildNotImportedLine,
  buildResultRows,
  listFilledRows,
  type ResultLine,
} from '../../domain/submission/import-result.ts';
import type { App } from '../ports/app-ports.ts';

/** The result of an import that has ended, line by line; null while it goes on or if unknown. */
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

/** The same as a CSV file. */
export const buildImportResultFile = async (
  registry: App,
  practiceId: string,
  importId: string,
): Promise<AsyncIterable<string> | null> => {
  const lines = await buildImportResult(registry, practiceId, importId);
  return lines === null ? null : registry.csv.write(RESULT_COLUMNS, cellsOf(lines));
};

/** The records that the result of an import names, by their submission uuids. */
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
  let told = 0;
  for await (const chunk of outcomes)
    for (const line of buildResultRows(chunk, rowOf)) {
      told += 1;
      yield line;
    }
  for (const row of rowOf.slice(told)) yield buildNotImportedLine(row);
}

/** Header line of a result file. */
const RESULT_COLUMNS = [
  'row',
  'chart_number',
  'outcome',
  'version',
  'suspected_duplicate',
  'reason',
  'submission_uuid',
] as const;

/** A line of a result as the cells of its file. */
const resultCells = (line: ResultLine): readonly string[] => [
  String(line.row),
  line.chartNumber ?? '',
  line.outcome,
  line.version === null ? '' : String(line.version),
  line.isSuspectedDuplicate ? 'yes' : '',
  line.reasons.join(' '),
  line.submissionUuid ?? '',
];
