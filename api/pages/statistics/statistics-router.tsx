import { type Request, Router } from 'express';
import type { Registry } from '../../registry/registry.ts';
import { queryText } from '../../web/form-body.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import { figuresAsCsv } from './figures-csv.ts';
import { type Asked, askedOf, filterOf } from './period.ts';
import { StatisticsPage } from './statistics-page.tsx';

const readers = seats('Admin', 'Provider', 'Viewer');

/** Statistics with their benchmark, and the same as CSV; the address holds the whole question. */
export const statisticsRouter = ({ findStatistics, reads }: Registry): Router =>
  Router()
    .get('/registry/statistics', readers, async (req, res) => {
      const { practiceId, practice, role } = seatOf(res);
      const filter = filterOf(askedIn(req));
      const [statistics, years] = await Promise.all([
        findStatistics({ practiceId, sandbox: practice.sandbox }, filter),
        reads.findYears(practiceId),
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
    .get('/registry/statistics/figures.csv', readers, async (req, res) => {
      const { practiceId, practice } = seatOf(res);
      const statistics = await findStatistics(
        { practiceId, sandbox: practice.sandbox },
        filterOf(askedIn(req)),
      );
      res.attachment('figures.csv').type('text/csv').send(figuresAsCsv(statistics));
    });

const askedIn = (req: Request): Asked => ({
  period: queryText(req, 'period'),
  place: queryText(req, 'place'),
  attendant: queryText(req, 'attendant'),
});
