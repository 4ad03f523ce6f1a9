import type { Request, Router } from 'express';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readQueryText } from '../../../web/form-body.ts';
import { getSeat, requireReader } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { createRouter, page, redirect } from '../../layout/routes.tsx';
import { BIRTHS, BirthsPage } from './births-page.tsx';

const PAGE_LINES = 50;
const YEAR = /^\d{4}$/;

export const birthsRouter = (app: App): Router =>
  createRouter(
    page(BIRTHS, requireReader, async (req, res) => {
      const { practiceId, role } = getSeat(res);
      const number = readPageNumber(req);
      const year = parseYear(req);
      const slice = { skip: (number - 1) * PAGE_LINES, most: PAGE_LINES };
      const log = await app.reads.findBirths(practiceId, year, slice);
      const pages = Math.max(1, Math.ceil(log.found / PAGE_LINES));
      if (number > pages) return redirect(buildBirthsPath(year, pages));
      await noteRecordsShown(app, res, {
        place: 'births',
        recordIds: log.births.map((birth) => birth.submissionUuid),
        filters: year === null ? [] : ['year'],
      });
      const mayEnter = role !== 'Viewer';
      return {
        title: 'Births',
        action: mayEnter ? (
          <a class="usa-button" href="/registry/records/new">
            Enter a birth
          </a>
        ) : undefined,
        children: (
          <BirthsPage
            {...log}
            year={year}
            page={number}
            pages={pages}
            mayEnter={mayEnter}
            href={(other) => buildBirthsPath(year, other)}
          />
        ),
      };
    }),
  );

const parseYear = (req: Request): number | null => {
  const text = readQueryText(req, 'year');
  return YEAR.test(text) ? Number(text) : null;
};

const buildBirthsPath = (year: number | null, number: number): string => {
  const query = new URLSearchParams({
    ...(year !== null && { year: String(year) }),
    ...(number > 1 && { page: String(number) }),
  }).toString();
  return query === '' ? BIRTHS : `${BIRTHS}?${query}`;
};
