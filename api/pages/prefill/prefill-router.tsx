import type { Request, Response, Router } from 'express';
import type { OffsetAt } from '../../../domain/course/practice-clock.ts';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import type {
  PrefillName,
  PrefillReview,
  SavedPrefill,
} from '../../../domain/intake/us-core/prefill.ts';
import { noteChartsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt, createPracticeClock } from '../../practice-time/practice-clock.ts';
import { getEhrBrowser } from '../../web/ehr-browser.ts';
import { readFormText, readFormTexts, readQueryText } from '../../web/form-body.ts';
import { buildSignInPath } from '../../web/next-page.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { readFormOwner } from '../../web/session/csrf.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { buildFieldId } from '../layout/field-errors.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { formatTimesAre, type PageView } from '../layout/page.tsx';
import {
  createRouter,
  page,
  post,
  type Redirect,
  type Reply,
  redirect,
} from '../layout/routes.tsx';
import { flashSaved, redirectToRecord } from '../parts/birth-form/confirm/after-save.ts';
import {
  buildRecordedAlready,
  createDuplicateCheck,
  NEW_BIRTH_PATH,
  parseConfirmedAnswers,
} from '../parts/birth-form/confirm/duplicate-checks.tsx';
import {
  createFormSaver,
  type FormRenderer,
  handleFormButtons,
  type KeptForm,
  type SentForm,
} from '../parts/birth-form/confirm/save-form.tsx';
import { buildChangedDraft } from '../parts/birth-form/drafts/changed-draft.tsx';
import { holdForOwner, ReviewAndResubmit } from '../parts/birth-form/drafts/form-ownership.tsx';
import { isSentForReview, sendForReview } from '../parts/birth-form/drafts/send-for-review.ts';
import { buildEchoes } from '../parts/birth-form/form/echoes.ts';
import {
  carryEdition,
  EDITION_FIELD,
  openEdition,
  parseUuid,
} from '../parts/birth-form/form/entry.ts';
import { buildFormContent, type FormContent } from '../parts/birth-form/form/form-values.ts';
import { carrySettings } from '../parts/birth-form/form/text-settings.ts';
import { buildWhichKey } from '../parts/birth-form/form/times-shown-twice.ts';
import { formatTime } from '../text/format-times.ts';
import { buildPickName } from './ehr-beside.tsx';
import { listOfferedValues, listTypedValues } from './ehr-candidates.ts';
import { buildNoPrefill, buildPrefillGone, buildSavedAlready } from './no-prefill.tsx';
import { LaunchChooser, WhoseChart } from './patient-banner.tsx';
import { PrefillPage } from './prefill-page.tsx';
import {
  buildPrefill,
  buildPrefillPath,
  listChartsToAdd,
  PREFILL_PATH,
  parseChartRole,
  type SelectedCharts,
} from './prefill-place.ts';
import {
  convertReview,
  getTimeFormat,
  getTimeZone,
  listCustomFields,
  type PostedReview,
  readAddedCharts,
  readPrefilledCourse,
  readReview,
  toMember,
} from './read-review.ts';

/** Shown to a role that cannot save. */
export const VIEWER_MESSAGE = 'You can review this, but your role can’t save births.';

/** Asks a person who has just signed in to review the pre-fill. */
export const LOOK_OVER_MESSAGE =
  'You are signed in. Nothing is saved yet, but everything you typed is here. Review it, then save it.';

export const SIGN_IN_TO_SAVE_MESSAGE = 'Sign in to save the birth. Everything you typed is kept.';

export const PREFILL_DISCARDED_MESSAGE = 'The pre-fill was discarded.';

const TITLE = 'Pre-fill from the EHR';

