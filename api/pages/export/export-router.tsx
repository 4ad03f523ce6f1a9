import type { Request, Response, Router } from 'express';
import { MAX_RECORDS } from '../../../domain/access-log/decide.ts';
import type { Export, FilterKind } from '../../../domain/access-log/events.ts';
import { DOCUMENTS_PER, type DocumentsPer } from '../../../domain/export/bfdr/document-bundle.ts';
import { isUuid } from '../../../domain/text-input.ts';
import type { ExportableRecord, ListedForExport } from '../../../projections/lists/exports.ts';
import { noteRecordsPrinted } from '../../access-log/access-notes.ts';
import {
  type Exporter,
  noteExportBegun,
  noteRecordsExported,
} from '../../access-log/export-notes.ts';
import {
  createCsvFile,
  createJsonFile,
  createNdjsonFile,
  createStateFile,
  type RecordsToExport,
} from '../../export/export-files.ts';
import type { App } from '../../ports/app-ports.ts';
import { sendFile } from '../../web/files/send-csv.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { createSearchSealer } from '../../web/sealed-search.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import type { PageView } from '../layout/page.tsx';
import { buildRecordPath } from '../layout/record-params.ts';
import { createRouter, page, post, type Reply } from '../layout/routes.tsx';
import { SearchExpired } from '../layout/search-expired.tsx';
import { EXPORT } from '../parts/export-choice.tsx';
import {
  buildQueryParameters,
  buildRecordsPath,
  listFilterKinds,
  parseRecordQuery,
  toRecordSearch,
} from '../parts/record-query.ts';
import { requireStepUp } from '../second-factor/step-up.tsx';
import { buildRecordHeading } from '../text/record-titles.ts';
import { ExportPage, FORMATS } from './export-page.tsx';
import { Worksheet } from './worksheet.tsx';

export const NONE_SELECTED =
  'No record was selected. Select at least one record, or export all that were found.';
export const NO_VOIDED_IN_CSV =
  'A CSV file does not include voided records. Choose another format.';
export const NOTHING_FOR_STATE =
  'None of these records can go in a state file. Choose another format.';

/** Limit per file; larger exports need the operator's command. */
const MAX_RECORDS_PER_FILE = 10_000;

/** Seats that may change records may also export them; a Viewer may only read. */

export const exportRouter = (app: App): Router =>
  createRouter(
    page(EXPORT, requireAdminOrProvider, async (req, res) =>
      showExport(await parseExportRequest(app, req, res)),
    ),
    post(
      EXPORT,
      [requireAdminOrProvider, requireStepUp(app, (req) => req.originalUrl)],
      (req, res) => sendExport(app, req, res),
    ),
  );

interface ExportRequest {
  readonly listed: readonly ListedForExport[];
  readonly isMore: boolean;
  /** True if the search in the address can no longer be decrypted. */
  readonly isSearchExpired: boolean;
  readonly filters: readonly FilterKind[];
  readonly back: string;
  readonly action: string;
}

const parseExportRequest = async (
  app: App,
  req: Request,
  res: Response,
): Promise<ExportRequest> => {
  const { practiceId } = getSeat(res);
  const search = await createSearchSealer(app).read(req, res);
  const query = parseRecordQuery((name) => readQueryText(req, name), search, 1);
  const parameters = new URLSearchParams(buildQueryParameters(query));
  const isFound = readQueryText(req, 'of') === 'found';
  const chosen = isFound ? [] : readRecordIds(req);
  if (isFound) parameters.set('of', 'found');
  for (const id of chosen) parameters.append('record', id);
  const listed = search.isExpired
    ? []
    : await app.reads.listForExport(
        practiceId,
        isFound ? toRecordSearch(query) : chosen,
        MAX_RECORDS_PER_FILE + 1,
      );
  const [only] = chosen;
  return {
    listed: listed.slice(0, MAX_RECORDS_PER_FILE),
    isMore: listed.length > MAX_RECORDS_PER_FILE,
    isSearchExpired: search.isExpired,
    filters: isFound ? listFilterKinds(query) : ['selection'],
    back:
      !isFound && chosen.length === 1 && only !== undefined
        ? buildRecordPath(only)
        : buildRecordsPath(query, 1),
    action: `${EXPORT}?${parameters.toString()}`,
  };
};

const readRecordIds = (req: Request): readonly string[] => {
  const value: unknown = req.query['record'];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const ids = texts.filter((text) => typeof text === 'string').filter(isUuid);
  return [...new Set(ids)].slice(0, MAX_RECORDS);
};

const showExport = (
  { listed, isMore, isSearchExpired, action, back }: ExportRequest,
  errors: readonly FieldError[] = [],
): PageView => {
  const title = 'Export records';
  if (isSearchExpired) return { title, children: <SearchExpired /> };
  if (listed.length === 0)
    return {
      title,
      children: (
        <EmptyState links={[{ href: back, text: 'Back to the records' }]}>
          {NONE_SELECTED}
        </EmptyState>
      ),
    };
  return {
    title,
    errors,
    children: (
      <ExportPage
        records={listed.length}
        voided={listed.filter(({ status }) => status === 'voided').length}
        questioned={listed.filter(({ isQuestioned }) => isQuestioned).length}
        isMore={isMore}
        action={action}
        back={back}
      />
    ),
  };
};

