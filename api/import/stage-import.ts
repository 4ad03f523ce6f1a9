import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { LATE_ENTRY } from '../../domain/course/edits/child-edits.ts';
import { normalizeInstant } from '../../domain/course/stamps.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import type { ImportColumn, NamedColumn } from '../../domain/mapping/csv/column-names.ts';
import {
  COLUMN_NAMES_AGAIN,
  createRepeatedHeaderCheck,
  describeOtherOrder,
  type FileRefusal,
  nameOtherSheets,
  readHeader,
  refuseFile,
  toColumnLetter,
  type UnknownColumn,
} from '../../domain/mapping/csv/header.ts';
import { CONSENT, type FileRow, type RowMessage, readRow } from '../../domain/mapping/csv/row.ts';
import { type ParseContext, parseCourse } from '../../domain/mapping/form/parse-course.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { COURSES_PER_CHUNK } from '../../domain/submission/decide.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import type { ImportDraft, PreviewRow, RowCounts } from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { createYielder } from '../process/yielder.ts';
import { ReadingTooCostly } from '../reading/read-pieces.ts';
import type { ReadingResults } from '../reading/tasks.ts';
import { createPreviewDecisions } from './preview-decisions.ts';
import { type QueuedRow, type RowContext, toQueuedRow } from './queued-row.ts';
import type { WhichImport } from './revise-import.ts';

export interface UploadedFile {
  readonly practiceId: string;
  readonly memberId: string;
  readonly fileName: string;
  readonly bytes: Buffer;
  /** '' or absent for the first one. */
  readonly sheetName?: string;
  readonly entering: Pick<ParseContext, 'today' | 'offsetAt' | 'customFields' | 'dateOrder'>;
}

export interface StagingOptions {
  readonly importId: string;
  readonly onProgress: (done: number, total: number) => void;
}

const stageQuietly = (): StagingOptions => ({ importId: nanoid(), onProgress: () => undefined });

export type Staging = { readonly kind: 'staged'; readonly importId: string } | FileRefusal;

const ROWS_PER_LOOK = 500;
const MAX_FILE_NAME = 200;
const MAX_VALUE = 100;

export const FILE_TOO_COSTLY_MESSAGE =
  'Reading the file takes too long. Copy the births into a new file, without formats and other sheets, or split it into several files.';

/** Writes no records. */
export const stageImport = async (
  app: App,
  { bytes, sheetName = '', ...brought }: UploadedFile,
  options: StagingOptions = stageQuietly(),
): Promise<Staging> => {
  const { csv, identity, reader } = app;
  const digest = await csv.hashFile(bytes);
  const file = await reader
    .read(brought.practiceId, { kind: 'file', pieces: [new Uint8Array(bytes)], sheetName })
    .catch((error: unknown) => {
      if (!(error instanceof ReadingTooCostly)) throw error;
      return refuseFile('file-too-costly', FILE_TOO_COSTLY_MESSAGE);
    });
  if (file.kind === 'refused') return file;
  // Another sheet of the same workbook counts as another file.
  const sheet = file.sheet === undefined ? '' : ` ${file.sheet.name}`;
  const fileHash = identity.fileHash(brought.practiceId, `${digest}${sheet}`);
  return stageTable(app, { ...brought, fileHash }, file, options);
};

/**
 * Replaces the staged import after the practice has mapped its headings.
 * @returns `null` if it no longer exists or is confirmed
 */
export const restageImport = async (
  app: App,
  { practiceId, memberId, importId }: WhichImport,
  entering: UploadedFile['entering'],
  options: StagingOptions = stageQuietly(),
): Promise<Staging | null> => {
  const { stagedImports } = app;
  const found = await stagedImports.find(practiceId, memberId, importId);
  const headers = found?.summary.headers;
  if (found === null || found.staged.isConfirmed || headers === undefined) return null;
  const { staged, summary } = found;
  const rows: FileRow[] = [];
  for await (const row of stagedImports.cells(staged)) rows.push(row);
  const { fileName, sheet } = summary;
  const staging = await stageTable(
    app,
    { practiceId, memberId, fileName, entering, fileHash: staged.fileHash },
    {
      kind: 'table',
      headers,
      rows,
      emptyRows: staged.emptyRows,
      ...(sheet === undefined ? {} : { sheet }),
    },
    options,
  );
  if (staging.kind === 'staged') await app.reads.imports.drop(practiceId, memberId, importId);
  return staging;
};

