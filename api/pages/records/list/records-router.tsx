import type { Request, Response, Router } from 'express';
import { MAX_RECORDS } from '../../../../domain/access-log/decide.ts';
import { ACCESS_PLACES } from '../../../../domain/access-log/events.ts';
import { explainMissingItems } from '../../../../domain/birth-record/item-reasons.ts';
import { computeDueDate, findMissingItems } from '../../../../domain/course/missing-items.ts';
import { isUuid } from '../../../../domain/text-input.ts';
import type { Seat } from '../../../access/signed-in.ts';
import {
  noteRecordsPrinted,
  noteRecordsShown,
  type RecordsOnPage,
} from '../../../access-log/access-notes.ts';
import {
  type Exporter,
  noteExportBegun,
  noteRecordsTaken,
} from '../../../access-log/export-notes.ts';
import { wasSuspectedAsOf } from '../../../commands/duplicates-as-of.ts';
import { PROOF_RETRY_SECONDS } from '../../../http/problems.ts';
import type { App } from '../../../ports/app-ports.ts';
import { createPracticeClock } from '../../../practice-time/practice-clock.ts';
import { proveSignedEvents } from '../../../transparency-log/prove-events.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { canAudit, getSeat, requireReader } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import { createSearchSealer, readTypedSearch } from '../../../web/sealed-search.ts';
import { Form } from '../../layout/form.tsx';
import type { PageView } from '../../layout/page.tsx';
import {
  buildRecordPath,
  RECORD_PAGE,
  readRecordId,
  requireRecordId,
} from '../../layout/record-params.ts';
import {
  action,
  createRouter,
  page,
  post,
  type Redirect,
  type Reply,
  redirect,
} from '../../layout/routes.tsx';
import {
  buildRecordsPath,
  listFilterKinds,
  parseRecordQuery,
  toRecordSearch,
} from '../../parts/record-query.ts';
import { buildRecordHeading } from '../../text/record-titles.ts';
import { type AsOfDate, parseAsOfDate, toWallClock } from '../history/as-of-date.ts';
import type { AsOfFormProps } from '../history/as-of-form.tsx';
import {
  describeEntries,
  findFirstRecorded,
  listProofFiles,
  loadHistoryNames,
  loadHistoryPart,
  loadTabled,
  PROOFS_PER_FILE,
} from '../history/history-part.ts';
import { buildRecordView, findOtherRecord, type RecordView } from '../history/record-view.ts';
import type { Completeness } from '../record/missing-from-record.tsx';
import { RecordDidNotExist, RecordPage } from '../record/record-page.tsx';
import { RecordsPage } from './records-page.tsx';

const PAGE_LINES = 50;
/** The log's tree does not contain the latest change yet. */
export const PROOFS_NOT_READY = 'The proofs are not ready yet';

/** Each has its own line on the record's page; more would push the record off the screen. */
const MAX_MATCHES = 3;

const canWrite = ({ role }: Seat): boolean => role === 'Admin' || role === 'Provider';

export const recordsRouter = (app: App): Router =>
  createRouter(
    page('/registry/records', requireReader, (req, res) => showList(app, req, res)),
    post('/registry/records', requireReader, (req, res) => searchRecords(app, req, res)),
    page(RECORD_PAGE, [requireRecordId, requireReader], (req, res) =>
      showRecord(app, req, res, 'page'),
    ),
    action(`${RECORD_PAGE}/print`, [requireRecordId, requireReader], RECORD_PAGE, (req, res) =>
      showRecord(app, req, res, 'print'),
    ),
    page(`${RECORD_PAGE}/proofs`, [requireRecordId, requireReader], (req, res) =>
      sendProofs(app, req, res),
    ),
    post('/registry/printed', requireReader, (req, res) => noteBrowserPrint(app, req, res)),
  );

/** A POST keeps names out of addresses. */
const searchRecords = (app: App, req: Request, res: Response): Redirect => {
  const text = readTypedSearch(readFormText(req, 'q'));
  const sealed = createSearchSealer(app).seal(req, res, text);
  const query = parseRecordQuery((name) => readFormText(req, name), { text, sealed }, 1);
  return redirect(buildRecordsPath(query, 1));
};

