import type {
  EarlierImport,
  FoundImport,
  PreviewRow,
  RowStatus,
} from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';

/** A page of a preview. */
export interface ImportPreview extends FoundImport {
  /** An earlier import of the same file: it must be confirmed twice over. */
  readonly earlier: EarlierImport | null;
  /** Rows of the page, in the file's order; none once the import is confirmed. */
  readonly rows: readonly PreviewRow[];
  /** Rows of this status in the whole file. */
  readonly matching: number;
}

/** Which rows of a preview are asked for; `status` null for all. */
export interface PreviewPage {
  readonly status: RowStatus | null;
  readonly from: number;
  readonly most: number;
}

/** Shows a staged import to the member who uploaded it; null if there is none. */
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
