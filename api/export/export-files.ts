import type { OffsetAt } from '../../domain/course-of-care/entering/clock-changes.ts';
import { columnsFor } from '../../domain/csv/column-names.ts';
import { exportedCells } from '../../domain/csv/exported-row.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { ExportableRecord, ListedForExport } from '../../projections/record-exports.ts';
import type { Registry } from '../registry/registry.ts';
import { bundleOf } from './bundle-of.ts';
import { newStateFileTally, stateFileLines } from './state-file-lines.ts';

/** What a file of records is made of; `note` is told of records before a byte of them is sent. */
export interface RecordsToExport {
  readonly practiceId: string;
  readonly listed: readonly ListedForExport[];
  readonly note: (records: readonly ExportableRecord[]) => Promise<void>;
}

/** Records in memory at a time. */
const PAGE = 100;

/** A record was given more children or transfers while its file was being written: it has no columns for them. */
export class RecordOutgrewItsFile extends Error {
  override readonly name = 'RecordOutgrewItsFile';
}

async function* pagesOf(
  { reads }: Pick<Registry, 'reads'>,
  { practiceId, listed }: RecordsToExport,
): AsyncGenerator<readonly ExportableRecord[]> {
  for (let from = 0; from < listed.length; from += PAGE) {
    const ids = listed.slice(from, from + PAGE).map(({ submissionUuid }) => submissionUuid);
    yield await reads.readExportable(practiceId, ids, null);
  }
}

async function* recordsOf(
  registry: Pick<Registry, 'reads'>,
  asked: RecordsToExport,
): AsyncGenerator<ExportableRecord> {
  for await (const records of pagesOf(registry, asked)) {
    await asked.note(records);
    yield* records;
  }
}

/** The state file. @param offsetAt of the practice's time zone; null: it has set none */
export const stateFile = (
  registry: Pick<Registry, 'reads'>,
  asked: RecordsToExport,
  offsetAt: OffsetAt | null,
): AsyncGenerator<string> =>
  stateFileLines(pagesOf(registry, asked), offsetAt, asked.note, newStateFileTally());

/** Document Bundles, one on each line. */
export async function* ndjsonFile(
  registry: Pick<Registry, 'reads'>,
  asked: RecordsToExport,
): AsyncGenerator<string> {
  for await (const record of recordsOf(registry, asked))
    yield `${JSON.stringify(bundleOf(record))}\n`;
}

/** One record as its document Bundle; several as a collection of them, which can be pushed as a batch. */
export async function* jsonFile(
  registry: Pick<Registry, 'reads'>,
  asked: RecordsToExport,
): AsyncGenerator<string> {
  if (asked.listed.length === 1) {
    for await (const record of recordsOf(registry, asked))
      yield JSON.stringify(bundleOf(record), null, 2);
    return;
  }
  let before = '{"resourceType":"Bundle","type":"collection","entry":[\n';
  for await (const record of recordsOf(registry, asked)) {
    const entry = { fullUrl: `urn:uuid:${record.submissionUuid}`, resource: bundleOf(record) };
    yield before + JSON.stringify(entry);
    before = ',\n';
  }
  yield '\n]}\n';
}

/** Rows in the columns of the import; live records only, since importing a voided one would bring it back. */
export const csvFile = (
  registry: Pick<Registry, 'reads' | 'csv'>,
  asked: RecordsToExport,
  customFields: readonly CustomField[],
): AsyncIterable<string> => {
  const listed = asked.listed.filter(({ status }) => status === 'live');
  const children = Math.max(0, ...listed.map((one) => one.children));
  const transfers = Math.max(0, ...listed.map((one) => one.transfers));
  const columns = columnsFor(customFields, children, transfers);
  const paths = new Set(columns.map(({ path }) => path));
  const rows = async function* (): AsyncGenerator<readonly string[]> {
    for await (const { status, course } of recordsOf(registry, { ...asked, listed })) {
      // Voided since the file was begun.
      if (status === 'voided') continue;
      if (!fitsInto(paths, course))
        throw new RecordOutgrewItsFile('A record changed while its file was being written.');
      yield exportedCells(course, columns);
    }
  };
  return registry.csv.write(
    columns.map(({ name }) => name),
    rows(),
  );
};

const fitsInto = (
  paths: ReadonlySet<string>,
  { children, transfers }: ExportableRecord['course'],
): boolean =>
  (children.length === 0 || paths.has(`children.${children.length - 1}.sex`)) &&
  (transfers.length === 0 || paths.has(`transfers.${transfers.length - 1}.type`));
