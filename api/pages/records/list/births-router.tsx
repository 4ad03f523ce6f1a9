import { type Request, Router } from 'express';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readQueryText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { BirthsPage } from './births-page.tsx';

const PAGE_LINES = 50;
const YEAR = /^\d{4}$/;

/** Births log. */
export const birthsRouter = (registry: App): Router =>
  Router().get('/registry/births', requireRole('Admin', 'Provider', 'Viewer'), async (req, res) => {
    const { practiceId, role } = getSeat(res);
    const page = readPageNumber(req);
    const year = parseYear(req);
    const slice = { skip: (page - 1) * PAGE_LINES, most: PAGE_LINES };
    const { births, found, isMore, years } = await registry.reads.findBirths(
      practiceId,
      year,
      slice,
    );
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (page > pages) {
      res.redirect(303, buildBirthsPath(year, pages));
      return;
    }
    await noteRecordsShown(registry, res, {
      place: 'births',
      recordIds: births.map((birth) => birth.submissionUuid),
      filters: year === null ? [] : ['year'],
    });
    const mayEnter = role !== 'Viewer';
    sendPage(req, res, {
      title: 'Births',
      action: mayEnter ? (
        <a class="usa-button" href="/registry/records/new">
          Enter a birth
        </a>
      ) : undefined,
      children: (
        <BirthsPage
          births={births}
          found={found}
          isMore={isMore}
          years={years}
          year={year}
          page={page}
          pages={pages}
          mayEnter={mayEnter}
          href={(other) => buildBirthsPath(year, other)}
        />
      ),
    });
  });

const parseYear = (req: Request): number | null => {
  const text = readQueryText(req, 'year');
  return YEAR.test(text) ? Number(text) : null;
};

const buildBirthsPath = (year: number | null, page: number): string => {
  const query = new URLSearchParams({
    ...(year === null ? {} : { year: String(year) }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return query === '' ? '/registry/births' : `/registry/births?${query}`;
};
