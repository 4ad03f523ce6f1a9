import type { BirthsFile } from '../../adapters/csv/file-table.ts';
import { readBirthsFile } from '../../adapters/xlsx/read-xlsx.ts';
import type { SavedChart } from '../../domain/intake/us-core/prefill.ts';
import { readChart } from './read-chart.ts';
import { type CourseReading, type ReadSubmission, readPieces } from './read-pieces.ts';

/** A long input to read. Its pieces move to the thread that reads it. */
export type ReadingTask = { readonly pieces: readonly Uint8Array[] } & (
  | { readonly kind: 'body'; readonly reading: CourseReading }
  /** Of one piece. */
  | { readonly kind: 'file'; readonly sheetName: string }
  /** See `packChart`. */
  | { readonly kind: 'chart'; readonly timeZones: readonly string[]; readonly now: Date }
);

/** Result of each kind of task. */
export interface ReadingResults {
  readonly body: ReadSubmission;
  readonly file: BirthsFile;
  /** The chart is `null` if it is too large to read. */
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
