import { type Request, type Response, Router } from 'express';
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
import { hasCsrfToken } from '../../web/csrf.ts';
import { ehrBrowserOf } from '../../web/ehr-browser.ts';
import { flash } from '../../web/flash.ts';
import { formText, queryText } from '../../web/form-body.ts';
import { openerOf } from '../../web/form-seat.ts';
import { signInFor } from '../../web/next-page.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { echoesOf } from '../birth-form/echoes.ts';
import { uuidIn } from '../birth-form/entry.ts';
import { type FormContent, formContent } from '../birth-form/form-values.ts';
import { handOver, isHandedOver } from '../birth-form/hand-over.ts';
import { answeredIn, askFirstWith, NEW_BIRTH_PATH } from '../birth-form/new-birth-answers.tsx';
import {
  holdForItsOwner,
  refuseToOthers,
  refuseUnsaid,
  SendAgain,
} from '../birth-form/own-form.tsx';
import { leadBack, type SentForm, type Showing, saveFormWith } from '../birth-form/save-form.tsx';
import { landOnRecord, sayRecorded } from '../birth-form/what-was-saved.ts';

import { fieldId } from '../frame/field-errors.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { momentText } from '../frame/time.tsx';
import { offeredValues, typedBeside } from './ehr-candidates.ts';
import { sendNoPrefill, sendPrefillGone, sendSavedAlready } from './no-prefill.tsx';
import { LaunchChooser, WhoseChart } from './patient-banner.tsx';
import { PrefillPage } from './prefill-page.tsx';
import {
  chartsToAdd,
  PREFILL_PATH,
  prefillAt,
  prefillOf,
  type TakenCharts,
  takenAs,
} from './prefill-place.ts';
import {
  addedCharts,
  customFieldsFor,
  memberOf,
  type PostedReview,
  readPrefilledCourse,
  readReview,
  zoneOf,
} from './read-review.ts';

/** Shown to a seat that cannot save. */
export const VIEWER_MESSAGE = 'You can look this over, but your seat does not save births.';

/** Asks a person who has just signed in to review the pre-fill. */
export const LOOK_OVER_MESSAGE =
  'You are signed in. Nothing is saved yet, and everything that you typed is here: look it over, then save it.';

export const SIGN_IN_TO_SAVE_MESSAGE =
  'Sign in to save the pre-fill. Everything that you typed is kept.';

export const PREFILL_DISCARDED_MESSAGE = 'The pre-fill was discarded.';

const TITLE = 'Pre-fill from the EHR';

