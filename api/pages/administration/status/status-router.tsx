import type { Router } from 'express';
import type { HealthSnapshot } from '../../../health/health-snapshot.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { createRouter, page } from '../../layout/routes.tsx';
import { type AboutProcess, StatusPage } from './status-page.tsx';

const PAGE = '/staff/status';

/** @param look returns a recent health snapshot */
export const staffStatusRouter = (
  about: AboutProcess,
  look: () => Promise<HealthSnapshot>,
): Router =>
  createRouter(
    page(PAGE, requireStaff, async () => ({
      title: 'Status',
      action: (
        <a class="usa-button" href={PAGE}>
          Refresh
        </a>
      ),
      children: <StatusPage about={about} look={await look()} />,
    })),
  );
