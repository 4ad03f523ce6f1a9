import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { hasCsrfToken } from '../../web/session/csrf.ts';
import type { PageView } from '../layout/page.tsx';
import { createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { Time } from '../layout/time.tsx';
import {
  ENTERED_PATH,
  flashSaved,
  redirectToRecord,
} from '../parts/birth-form/confirm/after-save.ts';
import {
  buildRecordedAlready,
  createDuplicateCheck,
  NEW_BIRTH_PATH as PATH,
  parseConfirmedAnswers,
} from '../parts/birth-form/confirm/duplicate-checks.tsx';
import {
  createFormSaver,
  type FormRenderer,
  handleFormButtons,
  type SentForm,
} from '../parts/birth-form/confirm/save-form.tsx';
import { toKeptForm } from '../parts/birth-form/drafts/changed-draft.tsx';
import { DraftNotice } from '../parts/birth-form/drafts/draft-notice.tsx';
import { guardBirthForm, ReviewAndResubmit } from '../parts/birth-form/drafts/form-ownership.tsx';
import { isSentForReview, sendForReview } from '../parts/birth-form/drafts/send-for-review.ts';
import {
  applyListButton,
  carryEdition,
  EDITION_FIELD,
  type Entry,
  openEdition,
  parseUuid,
  readCourse,
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
import { carrySettings } from '../parts/birth-form/form/text-settings.ts';
import { buildBirthFormPage } from './birth-form-page.tsx';
import { buildCheck, isReviewed } from './check-answers.tsx';

const TITLE = 'Enter a birth';
/** Start of the notice about an unfinished birth. */
export const BIRTH_IN_PROGRESS = 'You have an unfinished birth';
export const DRAFT_DISCARDED = 'The unfinished birth was discarded.';

const ENTERING = requireRole('Admin', 'Provider', 'Scribe');

/** Entering a birth by hand. */
export const newBirthRouter = (registry: App): Router => {
  const { drafts } = registry;
  const showForm = async (
    res: Response,
    draftId: string,
    content: FormContent,
    {
      status = 200,
      above = null,
      returnTo,
      withDrafts = false,
      edition = openEdition(null),
    }: NewBirthShowing = {},
  ): Promise<PageView> => {
    const begun = withDrafts ? await drafts.begun(toDraftOwner(getSeat(res)), 'new') : [];
    return buildBirthFormPage(registry, res, content, {
      title: TITLE,
      status,
      hasErrors: content.errors.length > 0 || above !== null,
      returnTo,
      above: (
        <>
          <DraftNotice
            drafts={begun}
            action={PATH}
            resume={(draft) => buildResumePath(draft.draftId)}
            text={BIRTH_IN_PROGRESS}
          />
          {above}
        </>
      ),
      action: PATH,
      hidden: { submission: draftId, [EDITION_FIELD]: edition },
      work: 'enter births',
      cancel: '/registry',
      check: '/registry/records/check',
      resume: buildResumePath(draftId),
    });
  };

  const saveForm = createFormSaver(registry);
  const askFirst = createDuplicateCheck(registry);

  const toSentForm = (req: Request, entry: Entry): SentForm => {
    const { owner, name, values, version, edition, typedUnder } = entry;
    const resume = buildResumePath(name.draftId);
    return {
      values,
      async keep(typed) {
        if (isBlank(typed)) return { kind: 'not-kept' };
        const content = { values: typed, version, typedUnder };
        const saved = await drafts.save(owner, name, content, edition);
        return toKeptForm(req, saved, { entry, values: typed, resume });
      },
      resume,
    };
  };

  return createRouter(
    page(PATH, ENTERING, async (req, res) => {
      // Link of version 0.1: removes the chart number from the address bar.
      if (readQueryText(req, 'chart') !== '') return redirect(PATH);
      const draftId = parseUuid(readQueryText(req, 'draft'));
      const owner = toDraftOwner(getSeat(res));
      const draft = draftId === null ? null : await drafts.find(owner, { form: 'new', draftId });
      if (draft !== null && !draft.isFinished) {
        const values = await readDraftValues(registry, getSeat(res), draft);
        const edition = openEdition(draft);
        return showForm(res, draft.draftId, buildFormContent(values), { edition });
      }
      // From a voided record: handled as if typed.
      const chartNumber = await readChartNumber(registry, req, res);
      const content = buildFormContent(chartNumber === '' ? {} : { chart_number: chartNumber });
      return showForm(res, randomUUID(), content, { withDrafts: true });
    }),

    post(PATH, guardBirthForm(ENTERING), async (req, res) => {
      const discarded = parseUuid(readFormText(req, 'discard'));
      const isOurs = hasCsrfToken(req, res);
      if (discarded !== null && isOurs) {
        await drafts.discard(toDraftOwner(getSeat(res)), { form: 'new', draftId: discarded });
        return redirect(PATH, DRAFT_DISCARDED);
      }
      const draftId = parseUuid(readFormText(req, 'submission')) ?? randomUUID();
      const sent = await readEntry(registry, req, res, { form: 'new', draftId }, null);
      const entry = { ...sent, values: addFirstChild(sent.values) };
      const { values } = entry;
      const edition = carryEdition(entry)[EDITION_FIELD];
      if (!isOurs)
        return showForm(res, draftId, buildFormContent(values), {
          above: <ReviewAndResubmit />,
          edition,
        });
      const next = applyListButton(req, values);
      // A blank form is not stored, so it is shown directly.
      if (next !== null && isBlank(values))
        return showForm(res, draftId, buildFormContent(next.values), { edition });
      const returned = await handleFormButtons(req, toSentForm(req, entry));
      if (returned !== null) return returned;
      if (!isSentForReview(req)) return save(req, res, entry);
      const { owner, name } = entry;
      await sendForReview(registry, req, res, { id: draftId, values, isFromFile: false });
      await drafts.discard(owner, name);
      return redirect(PATH);
    }),
    page(ENTERED_PATH, ENTERING, (req) => {
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

  async function save(req: Request, res: Response, entry: Entry): Promise<Reply> {
    const { owner, name, values, customFields } = entry;
    // Back, or a second click, may post a form that was already saved.
    const before = await drafts.find(owner, name);
    if (before?.isFinished === true && before.savedAs !== undefined)
      return isSame(before.values, values)
        ? redirectToRecord(req, res, before.savedAs, registry.now())
        : buildRecordedAlready(res, before.savedAs);
    const answered = parseConfirmedAnswers(req, entry.seat);
    const form = toSentForm(req, entry);
    const { resume: returnTo } = form;
    const fields = {
      ...values,
      submission: name.draftId,
      ...carryEdition(entry),
      ...carrySettings(entry.typedUnder),
    };
    return saveForm(req, res, {
      ...form,
      place: 'entry',
      saveAs: { source: 'manual', submissionId: name.draftId, ...answered },
      read: (now) => readCourse(entry, now),
      review: isReviewed(req)
        ? null
        : (read) => buildCheck(registry, req, { entry, read, action: PATH, resume: returnTo }),
      show: (content, showing) =>
        showForm(res, name.draftId, content, {
          ...showing,
          edition: carryEdition(entry)[EDITION_FIELD],
        }),
      async finish(saved) {
        const savedAs = saved.submissionUuid;
        await drafts.finish(owner, name, { values, version: null, savedAs });
        // This person may have reviewed it for a Scribe.
        await registry.handedOver.drop(owner.practiceId, name.draftId);
        flashSaved(req, saved);
      },
      ask: askFirst(res, { action: PATH, returnTo, fields, answered, customFields }),
    });
  }
};

interface NewBirthShowing extends FormRenderer {
  /** Hidden edition of the draft; of none by default. */
  readonly edition?: string | undefined;
  /** True to offer unfinished births. */
  readonly withDrafts?: boolean;
}

const isSame = (one: FormValues, other: FormValues): boolean =>
  Object.keys({ ...one, ...other }).every(
    (key) => (one[key] ?? '').trim() === (other[key] ?? '').trim(),
  );

const buildResumePath = (draftId: string): string => `${PATH}?draft=${draftId}`;

/** Chart number of the record to enter again; empty if none, or if the role may not read it. */
const readChartNumber = async (registry: App, req: Request, res: Response): Promise<string> => {
  const recordId = parseUuid(readQueryText(req, 'record'));
  const { practiceId, role } = getSeat(res);
  if (recordId === null || role === 'Scribe') return '';
  const [record] = await registry.reads.nameRecords(practiceId, [recordId]);
  if (record === undefined) return '';
  await noteRecordsShown(registry, res, { place: 'entry', recordIds: [recordId] });
  return record.chartNumber ?? '';
};