/** Reads the log. */
export const findImportColumns = async (
  { log }: Pick<App, 'log'>,
  practiceId: string,
): Promise<readonly ImportColumn[]> => {
  const practice = stateAfter(await log.readStream(practiceStream(practiceId)), practiceFold);
  return practice.status === 'known' ? practice.importColumns : [];
};

type FileTable = Extract<ReadingResults['file'], { readonly kind: 'table' }>;

const stageTable = async (
  app: App,
  {
    practiceId,
    memberId,
    fileName,
    entering,
    fileHash,
  }: Omit<UploadedFile, 'bytes' | 'sheetName'> & { readonly fileHash: string },
  file: FileTable,
  { importId, onProgress }: StagingOptions,
): Promise<Staging> => {
  const { identity, stagedImports } = app;
  const remembered = await findImportColumns(app, practiceId);
  const header = readHeader(file.headers, entering.customFields, remembered);
  if (header.kind === 'refused')
    return file.sheet === undefined ? header : nameOtherSheets(header, file.sheet);
  const rest = createYielder();
  const rows = await markRepeatedHeaders(file, entering.customFields, rest);
  if ('kind' in rows) return rows;

  const draft = stagedImports.begin({
    importId,
    practiceId,
    memberId,
    attempt: randomUUID(),
    fileHash,
  });
  const context: RowContext = {
    practiceId,
    // docs/design/duplicates.md#stamps: a correction made in the app has its own time. The time of a file is when
    // it was read, so that it does not overwrite later changes.
    stamp: normalizeInstant(app.now().toISOString()) ?? '',
    recordHash: identity.recordHash,
    fingerprintKeys: app.fingerprintKeysAt(app.now()),
    offsetAt: await findPracticeOffsets(app, practiceId),
  };
  const previewDecisions = createPreviewDecisions(app, practiceId, importId, context.stamp);
  const enter = (values: Readonly<Record<string, string>>) =>
    parseCourse(values, { ...entering, existing: null, unitIsNamed: true });
  const reportOnce = createReportOnce();
  const counts = { new: 0, amends: 0, flagged: 0, refused: 0 };

  for (let from = 0; from < rows.length; from += ROWS_PER_LOOK) {
    onProgress(from, rows.length);
    const read: ReadRow[] = [];
    for (const [index, row] of rows.slice(from, from + ROWS_PER_LOOK).entries()) {
      await rest();
      const reading = readRow(row, header.columns, enter);
      const queued = toQueuedRow(row, header.columns, reading, from + index, context);
      read.push({ row, queued, notices: reportOnce(reading.notices) });
    }
    const forecasts = await previewDecisions(
      read.map(({ row, queued }) => ({ queued: queued.queued, row: row.row })),
      rest,
    );
    const preview = read.map((one, index): PreviewRow => {
      const forecast = forecasts[index];
      if (forecast === undefined) throw new Error('A row has no forecast.');
      counts[forecast.status] += 1;
      return { ...buildPreview(one, header.columns, forecast.errors), ...forecast };
    });
    await addCourses(draft, read, preview, rest);
    await addCells(
      draft,
      read.map(({ row }) => row),
      rest,
    );
  }
  const unknownColumns = [
    ...header.unknown,
    ...(await findUnnamedColumns(file.headers, rows, rest)),
  ];
  await draft.save(file.emptyRows, rows.length, {
    fileName: fileName.slice(0, MAX_FILE_NAME),
    counts: counts satisfies RowCounts,
    unknownColumns,
    ...(header.chosen.length === 0 ? {} : { chosenColumns: header.chosen }),
    headers: file.headers,
    ...(file.sheet === undefined ? {} : { sheet: file.sheet }),
    dateOrder: entering.dateOrder ?? 'month-first',
    ...(header.columns.some((column) => column?.path === CONSENT) ? {} : { asksConsent: true }),
  });
  return { kind: 'staged', importId };
};

