import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type FigureQuery, isOfBirths } from '../../../domain/statistics/figure-query.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { queryText } from '../../web/form-body.ts';
import { pageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import {
  figureAddress,
  figureInWords,
  figureOf,
  figureScopeInWords,
  type NamedFigure,
} from './figure-query.ts';
import { FigureRecordsPage } from './figure-records-page.tsx';
import { figuresAsCsv } from './figures-csv.ts';
import { type Asked, addressOf, askedOf, filterOf } from './period.ts';
import { StatisticsPage } from './statistics-page.tsx';

const readers = seats('Admin', 'Provider', 'Viewer');
const PAGE_LINES = 50;

/**
 * Statistics with a benchmark, also as CSV, and the records behind each figure; addresses contain
 * the whole query.
 */
export const statisticsRouter = (registry: App): Router =>
  Router()
    .get('/registry/statistics', readers, async (req, res) => {
      const { practiceId, role } = seatOf(res);
      const filter = filterOf(askedIn(req));
      const [statistics, years] = await Promise.all([
        statisticsFor(registry, req, res),
        registry.reads.findYears(practiceId),
      ]);
      sendPage(req, res, {
        title: 'Statistics',
        children: (
          <StatisticsPage
            statistics={statistics}
            years={years}
            asked={askedOf(filter)}
            mayEnter={role !== 'Viewer'}
          />
        ),
      });
    })
    .get('/registry/statistics/records', readers, recordsOf(registry))
    .get('/registry/statistics/figures.csv', readers, async (req, res) => {
      const statistics = await statisticsFor(registry, req, res);
      const asked = askedOf(filterOf(askedIn(req)));
      res.attachment('figures.csv').type('text/csv').send(figuresAsCsv(statistics, asked));
    });

const MONTH_LENGTH = 7;

const statisticsFor = (
  { findStatistics, now }: Pick<App, 'findStatistics' | 'now'>,
  req: Request,
  res: Response,
) => {
  const { practiceId, practice } = seatOf(res);
  const { today } = createPracticeClock(practice.timeZone, now());
  return findStatistics(
    { practiceId, sandbox: practice.sandbox },
    filterOf(askedIn(req)),
    today.slice(0, MONTH_LENGTH),
  );
};

/** Sends the records behind a figure, after logging this access. */
const recordsOf =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const { practiceId } = seatOf(res);
    const filter = filterOf(askedIn(req));
    const asked = askedOf(filter);
    const named: NamedFigure = {
      figure: queryText(req, 'figure'),
      part: queryText(req, 'part'),
      group: queryText(req, 'group'),
      dated: queryText(req, 'dated'),
    };
    const figure = figureOf(named);
    if (figure === null) throw pageNotFound();
    const page = pageNumber(req);
    const { counted, found } = await registry.reads.findCounted(practiceId, filter, figure, {
      skip: (page - 1) * PAGE_LINES,
      most: PAGE_LINES,
    });
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (page > pages) {
      res.redirect(303, figureAddress(named, asked, pages));
      return;
    }
    const recordIds = [...new Set(counted.map(({ submissionUuid }) => submissionUuid))];
    const records = await registry.reads.findRecordLines(practiceId, recordIds);
    const lines = counted.flatMap(({ submissionUuid, child }) => {
      const record = records.get(submissionUuid);
      return record === undefined ? [] : [{ ...record, child }];
    });
    await noteRecordsShown(registry, res, {
      place: 'statistics',
      recordIds: lines.map(({ submissionUuid }) => submissionUuid),
      filters: ['figure'],
    });
    sendPage(req, res, {
      title: 'Records of a figure',
      children: (
        <FigureRecordsPage
          heading={figureInWords(named, figure)}
          scope={figureScopeInWords(figure, asked)}
          note={noteOn(figure)}
          isOfBirths={isOfBirths(figure)}
          lines={lines}
          found={found}
          page={page}
          pages={pages}
          href={(other) => figureAddress(named, asked, other)}
          back={addressOf('/registry/statistics', asked)}
        />
      ),
    });
  };

const noteOn = ({ counts }: FigureQuery): string => {
  if (typeof counts === 'string') return 'Voided records are excluded.';
  return counts.part === 'unknown'
    ? 'The rate leaves these out, because a value that it needs is not recorded.'
    : 'Unknown values and voided records are excluded.';
};

const askedIn = (req: Request): Asked => ({
  period: queryText(req, 'period'),
  place: queryText(req, 'place'),
  attendant: queryText(req, 'attendant'),
});
