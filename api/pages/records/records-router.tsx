import { type RequestHandler, Router } from 'express';
import { MAX_RECORDS } from '../../../domain/access-log/decide.ts';
import { PLACES_SHOWN } from '../../../domain/access-log/events.ts';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import { computeDueDate, findMissingItems } from '../../../domain/course/missing-items.ts';
import { isUuid } from '../../../domain/text-input.ts';
import type { Seat } from '../../access/signed-in.ts';
import {
  noteRecordsPrinted,
  noteRecordsShown,
  type RecordsOnPage,
} from '../../access-log/access-notes.ts';
import { type Exporter, noteExportBegun, noteRecordsTaken } from '../../access-log/export-notes.ts';
import { wasSuspectedAsOf } from '../../commands/duplicates-as-of.ts';
import type { App } from '../../ports/app-ports.ts';
import { PROOF_RETRY_SECONDS, proveEvents } from '../../transparency-log/prove-events.ts';
import { backTo } from '../../web/back-to.ts';
import { formText, queryText } from '../../web/form-body.ts';
import { pageNumber } from '../../web/page-number.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { searchWordsWith, typedSearch } from '../../web/search-words.ts';
import { mayAudit, seatOf, seats } from '../../web/seats.ts';
import { Form } from '../frame/form.tsx';
import { sendPage } from '../frame/send-page.tsx';
import type { AsOfFormProps } from './as-of-form.tsx';
import { namesOfHistory } from './history-names.ts';
import type { Completeness } from './missing-from-record.tsx';
import { type AskedMoment, momentInPast, wallClockOf } from './moment-in-past.ts';
import { NotYetThere, RecordPage } from './record-page.tsx';
import { filterKindsOf, recordQueryOf, recordSearchOf, recordsAddress } from './record-query.ts';
import { recordHeading } from './record-titles.ts';
import { otherRecordOf, type RecordView, recordViewOf } from './record-view.ts';
import { RecordsPage } from './records-page.tsx';
import { hrefOf, onlyRecords, recordIdOf, storedOf } from './stored-record.ts';

const PAGE_LINES = 50;
/** The log's tree does not contain the latest change yet. */
export const PROOFS_NOT_READY = 'The proofs are not ready yet';

/** Each has its own line on the record's page; more would push the record off the screen. */
const MAX_MATCHES_SHOWN = 3;

/** List of records, and pages of single records. */
export const recordsRouter = (registry: App): Router =>
  Router()
    .get('/registry/records', READERS, listOf(registry))
    .post('/registry/records', READERS, searchOf(registry))
    .get('/registry/records/:record', onlyRecords, READERS, recordOf(registry, 'page'))
    .get(
      '/registry/records/:record/print',
      onlyRecords,
      READERS,
      backTo('/registry/records/:record'),
    )
    .post('/registry/records/:record/print', onlyRecords, READERS, recordOf(registry, 'print'))
    .get('/registry/records/:record/proofs', onlyRecords, READERS, proofsOf(registry))
    .post('/registry/printed', READERS, printedOf(registry));

const READERS = seats('Admin', 'Provider', 'Viewer');

const mayWrite = ({ role }: Seat): boolean => role === 'Admin' || role === 'Provider';

/** A POST keeps names out of addresses. */
const searchOf = (registry: App): RequestHandler => {
  const words = searchWordsWith(registry);
  return (req, res) => {
    const text = typedSearch(formText(req, 'q'));
    const sealed = words.seal(req, res, text);
    const query = recordQueryOf((name) => formText(req, name), { text, sealed }, 1);
    res.redirect(303, recordsAddress(query, 1));
  };
};

const listOf =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const seat = seatOf(res);
    const words = searchWordsWith(registry);
    const inAddress = typedSearch(queryText(req, 'q'));
    if (inAddress !== '') {
      // An old bookmark; the redirect removes its text from the address bar at once.
      const sealed = words.seal(req, res, inAddress);
      const asked = recordQueryOf(
        (name) => queryText(req, name),
        { text: '', sealed },
        pageNumber(req),
      );
      res.redirect(303, recordsAddress(asked, asked.page));
      return;
    }
    const search = await words.read(req, res);
    const query = recordQueryOf((name) => queryText(req, name), search, pageNumber(req));
    const slice = { skip: (query.page - 1) * PAGE_LINES, most: PAGE_LINES };
    const { records, found, isMore } = await registry.reads.findRecords(
      seat.practiceId,
      recordSearchOf(query),
      slice,
    );
    const [only] = records;
    if (query.q !== '' && found === 1 && only !== undefined) {
      res.redirect(303, hrefOf(only.submissionUuid));
      return;
    }
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (query.page > pages) {
      res.redirect(303, recordsAddress(query, pages));
      return;
    }
    await noteRecordsShown(registry, res, {
      place: 'list',
      recordIds: records.map((record) => record.submissionUuid),
      filters: filterKindsOf(query),
    });
    sendPage(req, res, {
      title: 'Records',
      action: mayWrite(seat) ? (
        <a class="usa-button" href="/registry/records/new">
          Enter a birth
        </a>
      ) : undefined,
      children: (
        <RecordsPage
          query={query}
          isSearchOver={search.isOver}
          records={records}
          found={found}
          isMore={isMore}
          pages={pages}
          mayEnter={mayWrite(seat)}
        />
      ),
    });
  };

