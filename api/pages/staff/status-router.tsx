import { Router } from 'express';
import type { Look } from '../../health/look.ts';
import { staffOnly } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import { type AboutProcess, StatusPage } from './status-page.tsx';

/** What the page of the service's status works with. */
export interface StatusParts {
  readonly about: AboutProcess;
  /** How log, queue and read tables stand, as of about now. */
  readonly look: () => Promise<Look>;
}

const PAGE = '/staff/status';

/** How the service stands, for the staff. */
export const staffStatusRouter = ({ about, look }: StatusParts): Router =>
  Router().get(PAGE, staffOnly, async (req, res) => {
    sendPage(req, res, {
      title: 'Status',
      action: (
        <a class="usa-button" href={PAGE}>
          Look again
        </a>
      ),
      children: <StatusPage about={about} look={await look()} />,
    });
  });
