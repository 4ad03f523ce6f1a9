import type { IdentityField } from '../birth-record/birth-identity.ts';
import type { ChosenColumn, UnknownColumn } from '../intake/csv/header.ts';
import type { FileRow, RowMessage } from '../intake/csv/row.ts';
import type { DateOrder } from '../intake/form/date-order.ts';
import type { QueuedItem } from './queued-item.ts';

/** Effect of a row. @see spec "Record lifecycle" */
export type RowStatus = 'new' | 'amends' | 'flagged' | 'refused';

/** Numbers of rows by effect. */
export type RowCounts = Readonly<Record<RowStatus, number>>;

/** The record of another woman that holds the chart number of a row. */
export interface ChartNumberConflict {
  /** Version of it that the row would replace. */
  readonly version: number;
  /** The row of the file that wrote it; null: the practice holds it. */
  readonly row: number | null;
  /** A person has compared the two, and wants it replaced. Otherwise the row is refused. */
  readonly isConfirmed: boolean;
}

/** One row of a preview. */
export interface PreviewRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly chartNumber: string | null;
  /** The mother's name, to find the row by; null if the row states none. */
  readonly mother: string | null;
  readonly status: RowStatus;
  /** Version that the record will have; null for a new record or a refused row. */
  readonly version: number | null;
  /** True if the row revives a voided record. */
  readonly revives: boolean;
  /** Row of the file that holds the same chart number before this one. */
  readonly amendsRow: number | null;
  /** Fields in which it differs from the birth in that row; absent if there are none. */
  readonly unlike?: readonly IdentityField[];
  /** Absent: the chart number is free, or holds the birth of the same woman. */
  readonly anothers?: ChartNumberConflict;
  /** Columns whose values the record will lose, because the row does not state them. */
  readonly empties: readonly string[];
  /** The record, or the earlier row of the file, that this one looks like. */
  readonly looksLike: { readonly submissionUuid: string } | { readonly row: number } | null;
  readonly errors: readonly RowMessage[];
  readonly notices: readonly RowMessage[];
  /** Values that the messages are about, by column, shortened. */
  readonly values: Readonly<Record<string, string>>;
}

/** The sheet of a workbook that was read. */
export interface SheetOfFile {
  readonly name: string;
  /** All that are not hidden, in their order. */
  readonly names: readonly string[];
}

/** Summary above the rows of a preview. */
export interface ImportSummary {
  readonly fileName: string;
  readonly counts: RowCounts;
  readonly unknownColumns: readonly UnknownColumn[];
  /** Columns whose headings the practice has said the meaning of; absent: there are none. */
  readonly chosenColumns?: readonly ChosenColumn[];
  /** The header line of the file; absent in files that were checked before this was kept. */
  readonly headers?: readonly string[];
  /** Absent: the file is no workbook. */
  readonly sheet?: SheetOfFile;
  /** Which of day and month its dates were read with first. */
  readonly dateOrder?: DateOrder;
  /** The file has no column for consent, so the person is asked for all its rows at once. */
  readonly asksConsent?: boolean;
  /** The answer: granted for all rows, or not granted. */
  readonly consent?: boolean;
}

/** A file that was read and waits for its confirmation; nothing of it is a record yet. */
export interface StagedImport {
  /** Also the id of the ingestion that a confirmation begins. */
  readonly importId: string;
  readonly practiceId: string;
  readonly memberId: string;
  /** Names the queue row that a confirmation makes. */
  readonly attempt: string;
  /** Keyed hash of the file's bytes. */
  readonly fileHash: string;
  /** Filled rows. */
  readonly courses: number;
  readonly emptyRows: readonly number[];
  readonly isConfirmed: boolean;
}

/** A staged import with what its preview shows above the rows. */
export interface FoundImport {
  readonly staged: StagedImport;
  readonly summary: ImportSummary;
  readonly expiresAt: Date;
}

/** An import of the same file that was confirmed before. */
export interface EarlierImport {
  readonly importId: string;
  readonly memberId: string;
  readonly at: Date;
}

/** Why an import was not confirmed, or the import that now is. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'repeated'; readonly earlier: EarlierImport }
  /** Every row is refused. */
  | { readonly kind: 'nothing-to-import' }
  /** The file has no consent column, and the question has no answer yet. */
  | { readonly kind: 'consent-open' }
  /** Unknown, another member's, or expired. */
  | { readonly kind: 'gone' };

/** A staged import on its way into the database, sealed piece by piece. */
export interface ImportDraft {
  addCourses(courses: readonly QueuedItem[]): void;
  addPreview(rows: readonly PreviewRow[]): void;
  /** Rows as they stand in the file, for one of those that were refused. */
  addCells(rows: readonly FileRow[]): void;
  /** Makes it durable, and lets the oldest of the member's previews go when there are many. */
  save(emptyRows: readonly number[], courses: number, summary: ImportSummary): Promise<void>;
}
