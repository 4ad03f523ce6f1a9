import { type RequestHandler, Router } from 'express';
import { refusalInWords } from '../../commands/refusals-in-words.ts';
import type { Registry } from '../../registry/registry.ts';
import { backTo } from '../../web/back-to.ts';
import { flash } from '../../web/flash.ts';
import { formText } from '../../web/form-body.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seats } from '../../web/seats.ts';
import { keepRevival } from '../../write-path/change-record.ts';
import { unlessBusy } from '../../write-path/unless-busy.ts';
import { BUSY } from '../frame/flash-messages.tsx';
import { TO_DO } from '../to-do/to-do-address.ts';
import type { DecidedOn } from './overruled-void.tsx';
import { hrefOf, onlyRecords, recordIdOf, recordToChange } from './stored-record.ts';

/** Says that a record stays active. */
export const KEPT_MESSAGE = 'The record is kept.';

const PATH = '/registry/records/:record/keep';
const DECIDERS = seats('Admin', 'Provider');

/** Lists on which the decision is made too, by what their forms say. */
const PLACES_BEFORE: ReadonlyMap<string, string> = new Map<DecidedOn, string>([
  ['home', '/registry'],
  ['to-do', TO_DO],
]);

/** Keeps a record that was sent again after a person had voided it. */
export const keepRouter = (registry: Registry): Router =>
  Router()
    .get(PATH, onlyRecords, DECIDERS, backTo('/registry/records/:record'))
    .post(PATH, onlyRecords, DECIDERS, keep(registry));

const keep =
  (registry: Registry): RequestHandler =>
  async (req, res) => {
    const record = recordToChange(res, recordIdOf(req));
    const outcome = await unlessBusy(
      keepRevival(registry, record, Number(formText(req, 'version'))),
    );
    const href = hrefOf(record.submissionUuid);
    const from = PLACES_BEFORE.get(formText(req, 'on'));
    if (outcome === null) flash(req, 'warning', BUSY);
    else if (outcome.kind === 'no-such-record') throw pageNotFound();
    else if (outcome.kind === 'refused') flash(req, 'info', refusalInWords(outcome));
    else if (from !== undefined)
      flash(req, 'success', KEPT_MESSAGE, { href, text: 'Look at the record' });
    else flash(req, 'success', KEPT_MESSAGE);
    res.redirect(303, from ?? href);
  };
