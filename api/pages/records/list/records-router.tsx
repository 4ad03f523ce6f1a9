import { type RequestHandler, Router } from 'express';
import { MAX_RECORDS } from '../../../../domain/access-log/decide.ts';
import { PLACES_SHOWN } from '../../../../domain/access-log/events.ts';
import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
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
import type { App } from '../../../ports/app-ports.ts';
import { PROOF_RETRY_SECONDS, proveEvents } from '../../../transparency-log/prove-events.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { canAudit, getSeat, requireRole } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { createSearchSealer, readTypedSearch } from '../../../web/session/sealed-search.ts';
import { Form } from '../../layout/form.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { buildRecordHeading } from '../../text/record-titles.ts';
import { type AsOfDate, parseAsOfDate, toWallClock } from '../history/as-of-date.ts';
import type { AsOfFormProps } from '../history/as-of-form.tsx';
import { loadHistoryNames } from '../history/history-names.ts';
import type { Completeness } from '../record/missing-from-record.tsx';
import { RecordDidNotExist, RecordPage } from '../record/record-page.tsx';
import { buildRecordView, findOtherRecord, type RecordView } from '../record/record-view.ts';
import { buildRecordPath, loadEvents, readRecordId, requireRecordId } from '../record-params.ts';
import {
  buildRecordsPath,
  listFilterKinds,
  parseRecordQuery,
  toRecordSearch,
} from './record-query.ts';
import { RecordsPage } from './records-page.tsx';

const PAGE_LINES = 50;
/** The log's tree does not contain the latest change yet. */
export const PROOFS_NOT_READY = 'The proofs are not ready yet';

/** Each has its own line on the record's page; more would push the record off the screen. */
const MAX_MATCHES_SHOWN = 3;

/** List of records, and pages of single records. */
export const recordsRouter = (registry: App): Router =>
  Router()
    .get('/registry/records', READERS, loadList(registry))
    .post('/registry/records', READERS, loadSearch(registry))
    .get('/registry/records/:record', requireRecordId, READERS, loadRecord(registry, 'page'))
    .get(
      '/registry/records/:record/print',
      requireRecordId,
      READERS,
      redirectGet('/registry/records/:record'),
    )
    .post(
      '/registry/records/:record/print',
      requireRecordId,
      READERS,
      loadRecord(registry, 'print'),
    )
    .get('/registry/records/:record/proofs', requireRecordId, READERS, loadProofs(registry))
    .post('/registry/printed', READERS, isPrintedBy(registry));

const READERS = requireRole('Admin', 'Provider', 'Viewer');

const canWrite = ({ role }: Seat): boolean => role === 'Admin' || role === 'Provider';

/** A POST keeps names out of addresses. */
const loadSearch = (registry: App): RequestHandler => {
  const words = createSearchSealer(registry);
  return (req, res) => {
    const text = readTypedSearch(readFormText(req, 'q'));
    const sealed = words.seal(req, res, text);
    const query = parseRecordQuery((name) => readFormText(req, name), { text, sealed }, 1);
    res.redirect(303, buildRecordsPath(query, 1));
  };
};

const loadList =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const seat = getSeat(res);
    const words = createSearchSealer(registry);
    const inAddress = readTypedSearch(readQueryText(req, 'q'));
    if (inAddress !== '') {
      // An old bookmark; the redirect removes its text from the address bar at once.
      const sealed = words.seal(req, res, inAddress);
      const asked = parseRecordQuery(
        (name) => readQueryText(req, name),
        { text: '', sealed },
        readPageNumber(req),
      );
      res.redirect(303, buildRecordsPath(asked, asked.page));
      return;
    }
    const search = await words.read(req, res);
    const query = parseRecordQuery((name) => readQueryText(req, name), search, readPageNumber(req));
    const slice = { skip: (query.page - 1) * PAGE_LINES, most: PAGE_LINES };
    const { records, found, isMore } = await registry.reads.findRecords(
      seat.practiceId,
      toRecordSearch(query),
      slice,
    );
    const [only] = records;
    if (query.q !== '' && found === 1 && only !== undefined) {
      res.redirect(303, buildRecordPath(only.submissionUuid));
      return;
    }
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (query.page > pages) {
      res.redirect(303, buildRecordsPath(query, pages));
      return;
    }
    await noteRecordsShown(registry, res, {
      place: 'list',
      recordIds: records.map((record) => record.submissionUuid),
      filters: listFilterKinds(query),
    });
    sendPage(req, res, {
      title: 'Records',
      action: canWrite(seat) ? (
        <a class="usa-button" href="/registry/records/new">
          Enter a birth
        </a>
      ) : undefined,
      children: (
        <RecordsPage
          query={query}
          isSearchOver={search.isExpired}
          records={records}
          found={found}
          isMore={isMore}
          pages={pages}
          mayEnter={canWrite(seat)}
        />
      ),
    });
  };

/** Logs prints that a browser reports, for records of this practice. */
const isPrintedBy =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const place = PLACES_SHOWN.find((one) => one === readFormText(req, 'place'));
    const said = readFormText(req, 'records').split(' ').filter(isUuid).slice(0, MAX_RECORDS);
    const held = await registry.reads.nameRecords(getSeat(res).practiceId, said);
    const ids = new Set(held.map(({ submissionUuid }) => submissionUuid));
    const recordIds = said.filter((id) => ids.has(id));
    if (place !== undefined)
      await noteRecordsPrinted(registry, res, { place, recordIds }, 'browser');
    res.sendStatus(204);
  };

