import { Router } from 'express';
import type { FindActorNames } from '../../../domain/course-of-care/finding/ports.ts';
import type { PracticeActivity } from '../../../domain/practice/activity.ts';
import type { AccessNotes } from '../../access-log/access-notes.ts';
import { seatOf, seats, staffOnly } from '../../web/seats.ts';
import { placesOf } from '../frame/places.ts';
import { sendPage } from '../frame/send-page.tsx';
import { EntryLinks } from './entry-links.tsx';
import { PracticeHome } from './practice-home.tsx';

const DAY_MS = 24 * 60 * 60_000;
const LOOKS_BACK_DAYS = 7;
const MOST_LINES = 8;
const MOST_TO_DECIDE = 20;

/** What the home page works with. */
export interface HomeParts extends PracticeActivity {
  readonly findActorNames: FindActorNames;
  readonly now: () => Date;
  readonly accessNotes: Pick<AccessNotes, 'recordsShown'>;
}

/** The first pages: of a practice, by seat, and of the service staff. */
export const homeRouter = (parts: HomeParts): Router =>
  Router()
    .get('/registry', seats('Admin', 'Provider', 'Viewer', 'Scribe'), async (req, res) => {
      const seat = seatOf(res);
      const places = placesOf(seat).filter(({ href }) => href !== '/registry');
      if (seat.role === 'Scribe') {
        sendPage(req, res, { title: 'Home', children: <EntryLinks places={places} /> });
        return;
      }
      const { practiceId } = seat;
      const since = new Date(parts.now().getTime() - LOOKS_BACK_DAYS * DAY_MS);
      const [attention, overruled, submissions, records] = await Promise.all([
        parts.attention(practiceId, since),
        parts.overruledVoids(practiceId, MOST_TO_DECIDE),
        parts.recentSubmissions(practiceId, MOST_LINES),
        parts.recentRecords(practiceId, MOST_LINES),
      ]);
      await parts.accessNotes.recordsShown(res, {
        place: 'home',
        recordIds: [
          ...new Set([...overruled.listed, ...records].map((record) => record.submissionUuid)),
        ],
      });
      const actors = await parts.findActorNames(
        practiceId,
        overruled.listed.flatMap(({ voidedBy, revivedBy }) => [voidedBy, revivedBy]),
      );
      const mayEnter = places.some(({ href }) => href === '/registry/records/new');
      sendPage(req, res, {
        title: 'Home',
        action: mayEnter ? (
          <a class="usa-button" href="/registry/records/new">
            Enter a birth
          </a>
        ) : undefined,
        children: (
          <PracticeHome
            attention={attention}
            overruled={overruled}
            actors={actors}
            submissions={submissions}
            records={records}
            places={places}
            mayDecide={seat.role !== 'Viewer'}
          />
        ),
      });
    })
    .get('/staff', staffOnly, (req, res) => {
      const places = [
        { href: '/staff/practices', text: 'Practices' },
        { href: '/staff/partners', text: 'Partners' },
        { href: '/staff/status', text: 'Status' },
      ];
      sendPage(req, res, { title: 'Service staff', children: <EntryLinks places={places} /> });
    });
