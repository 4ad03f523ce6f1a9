import type { Request, Response } from 'express';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import {
  listChoosableColumns,
  type NamedColumn,
} from '../../../domain/mapping/csv/column-names.ts';
import { readHeader } from '../../../domain/mapping/csv/header.ts';
import type {
  ImportSummary,
  PreviewRow,
  RowStatus,
} from '../../../domain/submission/staged-import.ts';
import { noteImportShown, noteRecordsShown } from '../../access-log/access-notes.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import { previewImport } from '../../import/preview-import.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormTexts, readQueryText } from '../../web/form-body.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import type { FieldError } from '../layout/field-errors.ts';
import type { PageView } from '../layout/page.tsx';
import { formatActor } from '../text/record-event-text.ts';
import { getColumnField, listHeadedColumns } from './columns-form.tsx';
import { STATUSES } from './import-text.ts';
import { PreviewPage } from './preview-page.tsx';
import type { PreviewRowRecords } from './preview-rows.tsx';
import { isLimitedToOwn } from './seat-limits.ts';

const ROWS_PER_PAGE = 100;
const ALL_ROWS = { status: null, from: 0, most: Number.POSITIVE_INFINITY } as const;

interface RefusedChoices {
  readonly errors?: readonly FieldError[];
  /** Current choices of the practice by letter. */
  readonly savedColumns?: ReadonlyMap<string, string> | null;
}

/** @param owner member id of the person who checked the file @throws PageProblem 404 */
export const showPreview = async (
  app: App,
  req: Request,
  res: Response,
  owner: string,
  { errors = [], savedColumns = null }: RefusedChoices = {},
): Promise<PageView> => {
  const seat = getSeat(res);
  const { practiceId, memberId } = seat;
  const preview = await previewImport(app, practiceId, owner, String(req.params['id']), ALL_ROWS);
  if (preview === null) throw pageNotFound();
  const status = STATUSES.find((one) => one === readQueryText(req, 'show')) ?? null;
  const visibleRows = listVisibleRows(preview, status);
  const pages = Math.max(1, Math.ceil(visibleRows.length / ROWS_PER_PAGE));
  const page = Math.min(readPageNumber(req), pages);
  const rows = visibleRows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
  const { earlier, summary } = preview;
  const readsRecords = !isLimitedToOwn(seat);
  const [customFields, names, records] = await Promise.all([
    app.reads.listCustomFields(practiceId),
    app.reads.findActorNames(
      practiceId,
      [owner, earlier?.memberId ?? owner].map((id) => ({ kind: 'member', id })),
    ),
    readsRecords ? loadRecords(app, practiceId, rows) : null,
  ]);
  await noteImportShown(app, res, String(req.params['id']), owner);
  await noteRecordsShown(app, res, {
    place: 'import-check',
    recordIds: [...(records?.byUuid ?? []), ...(records?.byChartNumber ?? [])].map(
      ([, record]) => record.submissionUuid,
    ),
  });
  const formatName = (id: string) => formatActor({ kind: 'member', id }, names);
  const title = `Preview: ${summary.fileName || 'file'}`;
  return {
    title,
    hasErrors: errors.length > 0,
    scripts: ['drop-zone.mjs'],
    children: (
      <PreviewPage
        preview={preview}
        rows={rows}
        records={records}
        status={status}
        page={page}
        pages={pages}
        errors={errors}
        emptying={
          readsRecords ? preview.rows.filter(({ empties }) => empties.length > 0).length : null
        }
        unlike={preview.rows.filter(({ unlike }) => unlike !== undefined).length}
        earlierBy={earlier === null ? null : formatName(earlier.memberId)}
        isEarlierReadable={readsRecords || earlier?.memberId === memberId}
        checkedBy={owner === memberId ? null : formatName(owner)}
        customFields={customFields}
        fields={listUnreadFields(summary, customFields)}
        typedColumns={errors.length > 0 ? readTypedColumns(req, summary) : null}
        savedColumns={savedColumns}
      />
    ),
  };
};

const listUnreadFields = (
  { headers = [] }: ImportSummary,
  customFields: readonly CustomField[],
): readonly NamedColumn[] => {
  const header = readHeader(headers, customFields);
  const known = new Set(
    header.kind === 'columns' ? header.columns.map((column) => column?.path) : [],
  );
  return listChoosableColumns(customFields).filter(({ path }) => !known.has(path));
};

const readTypedColumns = (req: Request, summary: ImportSummary): ReadonlyMap<string, string> =>
  new Map(
    listHeadedColumns(summary).flatMap(({ letter }) =>
      readFormTexts(req, getColumnField(letter)).map((value) => [letter, value] as const),
    ),
  );

/** Rows with a status, or all of them, those that need attention first. */
const listVisibleRows = (
  { rows }: ImportPreview,
  status: RowStatus | null,
): readonly PreviewRow[] =>
  (status === null ? STATUSES : [status]).flatMap((target) =>
    rows.filter((row) => row.status === target),
  );

const loadRecords = async (
  app: App,
  practiceId: string,
  rows: readonly PreviewRow[],
): Promise<PreviewRowRecords> => {
  const alike = rows.flatMap(({ looksLike }) =>
    looksLike !== null && 'submissionUuid' in looksLike ? [looksLike.submissionUuid] : [],
  );
  const amended = rows.flatMap(({ version, amendsRow, chartNumber }) =>
    version !== null && amendsRow === null && chartNumber !== null ? [chartNumber] : [],
  );
  const [byUuid, byChartNumber] = await Promise.all([
    app.reads.nameRecords(practiceId, alike),
    app.reads.listNamedRecordsByChartNumber(practiceId, amended),
  ]);
  return {
    byUuid: new Map(byUuid.map((record) => [record.submissionUuid, record])),
    byChartNumber: new Map(byChartNumber.map((record) => [record.chartNumber ?? '', record])),
  };
};