/** Logs prints that a browser reports, for records of this practice. */
const printedOf =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const place = PLACES_SHOWN.find((one) => one === formText(req, 'place'));
    const said = formText(req, 'records').split(' ').filter(isUuid).slice(0, MAX_RECORDS);
    const held = await registry.reads.nameRecords(seatOf(res).practiceId, said);
    const ids = new Set(held.map(({ submissionUuid }) => submissionUuid));
    const recordIds = said.filter((id) => ids.has(id));
    if (place !== undefined)
      await noteRecordsPrinted(registry, res, { place, recordIds }, 'browser');
    res.sendStatus(204);
  };

/** Shows a record to read or print, and logs a print before sending the page. */
const recordOf =
  (registry: App, purpose: 'page' | 'print'): RequestHandler =>
  async (req, res) => {
    const seat = seatOf(res);
    const { practiceId } = seat;
    const { timeZone } = seat.practice;
    const isPrintView = purpose === 'print';
    const typedMoment = isPrintView ? formText(req, 'at') : queryText(req, 'at');
    const submissionUuid = recordIdOf(req);
    const href = hrefOf(submissionUuid);
    const all = await storedOf(registry, req, res);
    const [first] = all;
    if (first === undefined) throw pageNotFound();
    const asked = momentInPast(typedMoment, timeZone, registry.now());
    const at = asked.kind === 'moment' ? asked.at : null;
    const stored =
      at === null
        ? all
        : all.filter(({ metadata }) => Date.parse(metadata.recordedAt) <= at.getTime());
    const [names, others, lookAlikes, leaves, wasSuspectedThen] = await Promise.all([
      namesOfHistory(registry, seat, stored, at),
      registry.reads.findRecordLines(practiceId, othersOf(stored)),
      registry.reads.findMatches(practiceId, submissionUuid, MAX_MATCHES_SHOWN),
      registry.reads.leafIndexes(stored),
      at !== null && wasSuspectedAsOf(registry, stored, at),
    ]);
    const view = recordViewOf(stored, names);
    const asOf = asOfPartsOf(href, asked, { typed: typedMoment, timeZone });
    if (view === null) {
      sendPage(req, res, {
        title: 'Record',
        children: (
          <NotYetThere
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
    const title = recordHeading(view.state.course);
    const isWrong = asked.kind === 'wrong';
    const here = at === null ? href : `${href}?at=${at.toISOString()}`;
    sendPage(req, res, {
      title,
      tabTitle: 'Record',
      isRefused: isWrong,
      isPrintView,
      // Prevents a reload from printing again.
      returnTo: isPrintView ? here : undefined,
      action: isPrintView ? undefined : (
        <Actions
          href={href}
          at={at}
          mayChange={at === null && mayWrite(seat) && view.state.status === 'live'}
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
            at === null && !isPrintView ? completenessOf(view, seat, registry.now()) : null
          }
          others={others}
          lookAlikes={lookAlikes}
          leaves={leaves}
          isSuspected={at === null ? lookAlikes.older.length > 0 : wasSuspectedThen}
          later={all.length - stored.length}
          mayWrite={mayWrite(seat)}
          maySeeAccess={mayAudit(seat)}
        />
      ),
    });
  };

/** Sends the file with the log's proofs for each event of a record. */
const proofsOf =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const { practiceId, memberId } = seatOf(res);
    const submissionUuid = recordIdOf(req);
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
const completenessOf = (
  { state: { course, status, keyKind } }: RecordView,
  { practice: { neededItems, daysUntilDue, timeZone } }: Seat,
  now: Date,
): Completeness | null =>
  status === 'voided'
    ? null
    : {
        missing: findMissingItems(course, neededItems, keyKind === 'partner'),
        due: computeDueDate(course, daysUntilDue),
        today: wallClockOf(now, timeZone).slice(0, 'YYYY-MM-DD'.length),
      };

const asOfPartsOf = (
  href: string,
  asked: AskedMoment,
  { typed, timeZone }: { readonly typed: string; readonly timeZone: string },
): AsOfFormProps => ({
  href,
  value: 'at' in asked && asked.at !== null ? wallClockOf(asked.at, timeZone) : '',
  typed: asked.kind === 'wrong' && asked.at === null ? typed : null,
  error: asked.kind === 'wrong' ? asked : undefined,
});

const othersOf = (stored: readonly StoredRecordEvent[]): readonly string[] =>
  stored.flatMap(({ event }) => otherRecordOf(event) ?? []);