/** A file may hold the births of a whole year: that they are late is said in its first such row. */
const createReportOnce = () => {
  let isReported = false;
  return (notices: readonly RowMessage[]): readonly RowMessage[] => {
    const wasReported = isReported;
    isReported ||= notices.some(({ id }) => id === LATE_ENTRY.id);
    return wasReported ? notices.filter(({ id }) => id !== LATE_ENTRY.id) : notices;
  };
};

interface ReadRow {
  readonly row: FileRow;
  readonly queued: QueuedRow;
  readonly notices: readonly RowMessage[];
}

const addCourses = async (
  draft: ImportDraft,
  read: readonly ReadRow[],
  preview: readonly PreviewRow[],
  rest: () => Promise<void>,
): Promise<void> => {
  draft.addPreview(preview);
  const courses: readonly QueuedItem[] = read.map(({ queued }) => queued.queued);
  for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK) {
    await rest();
    draft.addCourses(courses.slice(from, from + COURSES_PER_CHUNK));
  }
};

const buildPreview = (
  { row, queued, notices }: ReadRow,
  columns: readonly (NamedColumn | null)[],
  errors: readonly RowMessage[],
) => {
  const readCell = (index: number) => (row.cells[index] ?? '').trim();
  const readValue = (path: string) =>
    readCell(columns.findIndex((column) => column?.path === path));
  const columnsWithMessages = new Set(
    [...errors, ...notices].flatMap(({ column }) => column ?? []),
  );
  const mother = ['family_name', 'given_names', 'suffix'].map((name) =>
    readValue(`mother.${name}`),
  );
  return {
    row: row.row,
    chartNumber: queued.chartNumber,
    mother:
      mother
        .filter((name) => name !== '')
        .join(', ')
        .slice(0, MAX_VALUE) || null,
    notices,
    values: Object.fromEntries(
      columns.flatMap((column, index) =>
        column !== null && columnsWithMessages.has(column.name)
          ? [[column.name, readCell(index).slice(0, MAX_VALUE)]]
          : [],
      ),
    ),
  };
};

/** Encrypting a chunk of this many characters takes a few milliseconds. */
const CHARACTERS_PER_CHUNK = 256 * 1024;

const addCells = async (
  draft: ImportDraft,
  rows: readonly FileRow[],
  rest: () => Promise<void>,
): Promise<void> => {
  let chunk: FileRow[] = [];
  let characters = 0;
  for (const row of rows) {
    chunk.push(row);
    characters += row.cells.reduce((sum, cell) => sum + cell.length, row.cells.length);
    if (characters < CHARACTERS_PER_CHUNK) continue;
    draft.addCells(chunk);
    chunk = [];
    characters = 0;
    await rest();
  }
  if (chunk.length > 0) draft.addCells(chunk);
};

const markRepeatedHeaders = async (
  { headers, rows }: FileTable,
  customFields: readonly CustomField[],
  rest: () => Promise<void>,
): Promise<readonly FileRow[] | FileRefusal> => {
  const findRepeated = createRepeatedHeaderCheck(headers, customFields);
  const checked: FileRow[] = [];
  for (const row of rows) {
    await rest();
    const again = findRepeated(row.cells);
    if (again === 'in-another-order')
      return refuseFile('columns-in-another-order', describeOtherOrder(row.row));
    checked.push(again === null ? row : { ...row, problems: [NAMES_AGAIN] });
  }
  return checked;
};

const NAMES_AGAIN: RowMessage = {
  column: null,
  id: 'column-names-again',
  message: COLUMN_NAMES_AGAIN,
};

/** Nothing in a file is ignored silently. */
const findUnnamedColumns = async (
  headers: readonly string[],
  rows: readonly FileRow[],
  rest: () => Promise<void>,
): Promise<readonly UnknownColumn[]> => {
  const open = new Set(headers.flatMap((header, index) => (header.trim() === '' ? [index] : [])));
  const filled = new Set<number>();
  for (const { cells } of rows) {
    await rest();
    for (const index of open) {
      if (index >= cells.length) break;
      if ((cells[index] ?? '').trim() === '') continue;
      filled.add(index);
      open.delete(index);
    }
  }
  return [...filled]
    .sort((one, other) => one - other)
    .map((index) => ({ letter: toColumnLetter(index), header: '', suggestions: [] }));
};
