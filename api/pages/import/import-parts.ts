import type {
  NameRecords,
  NameRecordsUnder,
} from '../../../domain/course-of-care/finding/named-record.ts';
import type { FindActorNames } from '../../../domain/course-of-care/finding/ports.ts';
import type { FindProgress } from '../../../domain/csv/import-progress.ts';
import type { PracticeImports } from '../../../domain/csv/practice-imports.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { AccessNotes } from '../../access-log/access-notes.ts';
import type { ConfirmImport } from '../../import/confirm-import.ts';
import type { ImportResult } from '../../import/import-result.ts';
import type { PreviewImport } from '../../import/preview-import.ts';
import type { StageImport } from '../../import/stage-import.ts';

/** What the pages of the imports ask for. */
export interface ImportPagesParts {
  /** The template as a CSV file, piece by piece. */
  readonly template: (customFields: readonly CustomField[]) => AsyncIterable<string>;
  readonly stage: StageImport;
  readonly preview: PreviewImport;
  readonly confirm: ConfirmImport;
  readonly progress: FindProgress;
  readonly result: ImportResult;
  /** The result as a CSV file; null while the import goes on or if it is unknown. */
  readonly resultFile: (
    practiceId: string,
    importId: string,
  ) => Promise<AsyncIterable<string> | null>;
  readonly imports: PracticeImports;
  /** The fields that the practice has defined for itself, retired ones too. */
  readonly customFields: (practiceId: string) => Promise<readonly CustomField[]>;
  readonly findActorNames: FindActorNames;
  readonly nameRecords: NameRecords;
  readonly nameRecordsUnder: NameRecordsUnder;
  readonly accessNotes: Pick<AccessNotes, 'recordsShown' | 'exported'>;
  readonly now: () => Date;
}
