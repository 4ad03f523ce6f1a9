import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isUuid } from '../../../domain/text-input.ts';
import type { AccessEntry, AccessedRecord } from '../../../projections/lists/access.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import { noteExport, noteLogShown, noteRecordsShown } from '../../access-log/access-notes.ts';
import { summarizeAccess } from '../../access-log/access-summary.ts';
import type { App } from '../../ports/app-ports.ts';
import { sendCsv } from '../../web/files/send-csv.ts';
import { readQueryText } from '../../web/form-body.ts';
import { getSeat, requireAuditor, requireStaff } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { readRecordId, requireRecordId } from '../layout/record-params.ts';
import type { Choice } from '../layout/select-field.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { buildRecordAccessPath } from '../paths.ts';
import { requireStepUp } from '../second-factor/step-up.tsx';
import { type Audience, actorNameCapitalized } from '../text/actor-name.ts';
import { ACCESS_COLUMNS, buildAccessRows } from './access-csv.ts';
import { AccessLogPage, type AccessLogPageProps, DownloadAccess } from './access-log-page.tsx';
import {
  buildAccessPath,
  PRACTICE_ACCESS,
  parseAccessFilter,
  STAFF_ACCESS,
} from './access-path.ts';
import { listNamedRecords } from './access-table.tsx';
import { RecordAccessPage } from './record-access-page.tsx';

const TITLE = 'Access log';
const PAGE_LINES = 50;
const OF_RECORD = buildRecordAccessPath(':record');

/** Access logs of a practice and of a record; for service staff, of what is outside any practice. */
export const accessLogRouter = (app: App): Router =>
  Router()
    .get(PRACTICE_ACCESS, requireAuditor, sendPracticeLog(app))
    .get(`${PRACTICE_ACCESS}.csv`, requireAuditor, requireStepUp(app), (req, res) =>
      sendFile(app, req, res, null),
    )
    .get(OF_RECORD, requireRecordId, requireAuditor, sendRecordLog(app))
    .get(
      `${OF_RECORD}.csv`,
      requireRecordId,
      requireAuditor,
      requireStepUp(app),
      async (req, res) => sendFile(app, req, res, await requireRecord(app, req, res)),
    )
    .get(STAFF_ACCESS, requireStaff, async (req, res) => {
      const listed = await listAccess(app, req, res, STAFF_ACCESS, null);
      if (listed === null) return;
      sendPage(req, res, {
        title: TITLE,
        children: (
          <AccessLogPage
            {...listed}
            audience="staff"
            lastColumn={null}
            people={listPeople(listed, [], 'staff')}
            lastBreakGlass={null}
          />
        ),
      });
    });

const sendPracticeLog =
  (app: App): RequestHandler =>
  async (req, res) => {
    const record = readQueryText(req, 'record');
    if (isUuid(record)) {
      // Old bookmark.
      res.redirect(303, buildRecordAccessPath(record));
      return;
    }
    const { practiceId, practice } = getSeat(res);
    const [listed, members] = await Promise.all([
      listAccess(app, req, res, PRACTICE_ACCESS, practiceId),
      app.reads.listMembers(practiceId),
    ]);
    if (listed === null) return;
    // Chart numbers are personal data, so showing this log is itself logged.
    const recordIds = listed.entries
      .flatMap(listNamedRecords)
      .map(({ submissionUuid }) => submissionUuid);
    await (recordIds.length === 0
      ? noteLogShown(app, res, 'access-log')
      : noteRecordsShown(app, res, { place: 'access-log', recordIds }));
    const known = members.map((member) => ({
      value: member.memberId,
      text: displayNameWithEmail(member),
    }));
    sendPage(req, res, {
      title: TITLE,
      action: <DownloadAccess path={PRACTICE_ACCESS} filter={listed.filter} />,
      children: (
        <AccessLogPage
          {...listed}
          audience="practice"
          lastColumn="records"
          people={listPeople(listed, known, 'practice')}
          lastBreakGlass={practice.lastBreakGlass}
        />
      ),
    });
  };

