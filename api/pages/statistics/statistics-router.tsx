import type { Request, Response, Router } from 'express';
import { type FigureQuery, isOfBirths } from '../../../domain/statistics/figure-query.ts';
import type { CellFilter } from '../../../domain/statistics/ports.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { readQueryText } from '../../web/form-body.ts';
import { getSeat, requireReader } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { createRouter, page, type Reply, redirect } from '../layout/routes.tsx';
import {
  buildFigurePath,
  formatFigure,
  formatFigureScope,
  type NamedFigure,
  parseFigure,
} from './figure-query.ts';
import { FigureRecordsPage } from './figure-records-page.tsx';
import { buildFiguresCsv } from './figures-csv.ts';
import { buildStatisticsPath, parseFilter, toParameters } from './statistics-filter.ts';
import { StatisticsPage } from './statistics-page.tsx';

const STATISTICS = '/registry/statistics';
const PAGE_LINES = 50;

/** Addresses contain the whole query. */
export const statisticsRouter = (app: App): Router =>
  createRouter(
    page(STATISTICS, requireReader, async (req, res) => {
      const { practiceId, role } = getSeat(res);
      const [statistics, years] = await Promise.all([
        loadStatistics(app, req, res),
        app.reads.findYears(practiceId),
      ]);
      return {
        title: 'Statistics',
        children: (
          <StatisticsPage
            statistics={statistics}
            years={years}
            filter={toParameters(readFilter(req))}
            mayEnter={role !== 'Viewer'}
          />
        ),
      };
    }),
    page(`${STATISTICS}/records`, requireReader, (req, res) => showRecords(app, req, res)),
    page(`${STATISTICS}/figures.csv`, requireReader, async (req, res) => {
      const statistics = await loadStatistics(app, req, res);
      const csv = buildFiguresCsv(statistics, toParameters(readFilter(req)));
      res.attachment('figures.csv').type('text/csv').send(csv);
      return undefined;
    }),
  );

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
    readFilter(req),
    today.slice(0, MONTH_LENGTH),
  );
};

/** Shows the records behind a figure, after logging this access. */
const showRecords = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const filter = readFilter(req);
  const parameters = toParameters(filter);
  const named: NamedFigure = {
    figure: readQueryText(req, 'figure'),
    part: readQueryText(req, 'part'),
    group: readQueryText(req, 'group'),
    dated: readQueryText(req, 'dated'),
  };
  const figure = parseFigure(named);
  if (figure === null) throw pageNotFound();
  const current = readPageNumber(req);
  const { counted, found } = await app.reads.findCounted(practiceId, filter, figure, {
    skip: (current - 1) * PAGE_LINES,
    most: PAGE_LINES,
  });
  const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
  if (current > pages) return redirect(buildFigurePath(named, parameters, pages));
  const recordIds = [...new Set(counted.map(({ submissionUuid }) => submissionUuid))];
  const records = await app.reads.findRecordLines(practiceId, recordIds);
  const lines = counted.flatMap(({ submissionUuid, child }) => {
    const record = records.get(submissionUuid);
    return record === undefined ? [] : [{ ...record, child }];
  });
  await noteRecordsShown(app, res, {
    place: 'statistics',
    recordIds: lines.map(({ submissionUuid }) => submissionUuid),
    filters: ['figure'],
  });
  return {
    title: 'Records in this figure',
    children: (
      <FigureRecordsPage
        heading={formatFigure(named, figure)}
        scope={formatFigureScope(figure, parameters)}
        note={describeScope(figure)}
        isOfBirths={isOfBirths(figure)}
        lines={lines}
        found={found}
        page={current}
        pages={pages}
        href={(other) => buildFigurePath(named, parameters, other)}
        back={buildStatisticsPath(STATISTICS, parameters)}
      />
    ),
  };
};

const describeScope = ({ counts }: FigureQuery): string => {
  if (typeof counts === 'string') return 'Voided records are excluded.';
  return counts.part === 'unknown'
    ? 'The rate excludes these because a value it needs is not recorded.'
    : 'Unknown values and voided records are excluded.';
};

const readFilter = (req: Request): CellFilter =>
  parseFilter({
    period: readQueryText(req, 'period'),
    place: readQueryText(req, 'place'),
    attendant: readQueryText(req, 'attendant'),
  });
