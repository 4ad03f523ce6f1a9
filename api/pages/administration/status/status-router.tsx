import { Router } from 'express';
import type { HealthSnapshot } from '../../../health/health-snapshot.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { type AboutProcess, StatusPage } from './status-page.tsx';

const PAGE = '/staff/status';

/**
 * Status of the service, for the staff.
 * @param look returns a recent health snapshot
 */
export const staffStatusRouter = (
  about: AboutProcess,
  look: () => Promise<HealthSnapshot>,
): Router =>
  Router().get(PAGE, requireStaff, async (req, res) => {
    sendPage(req, res, {
      title: 'Status',
      action: (
        <a class="usa-button" href={PAGE}>
          Refresh
        </a>
      ),
      children: <StatusPage about={about} look={await look()} />,
    });
  });
