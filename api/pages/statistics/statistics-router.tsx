import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type FigureQuery, isOfBirths } from '../../../domain/statistics/figure-query.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { readQueryText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { sendPage } from '../layout/send-page.tsx';
import {
  buildFigurePath,
  formatFigure,
  formatFigureScope,
  type NamedFigure,
  parseFigure,
} from './figure-query.ts';
import { FigureRecordsPage } from './figure-records-page.tsx';
import { buildFiguresCsv } from './figures-csv.ts';
import {
  buildStatisticsPath,
  type Filter,
  parseFilter,
  toFigureFilter,
} from './statistics-filter.ts';
import { StatisticsPage } from './statistics-page.tsx';

const readers = requireRole('Admin', 'Provider', 'Viewer');
const PAGE_LINES = 50;

/**
 * Statistics with a benchmark, also as CSV, and the records behind each figure; addresses contain
 * the whole query.
 */
export const statisticsRouter = (registry: App): Router =>
  Router()
    .get('/registry/statistics', readers, async (req, res) => {
      const { practiceId, role } = getSeat(res);
      const filter = toFigureFilter(readFilter(req));
      const [statistics, years] = await Promise.all([
        loadStatistics(registry, req, res),
        registry.reads.findYears(practiceId),
      ]);
      sendPage(req, res, {
        title: 'Statistics',
        children: (
          <StatisticsPage
            statistics={statistics}
            years={years}
            asked={parseFilter(filter)}
            mayEnter={role !== 'Viewer'}
          />
        ),
      });
    })
    .get('/registry/statistics/records', readers, loadRecords(registry))
    .get('/registry/statistics/figures.csv', readers, async (req, res) => {
      const statistics = await loadStatistics(registry, req, res);
      const asked = parseFilter(toFigureFilter(readFilter(req)));
      res.attachment('figures.csv').type('text/csv').send(buildFiguresCsv(statistics, asked));
    });

const MONTH_LENGTH = 7;

const loadStatistics = (
  { findStatistics, now }: Pick<App, 'findStatistics' | 'now'>,
  req: Request,
  res: Response,
) => {
  const { practiceId, practice } = getSeat(res);
  const { today } = createPracticeClock(practice.timeZone, now());
  return findStatistics(
    { practiceId, sandbox: practice.sandbox },
    toFigureFilter(readFilter(req)),
    today.slice(0, MONTH_LENGTH),
  );
};

/** Sends the records behind a figure, after logging this access. */
const loadRecords =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const { practiceId } = getSeat(res);
    const filter = toFigureFilter(readFilter(req));
    const asked = parseFilter(filter);
    const named: NamedFigure = {
      figure: readQueryText(req, 'figure'),
      part: readQueryText(req, 'part'),
      group: readQueryText(req, 'group'),
      dated: readQueryText(req, 'dated'),
    };
    const figure = parseFigure(named);
    if (figure === null) throw pageNotFound();
    const page = readPageNumber(req);
    const { counted, found } = await registry.reads.findCounted(practiceId, filter, figure, {
      skip: (page - 1) * PAGE_LINES,
      most: PAGE_LINES,
    });
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (page > pages) {
      res.redirect(303, buildFigurePath(named, asked, pages));
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
          heading={formatFigure(named, figure)}
          scope={formatFigureScope(figure, asked)}
          note={scopeNote(figure)}
          isOfBirths={isOfBirths(figure)}
          lines={lines}
          found={found}
          page={page}
          pages={pages}
          href={(other) => buildFigurePath(named, asked, other)}
          back={buildStatisticsPath('/registry/statistics', asked)}
        />
      ),
    });
  };

const scopeNote = ({ counts }: FigureQuery): string => {
  if (typeof counts === 'string') return 'Voided records are excluded.';
  return counts.part === 'unknown'
    ? 'The rate leaves these out, because a value that it needs is not recorded.'
    : 'Unknown values and voided records are excluded.';
};

const readFilter = (req: Request): Filter => ({
  period: readQueryText(req, 'period'),
  place: readQueryText(req, 'place'),
  attendant: readQueryText(req, 'attendant'),
});
