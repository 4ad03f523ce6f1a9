import type { BirthsFile } from '../../adapters/csv/file-table.ts';
import { readBirthsFile } from '../../adapters/xlsx/read-xlsx.ts';
import type { SavedChart } from '../../domain/mapping/us-core/prefill.ts';
import { readChart } from './read-chart.ts';
import { type CourseReading, type ReadSubmission, readPieces } from './read-pieces.ts';

/** The pieces move to the thread that reads them. */
export type ReadingTask = { readonly pieces: readonly Uint8Array[] } & (
  | { readonly kind: 'body'; readonly reading: CourseReading }
  /** Of one piece. */
  | { readonly kind: 'file'; readonly sheetName: string }
  | { readonly kind: 'chart'; readonly timeZones: readonly string[]; readonly now: Date }
);

export interface ReadingResults {
  readonly body: ReadSubmission;
  readonly file: BirthsFile;
  /** `null` if the chart is too large to read. */
  readonly chart: { readonly chart: SavedChart | null };
}

/** @throws RequestProblem for a refused body */
export const runReadingTask = async (
  task: ReadingTask,
): Promise<ReadingResults[ReadingTask['kind']]> => {
  switch (task.kind) {
    case 'body':
      return readPieces(task.pieces, task.reading);
    case 'file':
      return readBirthsFile(Buffer.concat(task.pieces), task.sheetName);
    case 'chart':
      return { chart: readChart(task.pieces, task.timeZones, task.now) };
  }
};
