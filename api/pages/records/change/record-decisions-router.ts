import type { Router } from 'express';
import { type ItemReason, parsePlace } from '../../../../domain/birth-record/item-reasons.ts';
import type { QuestionAnswer } from '../../../../domain/birth-record/unusual-values.ts';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import { createPracticeClock } from '../../../practice-time/practice-clock.ts';
import {
  answerQuestions,
  type ChangedRecord,
  giveReason,
  keepRevival,
  takeBackReason,
} from '../../../record-commands/change-record.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { getSeat, requireAdminOrProvider } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import type { Message } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import {
  buildRecordPath,
  buildRecordToChange,
  RECORD_PAGE,
  readRecordId,
  requireRecordId,
} from '../../layout/record-params.ts';
import type { ResubmittedRecord } from '../../layout/resubmitted-after-void.tsx';
import { action, createRouter, redirect } from '../../layout/routes.tsx';
import { buildWorkPath, parseWorkQuery, TO_DO } from '../../paths.ts';
import { REASON_TEXT } from '../../text/section-text.ts';

const GUARDS = [requireRecordId, requireAdminOrProvider];

/** Lists that also offer this decision, by the value in their forms. */
const PLACES_BEFORE: ReadonlyMap<string, string> = new Map<ResubmittedRecord, string>([
  ['home', '/registry'],
  ['to-do', TO_DO],
]);

const ANSWERED = {
  confirmed: { id: 'values-confirmed', text: 'Values confirmed.' },
  unverified: { id: 'values-unverified', text: 'Saved: the values could not be verified.' },
} as const satisfies Record<QuestionAnswer, object>;

/** Answers to what a record's page and the lists ask about it. */
export const recordDecisionsRouter = (app: App): Router =>
  createRouter(
    action(`${RECORD_PAGE}/keep`, GUARDS, RECORD_PAGE, async (req, res) => {
      const record = buildRecordToChange(res, readRecordId(req));
      const outcome = await nullIfLeaseUnavailable(
        keepRevival(app, record, Number(readFormText(req, 'version'))),
      );
      const href = buildRecordPath(record.submissionUuid);
      const from = PLACES_BEFORE.get(readFormText(req, 'on'));
      const back = from ?? href;
      if (outcome === null) return redirect(back, BUSY, 'warning');
      if (outcome.kind === 'no-such-record') throw pageNotFound();
      if (outcome.kind === 'refused') return redirect(back, formatRefusal(outcome), 'info');
      const link = from === undefined ? undefined : { href, text: 'View record' };
      return redirect(back, { id: 'record-kept', text: 'Record kept.' }, 'success', link);
    }),
    action(`${RECORD_PAGE}/questions`, GUARDS, RECORD_PAGE, async (req, res) => {
      const record = buildRecordToChange(res, readRecordId(req));
      const answered = readFormText(req, 'answer') === 'unverified' ? 'unverified' : 'confirmed';
      const outcome = await nullIfLeaseUnavailable(
        answerQuestions(app, record, {
          version: Number(readFormText(req, 'version')),
          questions: readFormTexts(req, 'question'),
          answer: answered,
        }),
      );
      const href = buildRecordPath(record.submissionUuid);
      const back = getPathAfter(readFormText(req, 'on'), href);
      return answer(outcome, {
        back,
        done: ANSWERED[answered],
        changed: 'The record changed before you answered. Review its values again.',
        link: { href, text: 'View record' },
      });
    }),
    action(`${RECORD_PAGE}/missing`, GUARDS, RECORD_PAGE, async (req, res) => {
      const record = buildRecordToChange(res, readRecordId(req));
      const items = readFormTexts(req, 'item').map(parsePlace);
      const version = Number(readFormText(req, 'version'));
      const { today } = createPracticeClock(getSeat(res).practice.timeZone, app.now());
      const reason: ItemReason =
        readFormText(req, 'reason') === 'awaited'
          ? { kind: 'awaited', until: readFormText(req, 'until') }
          : { kind: 'unobtainable' };
      const outcome = await nullIfLeaseUnavailable(
        giveReason(app, record, { version, items, reason, today }),
      );
      return answer(outcome, {
        back: buildRecordPath(record.submissionUuid),
        done: { id: 'item-marked', text: `Marked “${REASON_TEXT[reason.kind]}”.` },
        changed: CHANGED_ITEMS,
      });
    }),
    action(`${RECORD_PAGE}/needed`, GUARDS, RECORD_PAGE, async (req, res) => {
      const record = buildRecordToChange(res, readRecordId(req));
      const place = parsePlace(readFormText(req, 'item'));
      const version = Number(readFormText(req, 'version'));
      const outcome = await nullIfLeaseUnavailable(
        takeBackReason(app, record, { version, ...place }),
      );
      return answer(outcome, {
        back: buildRecordPath(record.submissionUuid),
        done: { id: 'item-needed', text: 'The item is needed again.' },
        changed: CHANGED_ITEMS,
      });
    }),
  );

const CHANGED_ITEMS = 'The record changed in the meantime. Check what is missing from it now.';

interface Answers {
  readonly back: string;
  readonly done: Message;
  /** Said if the record is not the version that was on the page. */
  readonly changed: string;
  readonly link?: { readonly href: string; readonly text: string };
}

const answer = (outcome: ChangedRecord | null, { back, done, changed, link }: Answers) => {
  switch (outcome?.kind) {
    case undefined:
      return redirect(back, BUSY, 'warning');
    case 'no-such-record':
      throw pageNotFound();
    case 'refused':
      return redirect(back, formatRefusal(outcome), 'info');
    case 'changed-concurrently':
      return redirect(back, changed, 'warning', link);
    case 'done':
      return redirect(back, done, 'success', link);
  }
};

/** Only the to-do list and the record's page link here. */
const getPathAfter = (on: string, href: string): string =>
  on.startsWith(TO_DO)
    ? buildWorkPath(parseWorkQuery(new URLSearchParams(on.slice(TO_DO.length))))
    : href;