const sendRecordLog =
  (app: App): RequestHandler =>
  async (req, res) => {
    const { practiceId, practice } = getSeat(res);
    const record = await requireRecord(app, req, res);
    const { submissionUuid } = record;
    const path = buildRecordAccessPath(submissionUuid);
    const [listed, counts, lastExport, lines] = await Promise.all([
      listAccess(app, req, res, path, practiceId, submissionUuid),
      app.reads.countAccess(practiceId, submissionUuid),
      app.reads.findLastExport(submissionUuid),
      app.reads.findRecordLines(practiceId, [submissionUuid]),
    ]);
    if (listed === null) return;
    await noteRecordsShown(app, res, { place: 'record-access', recordIds: [submissionUuid] });
    const summary = summarizeAccess(counts);
    const known = summary.flatMap(({ by }) =>
      by.kind === 'member' ? [{ value: by.id, text: actorNameCapitalized(by, 'practice') }] : [],
    );
    sendPage(req, res, {
      title: 'Who saw this record',
      action: <DownloadAccess path={path} filter={listed.filter} />,
      children: (
        <RecordAccessPage
          {...listed}
          record={record}
          summary={summary}
          lastExport={lastExport}
          version={lines.get(submissionUuid)?.version ?? 1}
          audience="practice"
          lastColumn="purpose"
          people={listPeople(listed, known, 'practice')}
          lastBreakGlass={practice.lastBreakGlass}
        />
      ),
    });
  };

type ListedAccess = Pick<
  AccessLogPageProps,
  'path' | 'filter' | 'entries' | 'found' | 'isMore' | 'page' | 'pages'
>;

/** `null` if past the last page, to which the browser is then redirected. */
const listAccess = async (
  { reads }: App,
  req: Request,
  res: Response,
  path: string,
  practiceId: string | null,
  record: string | null = null,
): Promise<ListedAccess | null> => {
  const filter = parseAccessFilter(req);
  const page = readPageNumber(req);
  const slice = { skip: (page - 1) * PAGE_LINES, most: PAGE_LINES };
  const { entries, found, isMore } = await reads.findAccess(
    practiceId,
    { ...filter, record },
    slice,
  );
  const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
  if (page > pages) {
    res.redirect(303, buildAccessPath(path, filter, pages));
    return null;
  }
  return { path, filter, entries, found, isMore, page, pages };
};

/** @param of record that the log is about; `null` for all records */
const sendFile = async (
  app: App,
  req: Request,
  res: Response,
  of: AccessedRecord | null,
): Promise<void> => {
  const { practiceId, practice } = getSeat(res);
  const query = { ...parseAccessFilter(req), record: of?.submissionUuid ?? null };
  const { count, parts } = await app.reads.readAccess(practiceId, query);
  // The file has record ids, but no personal data other than who had access.
  await noteExport(app, res, {
    what: 'access-log',
    rows: count,
    recordIds: of === null ? [] : [of.submissionUuid],
  });
  await sendCsv(
    res,
    'access-log.csv',
    app.csv.write(ACCESS_COLUMNS, cellsOf(parts(), practice.lastBreakGlass)),
  );
};

async function* cellsOf(
  parts: AsyncIterable<readonly AccessEntry[]>,
  lastBreakGlass: Parameters<typeof buildAccessRows>[1],
) {
  for await (const part of parts) yield* buildAccessRows(part, lastBreakGlass);
}

/** @throws PageProblem 404 */
const requireRecord = async (
  { reads }: App,
  req: Request,
  res: Response,
): Promise<AccessedRecord> => {
  const [named] = await reads.nameRecords(getSeat(res).practiceId, [readRecordId(req)]);
  if (named === undefined) throw pageNotFound();
  return named;
};

const FORMER = 'A former member';

const listPeople = (
  { filter: { person }, entries }: ListedAccess,
  known: readonly Choice[],
  audience: Audience,
): readonly Choice[] => {
  if (person === null || known.some(({ value }) => value === person)) return known;
  const theirs = entries.find(({ by }) => by.id === person);
  return [
    ...known,
    {
      value: person,
      text: theirs === undefined ? FORMER : actorNameCapitalized(theirs.by, audience),
    },
  ];
};