const showList = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const seat = getSeat(res);
  const searches = createSearchSealer(app);
  const inAddress = readTypedSearch(readQueryText(req, 'q'));
  if (inAddress !== '') {
    // An old bookmark; the redirect removes its text from the address bar at once.
    const sealed = searches.seal(req, res, inAddress);
    const query = parseRecordQuery(
      (name) => readQueryText(req, name),
      { text: '', sealed },
      readPageNumber(req),
    );
    return redirect(buildRecordsPath(query, query.page));
  }
  const search = await searches.read(req, res);
  const query = parseRecordQuery((name) => readQueryText(req, name), search, readPageNumber(req));
  const slice = { skip: (query.page - 1) * PAGE_LINES, most: PAGE_LINES };
  const { records, found, isMore } = await app.reads.findRecords(
    seat.practiceId,
    toRecordSearch(query),
    slice,
  );
  const [only] = records;
  if (query.q !== '' && found === 1 && only !== undefined)
    return redirect(buildRecordPath(only.submissionUuid));
  const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
  if (query.page > pages) return redirect(buildRecordsPath(query, pages));
  await noteRecordsShown(app, res, {
    place: 'list',
    recordIds: records.map((record) => record.submissionUuid),
    filters: listFilterKinds(query),
  });
  return {
    title: 'Records',
    action: canWrite(seat) ? (
      <a class="usa-button" href="/registry/records/new">
        Enter a birth
      </a>
    ) : undefined,
    children: (
      <RecordsPage
        query={query}
        isSearchExpired={search.isExpired}
        records={records}
        found={found}
        isMore={isMore}
        pages={pages}
        mayEnter={canWrite(seat)}
      />
    ),
  };
};

/** Logs prints that a browser reports, for records of this practice. */
const noteBrowserPrint = async (app: App, req: Request, res: Response): Promise<undefined> => {
  const place = ACCESS_PLACES.find((one) => one === readFormText(req, 'place'));
  const posted = readFormText(req, 'records').split(' ').filter(isUuid).slice(0, MAX_RECORDS);
  const known = await app.reads.nameRecords(getSeat(res).practiceId, posted);
  const ids = new Set(known.map(({ submissionUuid }) => submissionUuid));
  const recordIds = posted.filter((id) => ids.has(id));
  if (place !== undefined) await noteRecordsPrinted(app, res, { place, recordIds }, 'browser');
  res.sendStatus(204);
};

/** Shows a record to read or print, and logs a print before sending the page. */
const showRecord = async (
  app: App,
  req: Request,
  res: Response,
  purpose: 'page' | 'print',
): Promise<PageView> => {
  const seat = getSeat(res);
  const { practiceId } = seat;
  const { timeZone } = seat.practice;
  const isPrintView = purpose === 'print';
  const text = isPrintView ? readFormText(req, 'at') : readQueryText(req, 'at');
  const submissionUuid = readRecordId(req);
  const href = buildRecordPath(submissionUuid);
  const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) throw pageNotFound();
  const asOf = parseAsOfDate(text, timeZone, app.now());
  const at = asOf.kind === 'moment' ? asOf.at : null;
  const history = await loadHistoryPart(app, stream, at, isPrintView ? 1 : readPageNumber(req));
  const { stored, entries } = history;
  const [names, others, matches, leaves, wasSuspectedThen, tabled] = await Promise.all([
    loadHistoryNames(app, seat, [...stored, ...entries], at),
    app.reads.findRecordLines(
      practiceId,
      entries.flatMap(({ event }) => findOtherRecord(event) ?? []),
    ),
    app.reads.findMatches(practiceId, submissionUuid, MAX_MATCHES),
    app.reads.findLeafIndexes(entries),
    at !== null && wasSuspectedAsOf(app, stored, at),
    history.isWhole ? undefined : loadTabled(app, practiceId, stream, stored, at),
  ]);
  const view = buildRecordView(stored, names, tabled);
  const asOfForm = buildAsOfForm(href, asOf, text, timeZone);
  if (view === null) {
    return {
      title: 'Record',
      children: (
        <RecordDidNotExist
          at={at ?? app.now()}
          first={await findFirstRecorded(app, stream)}
          href={href}
          asOf={asOfForm}
        />
      ),
    };
  }
  const records: RecordsOnPage = {
    place: at === null ? 'record' : 'record-then',
    recordIds: [
      submissionUuid,
      ...others.keys(),
      ...[...matches.older, ...matches.newer].map((line) => line.submissionUuid),
    ],
  };
  await (isPrintView
    ? noteRecordsPrinted(app, res, records, 'print-view')
    : noteRecordsShown(app, res, records));
  const here = at === null ? href : `${href}?at=${at.toISOString()}`;
  return {
    title: buildRecordHeading(view.state.course),
    tabTitle: 'Record',
    hasErrors: asOf.kind === 'wrong',
    isPrintView,
    // Prevents a reload from printing again.
    returnTo: isPrintView ? here : undefined,
    action: isPrintView ? undefined : (
      <Actions
        href={href}
        at={at}
        mayChange={at === null && canWrite(seat) && view.state.status === 'live'}
      />
    ),
    children: (
      <RecordPage
        printed={isPrintView ? here : null}
        view={view}
        names={names}
        href={href}
        at={at}
        asOf={asOfForm}
        completeness={at === null && !isPrintView ? buildCompleteness(view, seat, app.now()) : null}
        others={others}
        matches={matches}
        entries={describeEntries(history, names)}
        page={history.page}
        pages={history.pages}
        leaves={leaves}
        proofs={listProofFiles(entries)}
        isSuspected={at === null ? matches.older.length > 0 : wasSuspectedThen}
        later={history.later}
        mayWrite={canWrite(seat)}
        maySeeAccess={canAudit(seat)}
      />
    ),
  };
};