/**
 * Reviews and saves pre-filled births. Public until saving, when the signed-in member determines
 * the practice.
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const prefillRouter = (registry: App): Router => {
  const { prefills, prefillReviews: reviews } = registry;
  const saveForm = createFormSaver(registry);
  const askFirst = createDuplicateCheck(registry);

  const showForm = async (
    req: Request,
    res: Response,
    { kept, as, others, edition, content }: ShownPrefill,
    { status = 200, above = null, returnTo, launches: listed }: PrefillShowing = {},
  ): Promise<PageView> => {
    const [launches, customFields] = await Promise.all([
      listed ?? prefills.list(getEhrBrowser(req) ?? '', getTimeZone(res)),
      listCustomFields(registry, res),
    ]);
    await noteCharts(res, [kept, ...others, ...launches]);
    return {
      title: TITLE,
      showsTimes: true,
      status,
      hasErrors: status >= 400,
      scripts: ['birth-form.mjs', 'prefill.mjs'],
      returnTo,
      children: (
        <>
          {above}
          <SavingNotice res={res} />
          <PrefillPage
            kept={kept}
            as={as}
            others={others}
            content={content}
            customFields={customFields}
            launches={launches}
            edition={edition}
          />
        </>
      ),
    };
  };

  /** A chooser also shows the names of its patients. */
  const noteCharts = (res: Response, shown: readonly SavedPrefill[]): Promise<void> =>
    noteChartsShown(
      registry,
      res,
      shown.map(({ prefillId }) => prefillId),
    );

  /** Carries typed values over to the form for another set of charts. */
  const refillForm = (
    { candidates, values }: PostedReview,
    charts: SelectedCharts,
    offsetAt: OffsetAt,
  ): FormValues => ({
    ...listOfferedValues(buildPrefill(charts), offsetAt),
    ...listTypedValues(candidates, values),
  });

  /** Stores a review, with the question which tab counts if another one has stored it. */
  const keep = async (
    req: Request,
    name: PrefillName,
    { edition, customFields, typedUnder, values: typed }: PostedReview,
    charts: SelectedCharts,
    values: FormValues,
  ): Promise<KeptForm> => {
    const saved = await reviews.keep(
      name,
      { ...toStoredReview(charts, values), typedUnder },
      edition,
    );
    if (saved.kind !== 'changed') return { kind: saved.kind === 'saved' ? 'kept' : 'not-kept' };
    const draft = { ...saved.review, isFinished: false };
    const resume = buildPrefillPath(name.prefillId);
    return {
      kind: 'question',
      page: buildChangedDraft(req, { draft, entry: { customFields }, values: typed, resume }),
    };
  };

  /** Stores a review, then opens a page, unless it has to ask first. */
  const keepAndOpen = async (kept: Promise<KeptForm>, next: Redirect): Promise<Reply> => {
    const outcome = await kept;
    return outcome.kind === 'question' ? outcome.page : next;
  };

  /** Submitted form of a pre-fill. */
  const toSentForm = (req: Request, name: PrefillName, review: PostedReview): SentForm => ({
    values: review.values,
    keep: (typed) => keep(req, name, review, review, typed),
    resume: buildPrefillPath(name.prefillId),
  });

  /** Handles a form without its pre-fill, which was saved by an earlier click or has expired. */
  const replyWithoutPrefill = async (
    req: Request,
    res: Response,
    name: PrefillName | null,
  ): Promise<Reply> => {
    const saved = name === null ? null : await reviews.findSaved(name);
    if (saved === null) return buildPrefillGone(req, res);
    if (saved.practiceId !== toMember(res)?.practiceId) return buildSavedAlready(null);
    return hasOtherValues(req, saved.values ?? {})
      ? buildRecordedAlready(res, saved.submissionUuid)
      : redirectToRecord(req, res, saved.submissionUuid, registry.now());
  };

  return createRouter(
    page(PREFILL_PATH, [], async (req, res) => {
      const browser = getEhrBrowser(req) ?? '';
      const wanted = readQueryText(req, 'id');
      const launches = await prefills.list(browser, getTimeZone(res));
      const kept = launches.find(({ prefillId }) => wanted === '' || prefillId === wanted);
      if (kept === undefined) {
        const prefillId = parseUuid(wanted);
        const saved = prefillId === null ? null : await reviews.findSaved({ browser, prefillId });
        if (saved !== null) return buildSavedAlready(findOwnRecord(res, saved));
        await noteCharts(res, launches);
        return buildNoPrefill(res, wanted !== '', launches);
      }
      const { prefillId } = kept;
      const review = await reviews.find({ browser, prefillId });
      const as = review?.as ?? parseChartRole(readQueryText(req, 'as')) ?? kept.chart.launched;
      if (as === null) {
        await noteCharts(res, launches);
        const children = (
          <>
            <LaunchChooser shown={kept} launches={launches} />
            <WhoseChart kept={kept} />
          </>
        );
        return { title: TITLE, showsTimes: true, children };
      }
      const timeZone = getTimeZone(res);
      const others = await readAddedCharts(registry, req, timeZone, review?.with ?? []);
      const values =
        review === null
          ? listOfferedValues(buildPrefill({ kept, as, others }), createOffsetAt(timeZone))
          : await convertReview(registry, req, res, { kept, as, others }, review);
      const isBack = readQueryText(req, 'signed-in') !== '' && toMember(res) !== null;
      const above = isBack ? <ReviewNotice /> : null;
      const content = buildFormContent(values);
      const edition = openEdition(review);
      return showForm(req, res, { kept, as, others, edition, content }, { above, launches });
    }),

    post(PREFILL_PATH, [holdForOwner], async (req, res) => {
      const name = readPrefillName(req);
      const kept =
        name === null ? null : await prefills.find(name.browser, name.prefillId, getTimeZone(res));
      if (name === null || kept === null) return replyWithoutPrefill(req, res, name);
      const review = await readReview(registry, req, res, kept);
      const { values } = review;
      const opener = readFormOwner(req, res);
      if (opener !== 'sender') {
        // Shows everything typed, to be submitted again.
        const content = buildFormContent(values);
        const above = opener === 'visitor' ? <ReviewNotice /> : <ReviewAndResubmit />;
        return showForm(
          req,
          res,
          { ...review, edition: formatCarried(review), content },
          { above },
        );
      }
      if (readFormText(req, 'discard') !== '') {
        await Promise.all([prefills.drop(name.browser, name.prefillId), reviews.drop(name)]);
        return redirect(PREFILL_PATH, PREFILL_DISCARDED_MESSAGE);
      }
      const charts = await readRequestedCharts(req, res, review);
      if (charts !== null) {
        const refilled = refillForm(review, charts, createOffsetAt(getTimeZone(res)));
        return keepAndOpen(
          keep(req, name, review, charts, refilled),
          redirect(buildPrefillPath(name.prefillId)),
        );
      }
      const hint = findUsedHint(req, review);
      if (hint !== null) {
        return keepAndOpen(
          keep(req, name, review, review, { ...values, [hint.path]: hint.value }),
          redirect(`${buildPrefillPath(name.prefillId)}#${buildFieldId(hint.path)}`),
        );
      }
      const returned = await handleFormButtons(req, toSentForm(req, name, review));
      if (returned !== null) return returned;
      if (getSignedIn(res) === null) {
        return keepAndOpen(
          keep(req, name, review, review, values),
          redirect(
            buildSignInPath(`${buildPrefillPath(name.prefillId)}&signed-in=yes`),
            SIGN_IN_TO_SAVE_MESSAGE,
            'info',
          ),
        );
      }
      return save(req, res, name, review);
    }),

    post(`${PREFILL_PATH}/check`, [], async (req, res) => {
      const name = readPrefillName(req);
      const kept =
        name === null ? null : await prefills.find(name.browser, name.prefillId, getTimeZone(res));
      if (name === null || kept === null) throw pageNotFound();
      const review = await readReview(registry, req, res, kept);
      const { values, typedUnder } = review;
      const times = getTimeFormat(res);
      const { timeZone } = times;
      const dateOrder = toMember(res)?.practice.dateOrder;
      const stored = { ...toStoredReview(review, values), typedUnder };
      const saved = await reviews.keep(name, stored, review.edition);
      const read = readPrefilledCourse(review, timeZone, registry.now(), dateOrder);
      res.json({
        errors: read.kind === 'refused' ? read.errors : [],
        notices: read.notices,
        echoes: buildEchoes(
          values,
          times,
          createPracticeClock(timeZone, registry.now(), dateOrder),
        ),
        savedAt: saved.kind === 'saved' ? formatTime(saved.at, times) : null,
        isChangedElsewhere: saved.kind === 'changed',
      });
      return undefined;
    }),
  );

  async function save(
    req: Request,
    res: Response,
    name: PrefillName,
    review: PostedReview,
  ): Promise<Reply> {
    const seat = toMember(res);
    if (seat === null || seat.role === 'Viewer') throw refuseSaving();
    const { kept, as, others, values, customFields } = review;
    const { browser, prefillId } = name;
    const otherIds = others.map((other) => other.prefillId);
    const { practiceId } = seat;
    if (isSentForReview(req)) {
      const id = registry.idOf('handed-over', practiceId, prefillId);
      await sendForReview(registry, req, res, { id, values, isFromFile: false });
      await Promise.all([prefills.drop(browser, prefillId), reviews.drop(name)]);
      return redirect(NEW_BIRTH_PATH);
    }
    const answered = parseConfirmedAnswers(req, seat);
    const form = toSentForm(req, name, review);
    const { resume: returnTo } = form;
    const fields = {
      ...values,
      ...carryEdition(review),
      ...carrySettings(review.typedUnder),
      prefill_id: prefillId,
      as,
      with: otherIds.join(' '),
    };
    return saveForm(req, res, {
      ...form,
      place: 'entry',
      // Equal for every click on one pre-fill, so that it becomes one record.
      saveAs: {
        source: 'ehr_pull',
        submissionId: prefillId,
        prefill: {
          prefillId,
          ehr: new URL(kept.chart.issuer).host,
          ...(otherIds.length === 0 ? {} : { otherIds }),
        },
        ...answered,
      },
      read: (now) => readPrefilledCourse(review, getTimeZone(res), now, seat.practice.dateOrder),
      // The form itself shows the source of each value, and one click saves it.
      review: null,
      show: (content, showing) =>
        showForm(req, res, { ...review, edition: formatCarried(review), content }, showing),
      async finish(saved) {
        // In this order, a second click finds either the pre-fill or the record.
        for (const id of [prefillId, ...otherIds]) {
          const savedAs = { practiceId, submissionUuid: saved.submissionUuid, values };
          await reviews.finish({ browser, prefillId: id }, savedAs);
          await prefills.drop(browser, id);
        }
        flashSaved(req, saved);
      },
      ask: askFirst(res, { action: PREFILL_PATH, returnTo, fields, answered, customFields }),
    });
  }

  /**
   * Charts after a button changed the person, added a chart, or removed one; `null` if none of
   * these buttons was pressed.
   */
  async function readRequestedCharts(
    req: Request,
    res: Response,
    review: PostedReview,
  ): Promise<SelectedCharts | null> {
    const { kept, as, others } = review;
    const other = parseChartRole(readFormText(req, 'switch'));
    if (other !== null) return { kept, as: other, others: [] };
    const removed = readFormText(req, 'take_out');
    if (removed !== '') {
      const left = others.filter(({ prefillId }) => prefillId !== removed);
      // Without the mother's chart, nothing links two newborns.
      return { kept, as, others: as === 'newborn' && others[0] !== left[0] ? [] : left };
    }
    const added = readFormText(req, 'add_chart');
    if (added === '') return null;
    const launches = await prefills.list(getEhrBrowser(req) ?? '', getTimeZone(res));
    const found = listChartsToAdd(review, launches).filter(({ prefillId }) => prefillId === added);
    return { kept, as, others: [...others, ...found] };
  }
};