/**
 * Reviews and saves pre-filled births. Public until saving, when the signed-in member determines
 * the practice.
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const prefillRouter = (registry: App): Router => {
  const { prefills, prefillReviews: reviews } = registry;
  const saveForm = saveFormWith(registry);
  const askFirst = askFirstWith(registry);

  const showForm = async (
    req: Request,
    res: Response,
    { kept, as, others, content }: Shown,
    { status = 200, above = null, returnTo, launches: listed }: PrefillShowing = {},
  ): Promise<void> => {
    const [launches, customFields] = await Promise.all([
      listed ?? prefills.list(ehrBrowserOf(req) ?? '', zoneOf(res)),
      customFieldsFor(registry, res),
    ]);
    await noteCharts(res, [kept, ...others, ...launches]);
    const isWrong = status >= 400;
    sendPage(
      req,
      res,
      {
        title: TITLE,
        isRefused: isWrong,
        scripts: ['birth-form.mjs', 'prefill.mjs'],
        returnTo,
        children: (
          <>
            {above}
            <WhoSaves res={res} />
            <PrefillPage
              kept={kept}
              as={as}
              others={others}
              content={content}
              customFields={customFields}
              launches={launches}
            />
          </>
        ),
      },
      status,
    );
  };

  /** A chooser also shows the names of its patients. */
  const noteCharts = (res: Response, shown: readonly SavedPrefill[]): Promise<void> =>
    noteChartsShown(
      registry,
      res,
      shown.map(({ prefillId }) => prefillId),
    );

  /** Carries typed values over to the form for another set of charts. */
  const takenOtherwise = (
    { candidates, values }: PostedReview,
    charts: TakenCharts,
    offsetAt: OffsetAt,
  ): FormValues => ({
    ...offeredValues(prefillOf(charts), offsetAt),
    ...typedBeside(candidates, values),
  });

  /** Submitted form of a pre-fill. */
  const formOf = (name: PrefillName, review: PostedReview): SentForm => ({
    values: review.values,
    keep: (typed) => reviews.keep(name, keptReview(review, typed)),
    resume: prefillAt(name.prefillId),
  });

  /** Handles a form without its pre-fill, which was saved by an earlier click or has expired. */
  const answerWithoutPrefill = async (
    req: Request,
    res: Response,
    name: PrefillName | null,
  ): Promise<void> => {
    const saved = name === null ? null : await reviews.findSaved(name);
    if (saved === null) sendPrefillGone(req, res);
    else if (saved.practiceId === memberOf(res)?.practiceId)
      landOnRecord(req, res, saved.submissionUuid, registry.now());
    else sendSavedAlready(req, res, null);
  };

  return Router()
    .get(PREFILL_PATH, async (req, res) => {
      const browser = ehrBrowserOf(req) ?? '';
      const wanted = queryText(req, 'id');
      const launches = await prefills.list(browser, zoneOf(res));
      const kept = launches.find(({ prefillId }) => wanted === '' || prefillId === wanted);
      if (kept === undefined) {
        const prefillId = uuidIn(wanted);
        const saved = prefillId === null ? null : await reviews.findSaved({ browser, prefillId });
        if (saved !== null) sendSavedAlready(req, res, ownRecord(res, saved));
        else {
          await noteCharts(res, launches);
          sendNoPrefill(req, res, { isGone: wanted !== '', launches });
        }
        return;
      }
      const { prefillId } = kept;
      const review = await reviews.find({ browser, prefillId });
      const as = review?.as ?? takenAs(queryText(req, 'as')) ?? kept.chart.launched;
      if (as === null) {
        await noteCharts(res, launches);
        const children = (
          <>
            <LaunchChooser shown={kept} launches={launches} />
            <WhoseChart kept={kept} />
          </>
        );
        sendPage(req, res, { title: TITLE, children });
        return;
      }
      const others = await addedCharts(registry, req, res, review?.with ?? []);
      const values =
        review?.values ??
        offeredValues(prefillOf({ kept, as, others }), createOffsetAt(zoneOf(res)));
      const isBack = queryText(req, 'signed-in') !== '' && memberOf(res) !== null;
      const above = isBack ? <LookOver /> : null;
      const content = formContent(values);
      await showForm(req, res, { kept, as, others, content }, { above, launches });
    })

    .post(PREFILL_PATH, holdForItsOwner, refuseUnsaid, async (req, res) => {
      const name = nameIn(req);
      const kept =
        name === null ? null : await prefills.find(name.browser, name.prefillId, zoneOf(res));
      if (name === null || kept === null) {
        await answerWithoutPrefill(req, res, name);
        return;
      }
      const review = await readReview(registry, req, res, kept);
      const { values } = review;
      const isFromBefore = openerOf(req, res) === 'nobody';
      if (!hasCsrfToken(req)) {
        // Sent before the person signed in or out: shows everything typed, to be submitted again.
        const content = formContent(values);
        const above = isFromBefore ? <LookOver /> : <SendAgain />;
        await showForm(req, res, { ...review, content }, { above });
        return;
      }
      if (formText(req, 'discard') !== '') {
        await Promise.all([prefills.drop(name.browser, name.prefillId), reviews.drop(name)]);
        flash(req, 'success', PREFILL_DISCARDED_MESSAGE);
        res.redirect(303, PREFILL_PATH);
        return;
      }
      const otherwise = await chartsAsAsked(req, res, review);
      if (otherwise !== null) {
        await reviews.keep(
          name,
          keptReview(otherwise, takenOtherwise(review, otherwise, createOffsetAt(zoneOf(res)))),
        );
        res.redirect(303, prefillAt(name.prefillId));
        return;
      }
      const used = usedHint(req, review);
      if (used !== null) {
        await reviews.keep(name, keptReview(review, { ...values, [used.path]: used.value }));
        res.redirect(303, `${prefillAt(name.prefillId)}#${fieldId(used.path)}`);
        return;
      }
      if (await leadBack(req, res, formOf(name, review))) return;
      if (signedInOf(res) === null) {
        await reviews.keep(name, keptReview(review, values));
        flash(req, 'info', SIGN_IN_TO_SAVE_MESSAGE);
        res.redirect(303, signInFor(`${prefillAt(name.prefillId)}&signed-in=yes`));
        return;
      }
      if (isFromBefore) {
        // The form's script adds the current CSRF token, so the person must review the form before
        // saving.
        const content = formContent(values);
        await showForm(req, res, { ...review, content }, { above: <LookOver /> });
        return;
      }
      await save(req, res, name, review);
    })

    .post(`${PREFILL_PATH}/check`, refuseToOthers, async (req, res) => {
      const name = nameIn(req);
      const kept =
        name === null ? null : await prefills.find(name.browser, name.prefillId, zoneOf(res));
      if (name === null || kept === null) throw pageNotFound();
      const review = await readReview(registry, req, res, kept);
      const { values } = review;
      const timeZone = zoneOf(res);
      const dateOrder = memberOf(res)?.practice.dateOrder;
      const savedAt = await reviews.keep(name, keptReview(review, values));
      const read = readPrefilledCourse(review, timeZone, registry.now(), dateOrder);
      res.json({
        errors: read.kind === 'refused' ? read.errors : [],
        notices: read.notices,
        echoes: echoesOf(
          values,
          timeZone,
          createPracticeClock(timeZone, registry.now(), dateOrder),
        ),
        savedAt: savedAt === null ? null : momentText(savedAt, timeZone),
      });
    });

  async function save(
    req: Request,
    res: Response,
    name: PrefillName,
    review: PostedReview,
  ): Promise<void> {
    const seat = memberOf(res);
    if (seat === null || seat.role === 'Viewer') throw mayNotSave();
    const { kept, as, others, values, customFields } = review;
    const { browser, prefillId } = name;
    const otherIds = others.map((other) => other.prefillId);
    const { practiceId } = seat;
    if (isHandedOver(req)) {
      const id = registry.idOf('handed-over', practiceId, prefillId);
      await handOver(registry, req, res, { id, values, isFromFile: false });
      await prefills.drop(browser, prefillId);
      res.redirect(303, NEW_BIRTH_PATH);
      return;
    }
    const answered = answeredIn(req, seat);
    const form = formOf(name, review);
    const { resume: returnTo } = form;
    const fields = { ...values, prefill_id: prefillId, as, with: otherIds.join(' ') };
    await saveForm(req, res, {
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
      read: (now) => readPrefilledCourse(review, zoneOf(res), now, seat.practice.dateOrder),
      // The form itself shows the source of each value, and one click saves it.
      review: null,
      show: (content, showing) => showForm(req, res, { ...review, content }, showing),
      async finish(saved) {
        // In this order, a second click finds either the pre-fill or the record.
        for (const id of [prefillId, ...otherIds]) {
          const savedAs = { practiceId, submissionUuid: saved.submissionUuid };
          await reviews.finish({ browser, prefillId: id }, savedAs);
          await prefills.drop(browser, id);
        }
        sayRecorded(req, saved);
      },
      ask: askFirst(req, res, { action: PREFILL_PATH, returnTo, fields, answered, customFields }),
    });
  }

  /**
   * Charts after a button changed the person, added a chart, or removed one; `null` if none of
   * these buttons was pressed.
   */
  async function chartsAsAsked(
    req: Request,
    res: Response,
    review: PostedReview,
  ): Promise<TakenCharts | null> {
    const { kept, as, others } = review;
    const other = takenAs(formText(req, 'switch'));
    if (other !== null) return { kept, as: other, others: [] };
    const removed = formText(req, 'take_out');
    if (removed !== '') {
      const left = others.filter(({ prefillId }) => prefillId !== removed);
      // Without the mother's chart, nothing links two newborns.
      return { kept, as, others: as === 'newborn' && others[0] !== left[0] ? [] : left };
    }
    const added = formText(req, 'add_chart');
    if (added === '') return null;
    const launches = await prefills.list(ehrBrowserOf(req) ?? '', zoneOf(res));
    const found = chartsToAdd(review, launches).filter(({ prefillId }) => prefillId === added);
    return { kept, as, others: [...others, ...found] };
  }
};

