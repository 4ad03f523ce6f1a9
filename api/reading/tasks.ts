import type { BirthsFile } from '../../adapters/csv/file-table.ts';
import { readBirthsFile } from '../../adapters/xlsx/read-xlsx.ts';
import { type CourseReading, type ReadSubmission, readPieces } from './read-pieces.ts';

/** A long input to read, as plain data that can be moved to another thread. */
export type ReadingTask =
  | {
      readonly kind: 'body';
      readonly pieces: readonly Uint8Array[];
      readonly reading: CourseReading;
    }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly sheetName: string };

/** What each kind of task returns. */
export interface ReadingResults {
  readonly body: ReadSubmission;
  readonly file: BirthsFile;
}

/** @throws RequestProblem a refused body */
export const runReadingTask = async (
  task: ReadingTask,
): Promise<ReadingResults[ReadingTask['kind']]> => {
  switch (task.kind) {
    case 'body':
      return readPieces(task.pieces, task.reading);
    case 'file':
      return readBirthsFile(Buffer.from(task.bytes.buffer), task.sheetName);
  }
};