/** Hidden edition that a form came with; empty for a page of 0.2. */
const formatCarried = (review: PostedReview): string => carryEdition(review)[EDITION_FIELD] ?? '';

/** True if a form has a value other than the saved one. Values with a choice beside them do not count. */
const hasOtherValues = (req: Request, saved: FormValues): boolean =>
  Object.entries(saved).some(([key, text]) => {
    const typed = readFormTexts(req, key);
    const isChosen = [buildPickName(key), buildWhichKey(key)].some(
      (name) => readFormTexts(req, name).length > 0,
    );
    return typed.length > 0 && !isChosen && sortAnswers(typed.join(';')) !== sortAnswers(text);
  });

const sortAnswers = (text: string): string =>
  text
    .split(';')
    .map((answer) => answer.trim())
    .sort()
    .join(';');

/** Stored part of a review. */
const toStoredReview = ({ as, others }: SelectedCharts, values: FormValues): PrefillReview => ({
  as,
  values,
  with: others.map(({ prefillId }) => prefillId),
});

/** Hint in words that a person copies into its field. */
const findUsedHint = (
  req: Request,
  { prefill }: PostedReview,
): { readonly path: string; readonly value: string } | null => {
  const used = readFormText(req, 'use');
  for (const { path, value } of prefill.hints)
    if (path !== null && value !== undefined && used === `${path}=${value}`) return { path, value };
  return null;
};