const sendProofs = async (app: App, req: Request, res: Response): Promise<undefined> => {
  const { practiceId, memberId } = getSeat(res);
  const submissionUuid = readRecordId(req);
  const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) throw pageNotFound();
  const from = BigInt((readPageNumber(req) - 1) * PROOFS_PER_FILE);
  const leaves = await app.log.readLeaves(stream, { from, most: PROOFS_PER_FILE });
  if (leaves.length === 0 && from > 0n) throw pageNotFound();
  const proofs = await proveSignedEvents(app, leaves);
  if (proofs.length === 0)
    throw new PageProblem(
      404,
      PROOFS_NOT_READY,
      'The latest change to this record is too recent. Wait a minute, go back, and download the proofs again.',
      { 'Retry-After': String(PROOF_RETRY_SECONDS) },
    );
  const exporter: Exporter = {
    practiceId,
    actor: { kind: 'member', id: memberId },
    correlationId: String(res.locals['correlationId']),
    what: 'record-proofs',
  };
  await noteExportBegun(app, exporter, proofs.length, []);
  await noteRecordsTaken(app, exporter, [{ submissionUuid }]);
  res.attachment(`proofs-${submissionUuid}.json`).set('Cache-Control', 'no-store');
  // The newest are left out until a checkpoint covers them.
  res.json({ proofs, notYetProved: leaves.length - proofs.length });
};

const Actions = ({
  href,
  at,
  mayChange,
}: {
  readonly href: string;
  /** As-of time; `null` for the present. */
  readonly at: Date | null;
  readonly mayChange: boolean;
}) => (
  <div class="buttons margin-top-0">
    {mayChange && (
      <a class="usa-button" href={`${href}/correct`}>
        Correct record
      </a>
    )}
    <Form action={`${href}/print`}>
      {at !== null && <input type="hidden" name="at" value={at.toISOString()} />}
      <button type="submit" class="usa-button usa-button--outline">
        Print
      </button>
    </Form>
    {/* Last, so that it never precedes more common actions, even on a phone. */}
    {mayChange && (
      <a class="usa-button usa-button--outline" href={`${href}/void`}>
        Void record
      </a>
    )}
  </div>
);

/** Required items that an active record lacks; `null` for a voided one. */
const buildCompleteness = (
  { state: { course, status, keyKind }, reasons }: RecordView,
  { practice: { neededItems, daysUntilDue, timeZone } }: Seat,
  now: Date,
): Completeness | null => {
  if (status === 'voided') return null;
  const { today } = createPracticeClock(timeZone, now);
  const missing = findMissingItems(course, neededItems, keyKind === 'partner');
  return {
    ...explainMissingItems(missing, reasons, course, today),
    due: computeDueDate(course, daysUntilDue),
    today,
  };
};

const buildAsOfForm = (
  href: string,
  asOf: AsOfDate,
  text: string,
  timeZone: string,
): AsOfFormProps => ({
  href,
  value: 'at' in asOf && asOf.at !== null ? toWallClock(asOf.at, timeZone) : '',
  invalidText: asOf.kind === 'wrong' && asOf.at === null ? text : null,
  error: asOf.kind === 'wrong' ? asOf : undefined,
});
