import type {
  EarlierImport,
  FoundImport,
  PreviewRow,
  RowStatus,
} from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';

export interface ImportPreview extends FoundImport {
  /** An earlier import of the same file, which requires an additional confirmation. */
  readonly earlier: EarlierImport | null;
  /** Rows of the page in the file's order; empty once the import is confirmed. */
  readonly rows: readonly PreviewRow[];
  /** Number of rows with the requested status in the whole file. */
  readonly matching: number;
}

/** Requested rows of a preview; `status` is `null` for all. */
export interface PreviewPage {
  readonly status: RowStatus | null;
  readonly from: number;
  readonly most: number;
}

/** Returns the preview of a staged import to the member who uploaded it; `null` if there is none. */
export const previewImport = async (
  { stagedImports }: App,
  practiceId: string,
  memberId: string,
  importId: string,
  { status, from, most }: PreviewPage,
): Promise<ImportPreview | null> => {
  const found = await stagedImports.find(practiceId, memberId, importId);
  if (found === null) return null;
  const all = await stagedImports.preview(found.staged);
  const rows = status === null ? all : all.filter((row) => row.status === status);
  return {
    ...found,
    earlier: await stagedImports.earlier(found.staged),
    rows: rows.slice(from, from + most),
    matching: rows.length,
  };
};
