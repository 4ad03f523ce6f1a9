import type { Router } from 'express';
import { countInWords } from '../../../domain/format-measures.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import { listResultRecords } from '../../import/import-result.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { BornOn, MOTHER_COLUMN, RECORD_ROWS, RecordTags } from '../layout/record-rows.tsx';
import { createRouter, page } from '../layout/routes.tsx';
import { IMPORT_PATH } from './file-form.tsx';

const PAGE_LINES = 50;

export const importedRecordsRouter = (app: App): Router =>
  createRouter(
    page(`${IMPORT_PATH}/:id/records`, requireAdminOrProvider, async (req, res) => {
      const { practiceId } = getSeat(res);
      const importId = String(req.params['id']);
      const progress = await app.reads.imports.findProgress(practiceId, importId);
      const recordIds = [...new Set(await listResultRecords(app, progress))];
      if (recordIds.length === 0) throw pageNotFound();
      const pages = Math.ceil(recordIds.length / PAGE_LINES);
      const number = Math.min(readPageNumber(req), pages);
      const pageIds = recordIds.slice((number - 1) * PAGE_LINES, number * PAGE_LINES);
      await noteRecordsShown(app, res, { place: 'list', recordIds: pageIds });
      const lines = await app.reads.findRecordLines(practiceId, pageIds);
      const place = `${IMPORT_PATH}/${importId}`;
      return {
        title: 'Imported records',
        children: (
          <>
            <p>
              {countInWords(recordIds.length, 'record')} of{' '}
              <a href={`${place}/progress`}>this import</a>, in their current versions.
            </p>
            <DataTable
              caption="Records of the import"
              captionHidden
              rows={pageIds.flatMap((id) => lines.get(id) ?? [])}
              {...RECORD_ROWS}
              columns={[
                MOTHER_COLUMN,
                { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? 'None' },
                { heading: 'Born', cell: (record) => <BornOn record={record} /> },
                { heading: 'Status', cell: (record) => <RecordTags {...record} /> },
              ]}
            />
            <Pagination
              page={number}
              pages={pages}
              of="Imported records"
              href={(other) => `${place}/records?page=${other}`}
            />
          </>
        ),
      };
    }),
  );
