import type { Router } from 'express';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat, getStaff, requireRole, requireStaff } from '../../web/guards/seats.ts';
import { type NavItem, navItemsFor } from '../layout/navigation.ts';
import { createRouter, page } from '../layout/routes.tsx';
import { toWorkSeat } from '../layout/work-seat.ts';
import { TO_DO } from '../paths.ts';
import { loadOwnDrafts, OwnDrafts } from './own-drafts.tsx';
import { PracticeHome } from './practice-home.tsx';

const DAY_MS = 24 * 60 * 60_000;
const LOOKS_BACK_DAYS = 7;
const MAX_LINES = 8;
const MAX_LISTED = 20;
/** For a seat that may not enter births. */
const NO_DRAFTS = { births: [], corrections: [] };

export const homeRouter = (app: App): Router =>
  createRouter(
    page('/registry', requireRole('Admin', 'Provider', 'Viewer', 'Scribe'), async (_req, res) => {
      const seat = getSeat(res);
      const places = navItemsFor(seat).filter(({ href }) => href !== '/registry');
      if (seat.role === 'Scribe') {
        const drafts = await loadOwnDrafts(app, seat);
        return {
          title: 'Home',
          children: (
            <>
              <OwnDrafts {...drafts} />
              <EntryLinks places={places.filter(({ href }) => href !== TO_DO)} />
            </>
          ),
        };
      }
      const { practiceId } = seat;
      const since = new Date(app.now().getTime() - LOOKS_BACK_DAYS * DAY_MS);
      const mayDecide = seat.role !== 'Viewer';
      const [drafts, work, failed, overruled, resent, submissions, records] = await Promise.all([
        mayDecide ? loadOwnDrafts(app, seat) : NO_DRAFTS,
        app.reads.work.count(toWorkSeat(seat, app.now())),
        app.reads.activity.failedSubmissions(practiceId, since),
        app.reads.activity.overruledVoids(practiceId, MAX_LISTED),
        seat.role === 'Admin' ? app.reads.activity.resentRecords(practiceId, since, MAX_LINES) : [],
        app.reads.activity.recentSubmissions(practiceId, MAX_LINES),
        app.reads.activity.recentRecords(practiceId, MAX_LINES),
      ]);
      await noteRecordsShown(app, res, {
        place: 'home',
        recordIds: [
          ...new Set([
            ...[...overruled.listed, ...resent, ...records].map((record) => record.submissionUuid),
            ...drafts.corrections.map(({ draftId }) => draftId),
          ]),
        ],
      });
      const actors = await app.reads.findActorNames(
        practiceId,
        overruled.listed.flatMap(({ voidedBy, revivedBy }) => [voidedBy, revivedBy]),
      );
      const mayEnter = places.some(({ href }) => href === '/registry/records/new');
      return {
        title: 'Home',
        action: mayEnter ? (
          <a class="usa-button" href="/registry/records/new">
            Enter a birth
          </a>
        ) : undefined,
        children: (
          <PracticeHome
            drafts={drafts}
            work={work}
            failedSubmissions={failed}
            overruled={overruled}
            resent={resent}
            actors={actors}
            submissions={submissions}
            records={records}
            places={places}
            mayDecide={mayDecide}
          />
        ),
      };
    }),
    page('/staff', requireStaff, (_req, res) => {
      const places = navItemsFor(getStaff(res)).filter(({ href }) => href !== '/staff');
      return { title: 'Service staff', children: <EntryLinks places={places} /> };
    }),
  );

const EntryLinks = ({ places }: { readonly places: readonly NavItem[] }) => (
  <ul class="entry-links cards usa-list--unstyled">
    {places.map(({ href, text }) => (
      <li key={href}>
        <a class="card display-block padding-205 text-bold text-no-underline" href={href}>
          {text}
        </a>
      </li>
    ))}
  </ul>
);
