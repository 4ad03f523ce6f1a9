import type { Router } from 'express';
import { noteLogShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat, requireAuditor } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { AUDIT_PAGE, AUDIT_TRAIL, AuditTable, MAX_ENTRIES } from '../layout/audit-trail.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { createRouter, page, redirect } from '../layout/routes.tsx';

export const auditRouter = (app: App): Router =>
  createRouter(
    page(AUDIT_PAGE, requireAuditor, async (req, res) => {
      const { practiceId } = getSeat(res);
      const number = readPageNumber(req);
      const [entries, found] = await Promise.all([
        app.reads.readPracticeAudit(practiceId, MAX_ENTRIES, (number - 1) * MAX_ENTRIES),
        app.reads.countPracticeAudit(practiceId),
      ]);
      const pages = Math.max(1, Math.ceil(found / MAX_ENTRIES));
      if (number > pages) return redirect(buildPagePath(pages));
      await noteLogShown(app, res, 'audit-trail');
      return {
        title: AUDIT_TRAIL,
        children: (
          <>
            <p>
              Who changed the practice’s settings, members, and keys. Changes to a record are in its
              own history.
            </p>
            <AuditTable caption="Who changed what" entries={entries} audience="practice" />
            <Pagination page={number} pages={pages} href={buildPagePath} of="the audit trail" />
          </>
        ),
      };
    }),
  );

const buildPagePath = (page: number): string => `${AUDIT_PAGE}?page=${page}`;
