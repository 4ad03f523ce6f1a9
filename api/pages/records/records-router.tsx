import { type RequestHandler, Router } from 'express';
import type { FindRecords } from '../../../domain/course-of-care/finding/listing.ts';
import type {
  FindActorNames,
  FindLookAlikes,
  FindProviderNames,
  FindRecordLines,
} from '../../../domain/course-of-care/finding/ports.ts';
import type { StoredRecordEvent } from '../../../domain/course-of-care/resume.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { Seat } from '../../access/signed-in.ts';
import type { AccessNotes } from '../../access-log/access-notes.ts';
import { type SuspectedThenParts, wasSuspected } from '../../commands/suspected-then.ts';
import { queryText } from '../../web/form-body.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import type { AsOfFormProps } from './as-of-form.tsx';
import { type AskedMoment, momentInPast, wallClockOf } from './moment-in-past.ts';
import { NotYetThere, RecordPage } from './record-page.tsx';
import { filterKindsOf, recordQueryOf, recordSearchOf, recordsAddress } from './record-query.ts';
import { recordHeading } from './record-titles.ts';
import { type RecordNames, recordViewOf } from './record-view.ts';
import { RecordsPage } from './records-page.tsx';
import {
  hrefOf,
  onlyRecords,
  recordIdOf,
  type StoredRecordParts,
  storedOf,
} from './stored-record.ts';

/** What the list and the record work with. */
export interface RecordsParts extends StoredRecordParts, SuspectedThenParts {
  readonly findRecords: FindRecords;
  readonly findActorNames: FindActorNames;
  readonly findProviderNames: FindProviderNames;
  readonly findRecordLines: FindRecordLines;
  readonly findLookAlikes: FindLookAlikes;
  readonly customFields: (practiceId: string) => Promise<readonly CustomField[]>;
  readonly accessNotes: Pick<AccessNotes, 'recordsShown'>;
  readonly now: () => Date;
}

const PAGE_LINES = 50;
/** Each has a line of its own on the page of a record. */
const MOST_LOOK_ALIKES = 20;

/** The list of records, and one record. */
export const recordsRouter = (parts: RecordsParts): Router =>
  Router()
    .get('/registry/records', seats('Admin', 'Provider', 'Viewer'), listOf(parts))
    .get(
      '/registry/records/:record',
      onlyRecords,
      seats('Admin', 'Provider', 'Viewer'),
      recordOf(parts),
    );

const mayWrite = ({ role }: Seat): boolean => role === 'Admin' || role === 'Provider';

const listOf =
  (parts: RecordsParts): RequestHandler =>
  async (req, res) => {
    const seat = seatOf(res);
    const query = recordQueryOf(req);
    const slice = { skip: (query.page - 1) * PAGE_LINES, most: PAGE_LINES };
    const { records, found, isMore } = await parts.findRecords(
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
    await parts.accessNotes.recordsShown(res, {
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
          records={records}
          found={found}
          isMore={isMore}
          pages={pages}
          mayEnter={mayWrite(seat)}
        />
      ),
    });
  };

const recordOf =
  (parts: RecordsParts): RequestHandler =>
  async (req, res) => {
    const seat = seatOf(res);
    const { practiceId } = seat;
    const { timeZone } = seat.practice;
    const submissionUuid = recordIdOf(req);
    const href = hrefOf(submissionUuid);
    const all = await storedOf(parts, req, res);
    const [first] = all;
    if (first === undefined) throw pageNotFound();
    const asked = momentInPast(queryText(req, 'at'), timeZone, parts.now());
    const at = asked.kind === 'moment' ? asked.at : null;
    const stored =
      at === null
        ? all
        : all.filter(({ metadata }) => Date.parse(metadata.recordedAt) <= at.getTime());
    const [names, others, lookAlikes, wasSuspectedThen] = await Promise.all([
      namesOf(parts, seat, stored, at),
      parts.findRecordLines(practiceId, othersOf(stored)),
      parts.findLookAlikes(practiceId, submissionUuid, MOST_LOOK_ALIKES),
      at !== null && wasSuspected(parts, stored, at),
    ]);
    const view = recordViewOf(stored, names);
    const asOf = asOfPartsOf(href, asked, { typed: queryText(req, 'at'), timeZone });
    if (view === null) {
      sendPage(req, res, {
        title: 'Record',
        children: (
          <NotYetThere
            at={at ?? parts.now()}
            first={new Date(first.metadata.recordedAt)}
            href={href}
            asOf={asOf}
          />
        ),
      });
      return;
    }
    await parts.accessNotes.recordsShown(res, {
      place: at === null ? 'record' : 'record-then',
      recordIds: [
        submissionUuid,
        ...others.keys(),
        ...[...lookAlikes.older, ...lookAlikes.newer].map((line) => line.submissionUuid),
      ],
    });
    const title = recordHeading(view.state.course);
    const isWrong = asked.kind === 'wrong';
    sendPage(req, res, {
      title,
      isRefused: isWrong,
      action:
        at === null && mayWrite(seat) && view.state.status === 'live' ? (
          <Actions href={href} />
        ) : undefined,
      children: (
        <RecordPage
          view={view}
          names={names}
          href={href}
          at={at}
          asOf={asOf}
          others={others}
          lookAlikes={lookAlikes}
          isSuspected={at === null ? lookAlikes.older.length > 0 : wasSuspectedThen}
          later={all.length - stored.length}
          mayWrite={mayWrite(seat)}
          maySeeAccess={seat.role === 'Admin'}
        />
      ),
    });
  };

const Actions = ({ href }: { readonly href: string }) => (
  <div class="buttons record__actions">
    <a class="usa-button usa-button--outline" href={`${href}/void`}>
      Void record
    </a>
    <a class="usa-button" href={`${href}/correct`}>
      Correct record
    </a>
  </div>
);

const asOfPartsOf = (
  href: string,
  asked: AskedMoment,
  { typed, timeZone }: { readonly typed: string; readonly timeZone: string },
): AsOfFormProps => ({
  href,
  value: 'at' in asked && asked.at !== null ? wallClockOf(asked.at, timeZone) : '',
  typed: asked.kind === 'wrong' && asked.at === null ? typed : null,
  error: asked.kind === 'wrong' ? asked.message : undefined,
});

const othersOf = (stored: readonly StoredRecordEvent[]): readonly string[] =>
  stored.flatMap(({ event }) => ('duplicateOf' in event.data ? [event.data.duplicateOf] : []));

const namesOf = async (
  parts: RecordsParts,
  { practiceId, practice }: Seat,
  stored: readonly StoredRecordEvent[],
  at: Date | null,
): Promise<RecordNames> => {
  const providerIds = stored.flatMap(({ event }) => {
    if (event.type === 'AttributionRepointed') return [event.data.from, event.data.to];
    if (!('course' in event.data)) return [];
    const { attendant, certifier } = event.data.course;
    return [attendant, certifier].filter((id) => id !== null);
  });
  const [actors, providers, customFields] = await Promise.all([
    parts.findActorNames(
      practiceId,
      stored.map(({ metadata }) => metadata.actor),
    ),
    parts.findProviderNames(practiceId, providerIds),
    parts.customFields(practiceId),
  ]);
  return {
    timeZone: practice.timeZone,
    actors,
    customFields,
    // As of a moment, later merges have not come: earlier ones are in the record's own events.
    providers:
      at === null
        ? providers
        : new Map([...providers].map(([id, one]) => [id, { ...one, name: one.ownName }])),
  };
};
