import { type RequestHandler, Router } from 'express';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import { keepRevival } from '../../../record-commands/change-record.ts';
import { readFormText } from '../../../web/form-body.ts';
import { requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { flash } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { TO_DO } from '../../addresses.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import type { ResubmittedRecord } from '../../layout/resubmitted-after-void.tsx';
import {
  buildRecordPath,
  loadRecordToChange,
  readRecordId,
  requireRecordId,
} from '../record-params.ts';

/** Shown after a person kept a record that was sent again. */
export const RECORD_KEPT = 'The record is kept.';

const PATH = '/registry/records/:record/keep';
const DECIDERS = requireRole('Admin', 'Provider');

/** Lists that also offer this decision, by the value in their forms. */
const PLACES_BEFORE: ReadonlyMap<string, string> = new Map<ResubmittedRecord, string>([
  ['home', '/registry'],
  ['to-do', TO_DO],
]);

/** Keeps a record that was sent again after a person had voided it. */
export const resubmittedRouter = (registry: App): Router =>
  Router()
    .get(PATH, requireRecordId, DECIDERS, redirectGet('/registry/records/:record'))
    .post(PATH, requireRecordId, DECIDERS, keepActive(registry));

const keepActive =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const record = loadRecordToChange(res, readRecordId(req));
    const outcome = await nullIfLeaseUnavailable(
      keepRevival(registry, record, Number(readFormText(req, 'version'))),
    );
    const href = buildRecordPath(record.submissionUuid);
    const from = PLACES_BEFORE.get(readFormText(req, 'on'));
    if (outcome === null) flash(req, 'warning', BUSY);
    else if (outcome.kind === 'no-such-record') throw pageNotFound();
    else if (outcome.kind === 'refused') flash(req, 'info', formatRefusal(outcome));
    else if (from !== undefined)
      flash(req, 'success', RECORD_KEPT, { href, text: 'Look at the record' });
    else flash(req, 'success', RECORD_KEPT);
    res.redirect(303, from ?? href);
  };
