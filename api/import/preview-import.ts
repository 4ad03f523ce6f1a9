import type {
  EarlierImport,
  FoundImport,
  PreviewRow,
  RowStatus,
} from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';

export interface ImportPreview extends FoundImport {
  /** Requires an additional confirmation. */
  readonly earlier: EarlierImport | null;
  /** Empty once the import is confirmed. */
  readonly rows: readonly PreviewRow[];
  /** In the whole file. */
  readonly matching: number;
}

/** `null` for all. */
export interface PreviewPage {
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
