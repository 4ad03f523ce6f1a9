import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { idOf } from '../../adapters/crypto/deterministic-ids.ts';
import { digestOfFile } from '../../adapters/crypto/file-digest.ts';
import { readCsv } from '../../adapters/csv/read-csv.ts';
import { writeCsv } from '../../adapters/csv/write-csv.ts';
import { findProgressIn, readOutcomesIn } from '../../adapters/postgres/queries/import-progress.ts';
import { stagedImportsOf } from '../../adapters/postgres/short-lived/staged-imports.ts';
import {
  loadFingerprintHoldersFrom,
  loadRecordsFrom,
} from '../../adapters/postgres/turns/held-records.ts';
import { loadRecordStatesFrom } from '../../adapters/postgres/turns/record-states.ts';
import { templateColumns } from '../../domain/csv/column-names.ts';
import type { FindProgress } from '../../domain/csv/import-progress.ts';
import type { StagedImport } from '../../domain/csv/staged-import.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import {
  type ConfirmImport,
  confirmImportWith,
  type FinishConfirmation,
  finishConfirmationWith,
} from '../import/confirm-import.ts';
import {
  type ImportResult,
  importResultWith,
  RESULT_COLUMNS,
  resultCells,
} from '../import/import-result.ts';
import { type PreviewImport, previewImportWith } from '../import/preview-import.ts';
import { type StageImport, stageImportWith } from '../import/stage-import.ts';
import { announceIngestionWith } from '../write-path/announce-ingestion.ts';
import { findPracticeOffsetsWith } from '../write-path/practice-offsets.ts';
import type { SharedParts } from './parts.ts';

/** What members do with files of births. */
export interface Imports {
  /** The template as a CSV file. */
  template(customFields: readonly CustomField[]): AsyncIterable<string>;
  readonly stage: StageImport;
  readonly preview: PreviewImport;
  readonly confirm: ConfirmImport;
  readonly progress: FindProgress;
  readonly result: ImportResult;
  /** The result of an import that has ended as a CSV file; null while it goes on or if unknown. */
  resultFile(practiceId: string, importId: string): Promise<AsyncIterable<string> | null>;
}

type ImportParts = Pick<SharedParts, 'settings' | 'stores' | 'cipher' | 'now' | 'afterStep'>;

/** Wires imports to the stores. */
export const importsOf = (parts: ImportParts): Imports => {
  const { db, identity } = parts.stores;
  const stagedImports = stagedOf(parts);
  const findProgress = findProgressIn(db);
  const result = importResultWith(findProgress, readOutcomesIn(db));
  return {
    template: (customFields) =>
      writeCsv(
        templateColumns(customFields).map(({ name }) => name),
        [],
      ),
    stage: stageImportWith({
      readFile: readCsv,
      stagedImports,
      loadRecordStates: loadRecordStatesFrom(db),
      loadRecords: loadRecordsFrom(db),
      loadFingerprintHolders: loadFingerprintHoldersFrom(db),
      submissionHash: identity.submissionHash,
      recordHash: identity.recordHash,
      fingerprint: identity.fingerprint,
      fileHash: identity.fileHash,
      digestOf: digestOfFile,
      newImportId: nanoid,
      newAttempt: randomUUID,
      findPracticeOffsets: findPracticeOffsetsWith(parts.stores.log.readStream),
      idOf,
      now: parts.now,
    }),
    preview: previewImportWith(stagedImports),
    confirm: confirmImportWith(confirmationParts(parts)),
    progress: findProgress,
    result,
    async resultFile(practiceId, importId) {
      const lines = await result(practiceId, importId);
      return lines === null ? null : writeCsv(RESULT_COLUMNS, cellsOf(lines));
    },
  };
};

/** What housekeeping does about imports. */
export interface ImportHousekeeping {
  /** Confirmed imports whose process ended on the way. */
  unannouncedImports(olderThanMs: number): Promise<readonly StagedImport[]>;
  /** Carries one of them through. */
  readonly finishImport: FinishConfirmation;
  /** Deletes previews that nobody confirmed in time. */
  dropExpiredImports(): Promise<void>;
}

/** Wires the housekeeping of imports to the stores. */
export const importHousekeepingOf = (parts: ImportParts): ImportHousekeeping => {
  const stagedImports = stagedOf(parts);
  return {
    unannouncedImports: (olderThanMs) => stagedImports.unannounced(olderThanMs),
    finishImport: finishConfirmationWith(confirmationParts(parts)),
    dropExpiredImports: () => stagedImports.dropExpired(),
  };
};

const stagedOf = ({ settings, stores, cipher }: ImportParts) =>
  stagedImportsOf(stores.db, cipher, settings.bufferTtlSeconds);

const confirmationParts = (parts: ImportParts) => ({
  stagedImports: stagedOf(parts),
  announce: announceIngestionWith({ append: parts.stores.log.append, idOf, now: parts.now }),
  newCorrelationId: nanoid,
  afterStep: parts.afterStep,
});

async function* cellsOf(
  lines: AsyncIterable<Parameters<typeof resultCells>[0]>,
): AsyncIterable<readonly string[]> {
  for await (const line of lines) yield resultCells(line);
}
