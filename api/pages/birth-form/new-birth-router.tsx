import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { Draft } from '../../../domain/mapping/form/drafts.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireWriter } from '../../web/guards/seats.ts';
import { hasCsrfToken } from '../../web/session/csrf.ts';
import type { PageView } from '../layout/page.tsx';
import { createRouter, page, post, redirect } from '../layout/routes.tsx';
import { Time } from '../layout/time.tsx';
import { answerBirthForm, type FormViewOptions } from '../parts/birth-form/birth-form-flow.tsx';
import {
  ENTERED_PATH,
  flashSaved,
  redirectToRecord,
} from '../parts/birth-form/confirm/after-save.ts';
import {
  buildRecordedAlready,
  NEW_BIRTH_PATH as PATH,
} from '../parts/birth-form/confirm/duplicate-checks.tsx';
import { DraftNotice } from '../parts/birth-form/drafts/draft-notice.tsx';
import { guardBirthForm } from '../parts/birth-form/drafts/form-ownership.tsx';
import { isSentForReview } from '../parts/birth-form/drafts/send-for-review.ts';
import {
  EDITION_FIELD,
  openEdition,
  parseEntry,
  parseUuid,
  readDraftValues,
  readEntry,
  toDraftOwner,
} from '../parts/birth-form/form/entry.ts';
import {
  addFirstChild,
  buildFormContent,
  type FormContent,
  isBlank,
} from '../parts/birth-form/form/form-values.ts';
import { buildBirthFormPage } from './birth-form-page.tsx';
import { buildCheck } from './check-answers.tsx';

export const newBirthRouter = (app: App): Router => {
  const { drafts } = app;
  const showForm = async (
    res: Response,
    draftId: string,
    content: FormContent,
    { above = null, begun = [], hidden = {}, ...options }: NewBirthViewOptions = {},
  ): Promise<PageView> =>
    buildBirthFormPage(app, res, content, {
      ...options,
      title: 'Enter a birth',
      hasErrors: content.errors.length > 0 || above !== null,
      above: (
        <>
          <DraftNotice
            drafts={begun}
            action={PATH}
            resume={(draft) => buildResumePath(draft.draftId)}
            text="You have an unfinished entry"
          />
          {above}
        </>
      ),
      action: PATH,
      hidden: { submission: draftId, [EDITION_FIELD]: openEdition(null), ...hidden },
      work: 'enter births',
      cancel: '/registry',
      check: '/registry/records/check',
      resume: buildResumePath(draftId),
    });

  return createRouter(
    page(PATH, requireWriter, async (req, res) => {
      // Link of version 0.1: removes the chart number from the address bar.
      if (readQueryText(req, 'chart') !== '') return redirect(PATH);
      const draftId = parseUuid(readQueryText(req, 'draft'));
      const owner = toDraftOwner(getSeat(res));
      const draft = draftId === null ? null : await drafts.find(owner, { form: 'new', draftId });
      if (draft !== null && !draft.isFinished) {
        const values = await readDraftValues(app, getSeat(res), draft);
        const hidden = { [EDITION_FIELD]: openEdition(draft) };
        return showForm(res, draft.draftId, buildFormContent(values), { hidden });
      }
      // From a voided record: handled as if typed.
      const chartNumber = await readChartNumber(app, req, res);
      const content = buildFormContent(chartNumber === '' ? {} : { chart_number: chartNumber });
      return showForm(res, randomUUID(), content, { begun: await drafts.begun(owner, 'new') });
    }),

    post(PATH, guardBirthForm(requireWriter), async (req, res) => {
      const discarded = parseUuid(readFormText(req, 'discard'));
      if (discarded !== null && hasCsrfToken(req, res)) {
        await drafts.discard(toDraftOwner(getSeat(res)), { form: 'new', draftId: discarded });
        return redirect(PATH, {
          id: 'draft-discarded',
          text: 'The unfinished entry was discarded.',
        });
      }
      const draftId = parseUuid(readFormText(req, 'submission')) ?? randomUUID();
      const sent = await readEntry(app, req, res, { form: 'new', draftId }, null);
      const entry = { ...sent, values: addFirstChild(sent.values) };
      const { owner, name, values, version, edition, typedUnder } = entry;
      const resume = buildResumePath(draftId);
      return answerBirthForm(app, req, res, {
        posted: entry,
        action: PATH,
        resume,
        hidden: { submission: draftId },
        saveAs: { source: 'manual', submissionId: draftId },
        handoff: { getId: () => draftId, drop: () => drafts.discard(owner, name) },
        keep: async (typed) =>
          isBlank(typed)
            ? null
            : drafts.save(owner, name, { values: typed, version, typedUnder }, edition),
        show: (content, options) => showForm(res, draftId, content, options),
        async replyInstead() {
          if (isSentForReview(req)) return null;
          // Back, or a second click, may post a form that was already saved.
          const before = await drafts.find(owner, name);
          if (before?.isFinished !== true || before.savedAs === undefined) return null;
          const next = isSame(before.values, values)
            ? redirectToRecord(req, res, before.savedAs, app.now())
            : buildRecordedAlready(res, before.savedAs);
          return { draftResult: null, next };
        },
        parse: (now) => parseEntry(entry, now),
        review: (parsed) => buildCheck(app, req, { entry, parsed, action: PATH, resume }),
        async finish(saved) {
          const savedAs = saved.submissionUuid;
          await drafts.finish(owner, name, { values, version: null, savedAs });
          // This person may have reviewed it for a Scribe.
          await app.handoffs.drop(owner.practiceId, draftId);
          flashSaved(req, saved);
        },
      });
    }),

    page(ENTERED_PATH, requireWriter, (req) => {
      const { enteredAt } = req.session;
      if (enteredAt === undefined) return redirect(PATH);
      return {
        title: 'Birth recorded',
        action: (
          <a class="usa-button" href={PATH}>
            Enter another
          </a>
        ),
        children: (
          <p>
            Your last birth was recorded <Time at={new Date(enteredAt)} />. Your role can enter
            births but not view records. If something needs to be corrected, ask an Admin or
            Provider at your practice.
          </p>
        ),
      };
    }),
  );
};

interface NewBirthViewOptions extends Partial<FormViewOptions> {
  readonly begun?: readonly Draft[];
}

const isSame = (one: FormValues, other: FormValues): boolean =>
  Object.keys({ ...one, ...other }).every(
    (key) => (one[key] ?? '').trim() === (other[key] ?? '').trim(),
  );

const buildResumePath = (draftId: string): string => `${PATH}?draft=${draftId}`;

/** Chart number of the record to enter again; empty if none, or if the role may not read it. */
const readChartNumber = async (app: App, req: Request, res: Response): Promise<string> => {
  const recordId = parseUuid(readQueryText(req, 'record'));
  const { practiceId, role } = getSeat(res);
  if (recordId === null || role === 'Scribe') return '';
  const [record] = await app.reads.nameRecords(practiceId, [recordId]);
  if (record === undefined) return '';
  await noteRecordsShown(app, res, { place: 'entry', recordIds: [recordId] });
  return record.chartNumber ?? '';
};