/** Shows a record to read or print, and logs a print before sending the page. */
const loadRecord =
  (registry: App, purpose: 'page' | 'print'): RequestHandler =>
  async (req, res) => {
    const seat = getSeat(res);
    const { practiceId } = seat;
    const { timeZone } = seat.practice;
    const isPrintView = purpose === 'print';
    const typedMoment = isPrintView ? readFormText(req, 'at') : readQueryText(req, 'at');
    const submissionUuid = readRecordId(req);
    const href = buildRecordPath(submissionUuid);
    const all = await loadEvents(registry, req, res);
    const [first] = all;
    if (first === undefined) throw pageNotFound();
    const asked = parseAsOfDate(typedMoment, timeZone, registry.now());
    const at = asked.kind === 'moment' ? asked.at : null;
    const stored =
      at === null
        ? all
        : all.filter(({ metadata }) => Date.parse(metadata.recordedAt) <= at.getTime());
    const [names, others, lookAlikes, leaves, wasSuspectedThen] = await Promise.all([
      loadHistoryNames(registry, seat, stored, at),
      registry.reads.findRecordLines(practiceId, loadOthers(stored)),
      registry.reads.findMatches(practiceId, submissionUuid, MAX_MATCHES_SHOWN),
      registry.reads.leafIndexes(stored),
      at !== null && wasSuspectedAsOf(registry, stored, at),
    ]);
    const view = buildRecordView(stored, names);
    const asOf = readAsOf(href, asked, { typed: typedMoment, timeZone });
    if (view === null) {
      sendPage(req, res, {
        title: 'Record',
        children: (
          <RecordDidNotExist
            at={at ?? registry.now()}
            first={new Date(first.metadata.recordedAt)}
            href={href}
            asOf={asOf}
          />
        ),
      });
      return;
    }
    const shown: RecordsOnPage = {
      place: at === null ? 'record' : 'record-then',
      recordIds: [
        submissionUuid,
        ...others.keys(),
        ...[...lookAlikes.older, ...lookAlikes.newer].map((line) => line.submissionUuid),
      ],
    };
    await (isPrintView
      ? noteRecordsPrinted(registry, res, shown, 'print-view')
      : noteRecordsShown(registry, res, shown));
    const title = buildRecordHeading(view.state.course);
    const isWrong = asked.kind === 'wrong';
    const here = at === null ? href : `${href}?at=${at.toISOString()}`;
    sendPage(req, res, {
      title,
      tabTitle: 'Record',
      hasErrors: isWrong,
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
          asOf={asOf}
          completeness={
            at === null && !isPrintView ? buildCompleteness(view, seat, registry.now()) : null
          }
          others={others}
          lookAlikes={lookAlikes}
          leaves={leaves}
          isSuspected={at === null ? lookAlikes.older.length > 0 : wasSuspectedThen}
          later={all.length - stored.length}
          mayWrite={canWrite(seat)}
          maySeeAccess={canAudit(seat)}
        />
      ),
    });
  };

/** Sends the file with the log's proofs for each event of a record. */
const loadProofs =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const { practiceId, memberId } = getSeat(res);
    const submissionUuid = readRecordId(req);
    const stream = await registry.reads.findRecordStream(practiceId, submissionUuid);
    if (stream === null) throw pageNotFound();
    const proofs = await proveEvents(registry, await registry.log.readLeaves(stream));
    if (proofs === null)
      throw new PageProblem(
        404,
        PROOFS_NOT_READY,
        'The latest change to this record is too new. Wait a minute, go back, and download the proofs again.',
        { 'Retry-After': String(PROOF_RETRY_SECONDS) },
      );
    const exporter: Exporter = {
      practiceId,
      actor: { kind: 'member', id: memberId },
      correlationId: String(res.locals['correlationId']),
      what: 'record-proofs',
    };
    await noteExportBegun(registry, exporter, proofs.length, []);
    await noteRecordsTaken(registry, exporter, [{ submissionUuid }]);
    res.attachment(`proofs-${submissionUuid}.json`).set('Cache-Control', 'no-store');
    res.json({ proofs });
  };

interface ActionsProps {
  readonly href: string;
  /** As-of time; `null` for the present. */
  readonly at: Date | null;
  readonly mayChange: boolean;
}

const Actions = ({ href, at, mayChange }: ActionsProps) => (
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
  { state: { course, status, keyKind } }: RecordView,
  { practice: { neededItems, daysUntilDue, timeZone } }: Seat,
  now: Date,
): Completeness | null =>
  status === 'voided'
    ? null
    : {
        missing: findMissingItems(course, neededItems, keyKind === 'partner'),
        due: computeDueDate(course, daysUntilDue),
        today: toWallClock(now, timeZone).slice(0, 'YYYY-MM-DD'.length),
      };

const readAsOf = (
  href: string,
  asked: AsOfDate,
  { typed, timeZone }: { readonly typed: string; readonly timeZone: string },
): AsOfFormProps => ({
  href,
  value: 'at' in asked && asked.at !== null ? toWallClock(asked.at, timeZone) : '',
  typed: asked.kind === 'wrong' && asked.at === null ? typed : null,
  error: asked.kind === 'wrong' ? asked : undefined,
});

const loadOthers = (stored: readonly StoredRecordEvent[]): readonly string[] =>
  stored.flatMap(({ event }) => findOtherRecord(event) ?? []);