/** Stored part of a review. */
const keptReview = ({ as, others }: TakenCharts, values: FormValues): PrefillReview => ({
  as,
  values,
  with: others.map(({ prefillId }) => prefillId),
});

/** Hint in words that a person copies into its field. */
const usedHint = (
  req: Request,
  { prefill }: PostedReview,
): { readonly path: string; readonly value: string } | null => {
  const used = formText(req, 'use');
  for (const { path, value } of prefill.hints)
    if (path !== null && value !== undefined && used === `${path}=${value}`) return { path, value };
  return null;
};

interface Shown extends TakenCharts {
  readonly content: FormContent;
}

interface PrefillShowing extends Showing {
  /** Pre-fills of the browser, if already loaded. */
  readonly launches?: readonly SavedPrefill[];
}

/** Pre-fill of this browser that a form refers to. */
const nameIn = (req: Request): PrefillName | null => {
  const browser = ehrBrowserOf(req);
  const prefillId = uuidIn(formText(req, 'prefill_id'));
  return browser === null || prefillId === null ? null : { browser, prefillId };
};

/** Record that a pre-fill became, if the reader may see it. */
const ownRecord = (
  res: Response,
  saved: { readonly practiceId: string; readonly submissionUuid: string },
): string | null => {
  const seat = memberOf(res);
  return seat !== null && seat.role !== 'Scribe' && seat.practiceId === saved.practiceId
    ? saved.submissionUuid
    : null;
};

export const mayNotSave = (): PageProblem =>
  new PageProblem(
    403,
    'Your seat does not save births',
    'Nothing was saved. An Admin, a Provider or a Scribe of your practice can launch from the EHR and save the birth; an Admin can give you another seat.',
  );

/** Explains who can save. */
const WhoSaves = ({ res }: { readonly res: Response }) => {
  const who = signedInOf(res);
  if (who === null)
    return (
      <p class="quiet">
        You can look this over and change it now. Saving asks you to sign in; nothing that you typed
        is lost.
      </p>
    );
  const maySave = who.kind === 'member' && who.role !== 'Viewer';
  return maySave ? null : (
    <Notice kind="info">
      {VIEWER_MESSAGE} An Admin, a Provider or a Scribe of the practice can.
    </Notice>
  );
};

const LookOver = () => <Notice kind="info">{LOOK_OVER_MESSAGE}</Notice>;
