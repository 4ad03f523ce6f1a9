import { REASON_COLUMN } from '../../domain/mapping/csv/header.ts';
import type { App } from '../ports/app-ports.ts';
import { buildImportResult } from './import-result.ts';
import type { WhichImport } from './revise-import.ts';

/**
 * Own columns of the file plus the reasons, to be imported again. `null` if it is no longer stored.
 * @param reasons by row number
 */
export const buildRefusedRowsFile = async (
  { stagedImports, csv }: App,
  { practiceId, memberId, importId }: WhichImport,
  reasons: ReadonlyMap<number, string>,
): Promise<AsyncIterable<string> | null> => {
  const found = await stagedImports.find(practiceId, memberId, importId);
  const headers = found?.summary.headers;
  if (found === null || headers === undefined) return null;
  const rows = async function* () {
    for await (const { row, cells } of stagedImports.cells(found.staged)) {
      const reason = reasons.get(row);
      if (reason !== undefined) yield [...headers.map((_, index) => cells[index] ?? ''), reason];
    }
  };
  return csv.write([...headers, REASON_COLUMN], rows());
};

/** From the result if the file was imported, else from its preview. */
export const listRefusalReasons = async (
  app: App,
  { practiceId, memberId, importId }: WhichImport,
): Promise<ReadonlyMap<number, string>> => {
  const reasons = new Map<number, string>();
  const progress = await app.reads.imports.findProgress(practiceId, importId);
  const result = buildImportResult(app, progress);
  if (result !== null) {
    for await (const line of result)
      if (line.outcome === 'refused') reasons.set(line.row, line.reasons.join(' '));
    return reasons;
  }
  const found = await app.stagedImports.find(practiceId, memberId, importId);
  for (const { row, status, errors } of found === null
    ? []
    : await app.stagedImports.preview(found.staged))
    if (status === 'refused')
      reasons.set(
        row,
        errors
          .map(({ column, message }) => (column === null ? message : `${column}: ${message}`))
          .join(' '),
      );
  return reasons;
};
