import type {
  EarlierImport,
  FoundImport,
  PreviewRow,
  RowStatus,
} from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';

export interface ImportPreview extends FoundImport {
  /** Earlier import of the same file; requires an additional confirmation. */
  readonly earlier: EarlierImport | null;
  /** Empty once the import is confirmed. */
  readonly rows: readonly PreviewRow[];
  /** Number of rows with the requested status in the whole file. */
  readonly matching: number;
}

export interface PreviewPage {
  /** `null` for all. */
  readonly status: RowStatus | null;
  readonly from: number;
  readonly most: number;
}

/** `null` unless this member uploaded it. */
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
