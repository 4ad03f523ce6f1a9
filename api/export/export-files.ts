import type { CourseOfCare } from '../../domain/course/course.ts';
import { findValue } from '../../domain/course/course-paths.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { DocumentsPer } from '../../domain/export/bfdr/document-bundle.ts';
import { asObjects } from '../../domain/fhir/json.ts';
import { listColumns, type NamedColumn } from '../../domain/mapping/csv/column-names.ts';
import type { ExportableRecord, ListedForExport } from '../../projections/lists/exports.ts';
import type { App } from '../ports/app-ports.ts';
import { findFilingSettings, findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { createYielder } from '../process/yielder.ts';
import {
  buildBundles,
  createBundleWriter,
  createExportTally,
  createStateFileWriter,
  type WriteRecord,
  writePages,
} from './written-pages.ts';

/** `note` is called before any byte of the records is sent. */
export interface RecordsToExport {
  readonly practiceId: string;
  readonly listed: readonly ListedForExport[];
  readonly note: (records: readonly ExportableRecord[]) => Promise<void>;
}

const PAGE = 100;

/** The file has too few columns for children or transfers added during the export. */
export class RecordOutgrewItsFile extends Error {
  override readonly name = 'RecordOutgrewItsFile';
}

async function* loadPages(
  { reads }: Pick<App, 'reads'>,
  { practiceId, listed }: RecordsToExport,
): AsyncGenerator<readonly ExportableRecord[]> {
  for (let from = 0; from < listed.length; from += PAGE) {
    const ids = listed.slice(from, from + PAGE).map(({ submissionUuid }) => submissionUuid);
    yield await reads.readExportable(practiceId, ids);
  }
}

async function* loadRecords(
  ports: Pick<App, 'reads'>,
  selection: RecordsToExport,
): AsyncGenerator<ExportableRecord> {
  const rest = createYielder();
  for await (const records of loadPages(ports, selection)) {
    await selection.note(records);
    for (const record of records) {
      await rest();
      yield record;
    }
  }
}

async function* writeLines(
  ports: Pick<App, 'reads'>,
  selection: RecordsToExport,
  writeRecord: WriteRecord,
): AsyncGenerator<string> {
  const pages = loadPages(ports, selection);
  for await (const { lines } of writePages(pages, writeRecord, selection.note)) yield* lines;
}

export async function* createStateFile(
  ports: Pick<App, 'reads' | 'log'>,
  selection: RecordsToExport,
): AsyncGenerator<string> {
  const settings = await findFilingSettings(ports, selection.practiceId);
  yield* writeLines(ports, selection, createStateFileWriter(settings, createExportTally()));
}

/** One Bundle per line. */
export async function* createNdjsonFile(
  ports: Pick<App, 'reads' | 'log'>,
  selection: RecordsToExport,
  per: DocumentsPer,
): AsyncGenerator<string> {
  const offsetAt = await findPracticeOffsets(ports, selection.practiceId);
  yield* writeLines(ports, selection, createBundleWriter(per, offsetAt, createExportTally()));
}

/**
 * A single document, or a collection of several, which can be pushed as a batch if each document is
 * a whole record.
 */
export async function* createJsonFile(
  ports: Pick<App, 'reads' | 'log'>,
  selection: RecordsToExport,
  per: DocumentsPer,
): AsyncGenerator<string> {
  const offsetAt = await findPracticeOffsets(ports, selection.practiceId);
  if (selection.listed.length === 1) {
    for await (const record of loadRecords(ports, selection)) {
      const [only, ...others] = buildBundles(record, per, offsetAt);
      if (only !== undefined && others.length === 0) yield JSON.stringify(only, null, 2);
      else yield* writeCollection([record], per, offsetAt);
    }
    return;
  }
  yield* writeCollection(loadRecords(ports, selection), per, offsetAt);
}

async function* writeCollection(
  records: AsyncIterable<ExportableRecord> | Iterable<ExportableRecord>,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): AsyncGenerator<string> {
  let before = '{"resourceType":"Bundle","type":"collection","entry":[\n';
  for await (const record of records)
    for (const resource of buildBundles(record, per, offsetAt)) {
      const [composition] = asObjects(resource['entry']);
      // Documents per child share one record, so each keeps its own URL.
      const fullUrl =
        per === 'child' ? composition?.['fullUrl'] : `urn:uuid:${record.submissionUuid}`;
      yield before + JSON.stringify({ fullUrl, resource });
      before = ',\n';
    }
  yield '\n]}\n';
}

/** Excludes voided records, since importing them would make them live again. */
export const createCsvFile = (
  ports: Pick<App, 'reads' | 'csv'>,
  selection: RecordsToExport,
  customFields: readonly CustomField[],
): AsyncIterable<string> => {
  const listed = selection.listed.filter(({ status }) => status === 'live');
  const children = Math.max(0, ...listed.map((one) => one.children));
  const transfers = Math.max(0, ...listed.map((one) => one.transfers));
  const columns = listColumns(customFields, children, transfers);
  const paths = new Set(columns.map(({ path }) => path));
  const listRows = async function* (): AsyncGenerator<readonly string[]> {
    for await (const { status, course } of loadRecords(ports, { ...selection, listed })) {
      // Voided since the export began.
      if (status === 'voided') continue;
      if (!fitsInto(paths, course))
        throw new RecordOutgrewItsFile('A record changed while its file was being written.');
      yield listExportedCells(course, columns);
    }
  };
  return ports.csv.write(
    columns.map(({ name }) => name),
    listRows(),
  );
};

const fitsInto = (
  paths: ReadonlySet<string>,
  { children, transfers }: ExportableRecord['course'],
): boolean =>
  (children.length === 0 || paths.has(`children.${children.length - 1}.sex`)) &&
  (transfers.length === 0 || paths.has(`transfers.${transfers.length - 1}.type`));

/**
 * An import reads the cells as the same values, regardless of the practice's date order: dates as
 * `2026-05-12`, measures in the unit of their column, answers by their codes.
 */
export const listExportedCells = (
  course: CourseOfCare,
  columns: readonly NamedColumn[],
): readonly string[] => columns.map(({ path }) => formatCell(findValue(course, path)));

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return listText(value.map(String));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
};

// Without the semicolon, the import would read each word as a name of its own.
const listText = (texts: readonly string[]): string =>
  texts.length === 1 && /\s/u.test(texts[0] ?? '') ? `${texts[0]};` : texts.join('; ');