interface ShownPrefill extends SelectedCharts {
  readonly content: FormContent;
  /** Hidden edition of the review. */
  readonly edition: string;
}

interface PrefillShowing extends FormRenderer {
  /** Pre-fills of the browser, if already loaded. */
  readonly launches?: readonly SavedPrefill[];
}

/** Pre-fill of this browser that a form refers to. */
const readPrefillName = (req: Request): PrefillName | null => {
  const browser = getEhrBrowser(req);
  const prefillId = parseUuid(readFormText(req, 'prefill_id'));
  return browser === null || prefillId === null ? null : { browser, prefillId };
};

/** Record that a pre-fill became, if the reader may see it. */
const findOwnRecord = (
  res: Response,
  saved: { readonly practiceId: string; readonly submissionUuid: string },
): string | null => {
  const seat = toMember(res);
  return seat !== null && seat.role !== 'Scribe' && seat.practiceId === saved.practiceId
    ? saved.submissionUuid
    : null;
};

export const refuseSaving = (): PageProblem =>
  new PageProblem(
    403,
    'Your role can’t save births',
    'Nothing was saved. An Admin, Provider, or Scribe at your practice can launch from the EHR and save the birth. An Admin can change your role.',
  );

/** Explains who can save. */
const SavingNotice = ({ res }: { readonly res: Response }) => {
  const who = getSignedIn(res);
  if (who === null)
    return (
      <p class="quiet">
        You can review and change this now. You will sign in when you save, and nothing you typed
        will be lost. {formatTimesAre(getTimeZone(res))} until you sign in.
      </p>
    );
  const maySave = who.kind === 'member' && who.role !== 'Viewer';
  return maySave ? null : (
    <Notice kind="info">
      {VIEWER_MESSAGE} An Admin, Provider, or Scribe at your practice can.
    </Notice>
  );
};

const ReviewNotice = () => <Notice kind="info">{LOOK_OVER_MESSAGE}</Notice>;
