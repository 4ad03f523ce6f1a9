import type { IdentityField } from '../birth-record/birth-identity.ts';
import type { ChosenColumn, UnknownColumn } from '../mapping/csv/header.ts';
import type { FileRow, RowMessage } from '../mapping/csv/row.ts';
import type { DateOrder } from '../mapping/form/date-order.ts';
import type { QueuedItem } from './queued-item.ts';

/** Effect of importing a row. @see spec "Record lifecycle" */
export type RowStatus = 'new' | 'amends' | 'flagged' | 'refused';

export type RowCounts = Readonly<Record<RowStatus, number>>;

/** Record of another woman that already has the chart number of a row. */
export interface ChartNumberConflict {
  readonly version: number;
  /** Row of the file that wrote it; `null` if it was in the practice before the import. */
  readonly row: number | null;
  /** True if a user compared the two and wants to replace it. Otherwise the row is refused. */
  readonly isConfirmed: boolean;
}

export interface PreviewRow {
  readonly row: number;
  readonly chartNumber: string | null;
  /** Mother's name, to help find the row; `null` if missing. */
  readonly mother: string | null;
  readonly status: RowStatus;
  /** Version that the record will have; `null` for a new record or a refused row. */
  readonly version: number | null;
  readonly revives: boolean;
  /** Earlier row with the same chart number; `null` if none. */
  readonly amendsRow: number | null;
  /** Fields that differ from the birth in that row; absent if there are none. */
  readonly unlike?: readonly IdentityField[];
  /** Absent if the chart number is unused, or belongs to the same woman. */
  readonly anothers?: ChartNumberConflict;
  readonly empties: readonly string[];
  /** Match candidate: a record, or an earlier row of the file; `null` if none. */
  readonly looksLike: { readonly submissionUuid: string } | { readonly row: number } | null;
  /** Number of others that it looks like; absent if there are none. */
  readonly othersAlike?: number;
  readonly errors: readonly RowMessage[];
  readonly notices: readonly RowMessage[];
  /** Values that the messages are about, by column, truncated. */
  readonly values: Readonly<Record<string, string>>;
}

export interface SheetOfFile {
  readonly name: string;
  readonly names: readonly string[];
}

export interface ImportSummary {
  readonly fileName: string;
  readonly counts: RowCounts;
  readonly unknownColumns: readonly UnknownColumn[];
  /** Columns whose headings the practice has mapped; absent if there are none. */
  readonly chosenColumns?: readonly ChosenColumn[];
  /** Header line of the file; absent in files checked before this field existed. */
  readonly headers?: readonly string[];
  /** Absent if the file is not a workbook. */
  readonly sheet?: SheetOfFile;
  readonly dateOrder?: DateOrder;
  /** True if the file has no consent column, so the user answers once for all rows. */
  readonly asksConsent?: boolean;
  readonly consent?: boolean;
}

/** Parsed file that waits for confirmation. None of it is a record yet. */
export interface StagedImport {
  /** Also the id of the ingestion that starts on confirmation. */
  readonly importId: string;
  readonly practiceId: string;
  readonly memberId: string;
  /** Identifies the queue entry that is created on confirmation. */
  readonly attempt: string;
  readonly fileHash: string;
  readonly courses: number;
  readonly emptyRows: readonly number[];
  readonly isConfirmed: boolean;
}

export interface FoundImport {
  readonly staged: StagedImport;
  readonly summary: ImportSummary;
  readonly expiresAt: Date;
}

/** Earlier confirmed import of the same file. */
export interface EarlierImport {
  readonly importId: string;
  readonly memberId: string;
  readonly at: Date;
}

/** Result of confirming an import. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'repeated'; readonly earlier: EarlierImport }
  | { readonly kind: 'nothing-to-import' }
  /** The file has no consent column, and the user has not answered the question. */
  | { readonly kind: 'consent-open' }
  /** Unknown, owned by another member, or expired. */
  | { readonly kind: 'gone' };

/** Writes a staged import to the database, encrypting it piece by piece. */
export interface ImportDraft {
  addCourses(courses: readonly QueuedItem[]): void;
  addPreview(rows: readonly PreviewRow[]): void;
  /** Adds the cells of refused rows, as in the file. */
  addCells(rows: readonly FileRow[]): void;
  /** Makes the import durable, and deletes the member's oldest previews if there are too many. */
  save(emptyRows: readonly number[], courses: number, summary: ImportSummary): Promise<void>;
}
