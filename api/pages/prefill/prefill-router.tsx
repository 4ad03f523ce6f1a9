import type { Request, Response, Router } from 'express';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import type { PrefillName, SavedPrefill } from '../../../domain/mapping/us-core/prefill.ts';
import { noteChartsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt, createPracticeClock } from '../../practice-time/practice-clock.ts';
import { getEhrBrowser } from '../../web/ehr-browser.ts';
import { readFormText, readFormTexts, readQueryText } from '../../web/form-body.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { buildSignInPath } from '../../web/next-page.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { hasCsrfToken } from '../../web/session/csrf.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { buildFieldId } from '../layout/field-errors.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { formatZone, type PageView } from '../layout/page.tsx';
import { createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { answerBirthForm, type FormViewOptions } from '../parts/birth-form/birth-form-flow.tsx';
import { flashSaved, redirectToRecord } from '../parts/birth-form/confirm/after-save.ts';
import { buildRecordedAlready } from '../parts/birth-form/confirm/duplicate-checks.tsx';
import { holdForOwner } from '../parts/birth-form/drafts/form-ownership.tsx';
import {
  type DraftSaveResult,
  EDITION_FIELD,
  openEdition,
  parseUuid,
} from '../parts/birth-form/form/entry.ts';
import { sendFormCheck } from '../parts/birth-form/form/form-check.ts';
import { buildFormContent, type FormContent } from '../parts/birth-form/form/form-values.ts';
import { buildWhichKey } from '../parts/birth-form/form/times-shown-twice.ts';
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

const TITLE = 'Pre-fill from the EHR';

/**
 * Public until saving, when the signed-in member determines the practice.
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const prefillRouter = (app: App): Router => {
  const { prefills, prefillReviews: reviews } = app;

  const showForm = async (
    req: Request,
    res: Response,
    { primary, as, others }: SelectedCharts,
    content: FormContent,
    { status = 200, above, returnTo, hidden, launches: listed }: PrefillViewOptions,
  ): Promise<PageView> => {
    const [launches, customFields] = await Promise.all([
      listed ?? prefills.list(getEhrBrowser(req) ?? '', getTimeZone(res)),
      listCustomFields(app, res),
    ]);
    await noteCharts(res, [primary, ...others, ...launches]);
    return {
      title: TITLE,
      status,
      hasErrors: status >= 400,
      scripts: ['birth-form.mjs', 'prefill.mjs'],
      returnTo,
      children: (
        <>
          {above}
          <SavingNotice res={res} />
          <PrefillPage
            primary={primary}
            as={as}
            others={others}
            content={content}
            customFields={customFields}
            launches={launches}
            hidden={hidden}
          />
        </>
      ),
    };
  };

  /** A chooser also shows the names of its patients. */
  const noteCharts = (res: Response, launches: readonly SavedPrefill[]): Promise<void> =>
    noteChartsShown(
      app,
      res,
      launches.map(({ prefillId }) => prefillId),
    );

  const keepReview = async (
    name: PrefillName,
    { edition, typedUnder }: PostedReview,
    { as, others }: SelectedCharts,
    values: FormValues,
  ): Promise<DraftSaveResult> => {
    const ids = others.map(({ prefillId }) => prefillId);
    const saved = await reviews.keep(name, { as, values, with: ids, typedUnder }, edition);
    return saved.kind === 'changed'
      ? { kind: saved.kind, draft: { ...saved.review, isFinished: false } }
      : saved;
  };

  /** Pre-fill of this browser that a form refers to. */
  const findPosted = async (req: Request, res: Response) => {
    const browser = getEhrBrowser(req);
    const prefillId = parseUuid(readFormText(req, 'prefill_id'));
    const name = browser === null || prefillId === null ? null : { browser, prefillId };
    const launch =
      name === null ? null : await prefills.find(name.browser, name.prefillId, getTimeZone(res));
    return { name, launch };
  };

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
      : redirectToRecord(req, res, saved.submissionUuid, app.now());
  };

  return createRouter(
    page(PREFILL_PATH, [], async (req, res) => {
      const browser = getEhrBrowser(req) ?? '';
      const idText = readQueryText(req, 'id');
      const launches = await prefills.list(browser, getTimeZone(res));
      const launch = launches.find(({ prefillId }) => idText === '' || prefillId === idText);
      if (launch === undefined) {
        const prefillId = parseUuid(idText);
        const saved = prefillId === null ? null : await reviews.findSaved({ browser, prefillId });
        if (saved !== null) return buildSavedAlready(findOwnRecord(res, saved));
        await noteCharts(res, launches);
        return buildNoPrefill(res, idText !== '', launches);
      }
      const { prefillId } = launch;
      const review = await reviews.find({ browser, prefillId });
      const as = review?.as ?? parseChartRole(readQueryText(req, 'as')) ?? launch.chart.launched;
      if (as === null) {
        await noteCharts(res, launches);
        const children = (
          <>
            <LaunchChooser current={launch} launches={launches} />
            <WhoseChart launch={launch} />
          </>
        );
        return { title: TITLE, children };
      }
      const timeZone = getTimeZone(res);
      const others = await readAddedCharts(app, req, timeZone, review?.with ?? []);
      const values =
        review === null
          ? listOfferedValues(
              buildPrefill({ primary: launch, as, others }),
              createOffsetAt(timeZone),
            )
          : await convertReview(app, req, res, { primary: launch, as, others }, review);
      const isBack = readQueryText(req, 'signed-in') !== '' && toMember(res) !== null;
      const above = isBack ? <ReviewNotice /> : null;
      const content = buildFormContent(values);
      const hidden = { [EDITION_FIELD]: openEdition(review) };
      return showForm(req, res, { primary: launch, as, others }, content, {
        above,
        hidden,
        launches,
      });
    }),

    post(PREFILL_PATH, [holdForOwner], async (req, res) => {
      const { name, launch } = await findPosted(req, res);
      if (name === null || launch === null) return replyWithoutPrefill(req, res, name);
      const drop = () =>
        Promise.all([prefills.drop(name.browser, name.prefillId), reviews.drop(name)]);
      if (readFormText(req, 'discard') !== '' && hasCsrfToken(req, res)) {
        await drop();
        return redirect(PREFILL_PATH, {
          id: 'prefill-discarded',
          text: 'The pre-fill was discarded.',
        });
      }
      const review = await readReview(app, req, res, launch);
      const { as, others, values } = review;
      const { browser, prefillId } = name;
      const resume = buildPrefillPath(prefillId);
      const otherIds = others.map((other) => other.prefillId);
      const keep = (typed: FormValues) => keepReview(name, review, review, typed);
      return answerBirthForm(app, req, res, {
        posted: review,
        action: PREFILL_PATH,
        resume,
        hidden: { prefill_id: prefillId, as, with: otherIds.join(' ') },
        saveAs: {
          source: 'ehr_pull',
          // Equal for every click on one pre-fill, so that it becomes one record.
          submissionId: prefillId,
          prefill: {
            prefillId,
            ehr: new URL(launch.chart.issuer).host,
            ...(otherIds.length === 0 ? {} : { otherIds }),
          },
        },
        handoff: {
          getId: () => app.deriveId('handed-over', getSeat(res).practiceId, prefillId),
          drop,
        },
        keep,
        show: (content, options) => showForm(req, res, review, content, options),
        visitorNotice: <ReviewNotice />,
        async replyToOwnButtons() {
          const charts = await readRequestedCharts(req, res, review);
          if (charts !== null) {
            const refilled = {
              ...listOfferedValues(buildPrefill(charts), createOffsetAt(getTimeZone(res))),
              ...listTypedValues(review.candidates, values),
            };
            const draftResult = await keepReview(name, review, charts, refilled);
            return { draftResult, next: redirect(resume) };
          }
          const hint = findUsedHint(req, review);
          if (hint === null) return null;
          const draftResult = await keep({ ...values, [hint.path]: hint.value });
          return { draftResult, next: redirect(`${resume}#${buildFieldId(hint.path)}`) };
        },
        async replyInstead() {
          if (getSignedIn(res) === null) {
            const signIn = buildSignInPath(`${resume}&signed-in=yes`);
            const text = 'Sign in to save the birth. Everything you typed is kept.';
            const next = redirect(signIn, { id: 'sign-in-to-save', text }, 'info');
            return { draftResult: await keep(values), next };
          }
          const seat = toMember(res);
          if (seat === null || seat.role === 'Viewer')
            throw new PageProblem(
              403,
              'Your role can’t save births',
              'Nothing was saved. An Admin, Provider, or Scribe at your practice can launch from the EHR and save the birth. An Admin can change your role.',
            );
          return null;
        },
        // The form itself shows the source of each value, and one click saves it.
        parse: (now) => readPrefilledCourse(review, res, now),
        async finish(saved) {
          const { practiceId } = getSeat(res);
          const { submissionUuid } = saved;
          // In this order, a second click finds either the pre-fill or the record.
          for (const id of [prefillId, ...otherIds]) {
            const savedAs = { practiceId, submissionUuid, values };
            await reviews.finish({ browser, prefillId: id }, savedAs);
            await prefills.drop(browser, id);
          }
          flashSaved(req, saved);
        },
      });
    }),

    post(`${PREFILL_PATH}/check`, [], async (req, res) => {
      const { name, launch } = await findPosted(req, res);
      if (name === null || launch === null) throw pageNotFound();
      const review = await readReview(app, req, res, launch);
      const { values } = review;
      const saved = await keepReview(name, review, review, values);
      const parsed = readPrefilledCourse(review, res, app.now());
      const times = getTimeFormat(res);
      const dateOrder = toMember(res)?.practice.dateOrder;
      const reading = createPracticeClock(times.timeZone, app.now(), dateOrder);
      sendFormCheck(res, { values, parsed, notices: parsed.notices, saved, times, reading });
      return undefined;
    }),
  );

  /** `null` if no button for the person or the charts was pressed. */
  async function readRequestedCharts(
    req: Request,
    res: Response,
    review: PostedReview,
  ): Promise<SelectedCharts | null> {
    const { primary, as, others } = review;
    const other = parseChartRole(readFormText(req, 'switch'));
    if (other !== null) return { primary, as: other, others: [] };
    const removed = readFormText(req, 'take_out');
    if (removed !== '') {
      const left = others.filter(({ prefillId }) => prefillId !== removed);
      // Without the mother's chart, nothing links two newborns.
      return { primary, as, others: as === 'newborn' && others[0] !== left[0] ? [] : left };
    }
    const added = readFormText(req, 'add_chart');
    if (added === '') return null;
    const launches = await prefills.list(getEhrBrowser(req) ?? '', getTimeZone(res));
    const found = listChartsToAdd(review, launches).filter(({ prefillId }) => prefillId === added);
    return { primary, as, others: [...others, ...found] };
  }
};

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

interface PrefillViewOptions extends FormViewOptions {
  readonly launches?: readonly SavedPrefill[];
}

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

const SavingNotice = ({ res }: { readonly res: Response }) => {
  const who = getSignedIn(res);
  if (who === null)
    return (
      <p class="quiet">
        You can review and change this now. You will sign in when you save, and nothing you typed
        will be lost. Times from the chart are as the EHR sent them, unless they name a time zone.
        Times you enter are in {formatZone(getTimeZone(res))} until you sign in.
      </p>
    );
  const maySave = who.kind === 'member' && who.role !== 'Viewer';
  return maySave ? null : (
    <Notice kind="info" id="viewer-may-not-save">
      You can review this, but your role can’t save births. An Admin, Provider, or Scribe at your
      practice can.
    </Notice>
  );
};

const ReviewNotice = () => (
  <Notice kind="info" id="review-before-saving">
    You are signed in. Nothing is saved yet, but everything you typed is here. Review it, then save
    it.
  </Notice>
);
