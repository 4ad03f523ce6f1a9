import type { Router } from 'express';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import { confirmQuestions } from '../../../record-commands/change-record.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { buildWorkPath, parseWorkQuery, TO_DO } from '../../addresses.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import {
  buildRecordPath,
  buildRecordToChange,
  RECORD_PAGE,
  readRecordId,
  requireRecordId,
} from '../../layout/record-params.ts';
import { action, createRouter, redirect } from '../../layout/routes.tsx';

const GUARDS = [requireRecordId, requireRole('Admin', 'Provider')];

export const unusualValuesRouter = (app: App): Router =>
  createRouter(
    action(`${RECORD_PAGE}/questions`, GUARDS, RECORD_PAGE, async (req, res) => {
      const record = buildRecordToChange(res, readRecordId(req));
      const outcome = await nullIfLeaseUnavailable(
        confirmQuestions(app, record, {
          version: Number(readFormText(req, 'version')),
          questions: readFormTexts(req, 'question'),
        }),
      );
      const href = buildRecordPath(record.submissionUuid);
      const back = getPathAfter(readFormText(req, 'on'), href);
      const link = { href, text: 'View record' };
      switch (outcome?.kind) {
        case undefined:
          return redirect(back, BUSY, 'warning');
        case 'no-such-record':
          throw pageNotFound();
        case 'refused':
          return redirect(back, formatRefusal(outcome), 'info');
        case 'changed-concurrently':
          return redirect(
            back,
            'The record changed before you confirmed. Review its values again.',
            'warning',
            link,
          );
        case 'done':
          return redirect(
            back,
            { id: 'values-confirmed', text: 'Values confirmed.' },
            'success',
            link,
          );
      }
    }),
  );

/** Only the to-do list and the record's page link here. */
const getPathAfter = (on: string, href: string): string =>
  on.startsWith(TO_DO)
    ? buildWorkPath(parseWorkQuery(new URLSearchParams(on.slice(TO_DO.length))))
    : href;
