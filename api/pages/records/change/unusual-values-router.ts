import { type RequestHandler, Router } from 'express';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import { confirmQuestions } from '../../../record-commands/change-record.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { flash } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { buildWorkPath, parseWorkQuery, TO_DO } from '../../addresses.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import {
  buildRecordPath,
  loadRecordToChange,
  readRecordId,
  requireRecordId,
} from '../record-params.ts';

const PATH = '/registry/records/:record/questions';
const DECIDERS = requireRole('Admin', 'Provider');

export const VALUES_CONFIRMED = 'The values are confirmed.';

/** Confirms unusual values of a record. */
export const unusualValuesRouter = (registry: App): Router =>
  Router()
    .get(PATH, requireRecordId, DECIDERS, redirectGet('/registry/records/:record'))
    .post(PATH, requireRecordId, DECIDERS, confirm(registry));

const confirm =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const record = loadRecordToChange(res, readRecordId(req));
    const outcome = await nullIfLeaseUnavailable(
      confirmQuestions(registry, record, {
        version: Number(readFormText(req, 'version')),
        questions: readFormTexts(req, 'question'),
      }),
    );
    const href = buildRecordPath(record.submissionUuid);
    if (outcome === null) flash(req, 'warning', BUSY);
    else if (outcome.kind === 'no-such-record') throw pageNotFound();
    else if (outcome.kind === 'refused') flash(req, 'info', formatRefusal(outcome));
    else if (outcome.kind === 'changed-concurrently')
      flash(req, 'warning', 'The record was changed in the meantime. Look at its values again.', {
        href,
        text: 'Go to the record',
      });
    else flash(req, 'success', VALUES_CONFIRMED, { href, text: 'Go to the record' });
    res.redirect(303, getPathAfter(readFormText(req, 'on'), href));
  };

/** Only the to-do list and the record's page link here. */
const getPathAfter = (on: string, href: string): string =>
  on.startsWith(TO_DO)
    ? buildWorkPath(parseWorkQuery(new URLSearchParams(on.slice(TO_DO.length))))
    : href;