const NOTED_AS: Readonly<Record<Format, Export>> = {
  csv: 'records-csv',
  json: 'records-json',
  ndjson: 'records-ndjson',
  ije: 'records-ije',
};

type Format = Exclude<(typeof FORMATS)[number], 'worksheet'>;

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  json: 'application/fhir+json',
  ndjson: 'application/fhir+ndjson',
  ije: 'text/plain',
};

const DATE_LENGTH = 'YYYY-MM-DD'.length;

const sendExport = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const request = await parseExportRequest(app, req, res);
  const format = FORMATS.find((one) => one === readFormText(req, 'format'));
  const [first] = request.listed;
  const inFile =
    format === 'csv' ? request.listed.filter(({ status }) => status === 'live') : request.listed;
  if (format === undefined || first === undefined || inFile.length === 0) {
    const id = format === undefined ? 'no-format' : 'no-voided-in-csv';
    const message = format === undefined ? 'Choose a format.' : NO_VOIDED_IN_CSV;
    return showExport(request, first === undefined ? [] : [{ field: 'format', id, message }]);
  }
  if (format === 'worksheet') return showWorksheet(app, res, first.submissionUuid);
  const { practiceId, memberId } = getSeat(res);
  const exporter: Exporter = {
    practiceId,
    actor: { kind: 'member', id: memberId },
    correlationId: String(res.locals['correlationId']),
    what: NOTED_AS[format],
  };
  if (format === 'ije') return sendStateFile(app, res, request, exporter);
  await noteExportBegun(app, exporter, inFile.length, request.filters);
  const records: RecordsToExport = {
    practiceId,
    listed: inFile,
    note: (some) => noteRecordsExported(app, exporter, some),
  };
  await sendFile(
    res,
    buildFileName(app, format),
    MEDIA_TYPES[format],
    await loadPieces(app, format, records, getBatchSize(req)),
  );
  return undefined;
};

/** Old forms and scripts do not send this field. */
const getBatchSize = (req: Request): DocumentsPer =>
  DOCUMENTS_PER.find((one) => one === readFormText(req, 'per')) ?? 'course';

const buildFileName = ({ now }: App, format: Format): string =>
  `records-${now().toISOString().slice(0, DATE_LENGTH)}.${format}`;

/** Line count is only known at the end. Without any line, no file is sent and nothing is logged. */
const sendStateFile = async (
  app: App,
  res: Response,
  request: ExportRequest,
  exporter: Exporter,
): Promise<Reply> => {
  const { practiceId } = exporter;
  let isBegun = false;
  const note = async (some: readonly ExportableRecord[]): Promise<void> => {
    if (!isBegun) await noteExportBegun(app, exporter, null, request.filters);
    isBegun = true;
    await noteRecordsExported(app, exporter, some);
  };
  const lines = createStateFile(app, { practiceId, listed: request.listed, note });
  const first = await lines.next();
  if (first.done === true)
    return showExport(request, [
      { field: 'format', id: 'nothing-for-state', message: NOTHING_FOR_STATE },
    ]);
  await sendFile(res, buildFileName(app, 'ije'), MEDIA_TYPES.ije, joinPieces(first.value, lines));
  return undefined;
};

async function* joinPieces(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

const loadPieces = async (
  app: App,
  format: 'csv' | 'json' | 'ndjson',
  records: RecordsToExport,
  per: DocumentsPer,
): Promise<AsyncIterable<string>> => {
  switch (format) {
    case 'csv':
      return createCsvFile(app, records, await app.reads.listCustomFields(records.practiceId));
    case 'json':
      return createJsonFile(app, records, per);
    case 'ndjson':
      return createNdjsonFile(app, records, per);
  }
};

const showWorksheet = async (
  app: App,
  res: Response,
  submissionUuid: string,
): Promise<PageView> => {
  const { practiceId } = getSeat(res);
  const [[record], customFields] = await Promise.all([
    app.reads.readExportable(practiceId, [submissionUuid]),
    app.reads.listCustomFields(practiceId),
  ]);
  if (record === undefined) throw pageNotFound();
  await noteRecordsPrinted(
    app,
    res,
    { place: 'worksheet', recordIds: [submissionUuid] },
    'print-view',
  );
  const back = buildRecordPath(submissionUuid);
  return {
    title: `Worksheet: ${buildRecordHeading(record.course)}`,
    tabTitle: 'Worksheet',
    isPrintView: true,
    returnTo: back,
    children: (
      <Worksheet
        course={record.course}
        customFields={customFields}
        isDeIdentified={record.keyKind === 'partner'}
        back={back}
      />
    ),
  };
};
