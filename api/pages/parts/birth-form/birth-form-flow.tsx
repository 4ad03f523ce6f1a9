import type { Request, Response } from 'express';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import type { Rejection } from '../../../../domain/course/rejections.ts';
import type { FormValues } from '../../../../domain/mapping/form/form-fields.ts';
import type { ParsedCourse } from '../../../../domain/mapping/form/parse-course.ts';
import type { NamedRecord } from '../../../../projections/lists/records.ts';
import type { App } from '../../../ports/app-ports.ts';
import {
  type CourseToSave,
  type SavedCourse,
  saveCourse,
} from '../../../record-commands/save-course.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireSeatAgain } from '../../../web/guards/seats.ts';
import { checkFormToken } from '../../../web/session/csrf.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { buildFieldId } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import type { PageView } from '../../layout/page.tsx';
import { type Reply, redirect } from '../../layout/routes.tsx';
import { flashUnusualValues, formatSaveRejection, redirectToRecord } from './confirm/after-save.ts';
import { formatTypedDifferences } from './confirm/compare-births.ts';
import { ConfirmationForm, RecordLinks } from './confirm/confirmation-form.tsx';
import {
  askAboutDuplicate,
  NEW_BIRTH_PATH,
  parseConfirmedAnswers,
  type UnansweredCourse,
} from './confirm/duplicate-checks.tsx';
import { ReviewAndResubmit, readTypedValues } from './drafts/form-ownership.tsx';
import { isSentForReview, sendForReview } from './drafts/send-for-review.ts';
import {
  applyListButton,
  carryEdition,
  type DraftSaveResult,
  EDITION_FIELD,
  type Entry,
  openEdition,
} from './form/entry.ts';
import {
  addFirstChild,
  buildFormContent,
  type FormContent,
  locateNotices,
} from './form/form-values.ts';
import { loadRecordNames } from './form/record-names.ts';
import { carrySettings } from './form/text-settings.ts';

type Hidden = Readonly<Record<string, string>>;

export interface FormViewOptions {
  readonly status?: number;
  readonly above?: preact.JSX.Element | null;
  readonly returnTo?: string | undefined;
  readonly hidden: Hidden;
}

/** Reply that takes the place of saving. If another tab has changed the draft, it asks first. */
interface EarlyReply {
  readonly draftResult: DraftSaveResult | null;
  /** Stored values, if a button changed them. */
  readonly values?: FormValues;
  readonly next: Reply;
}

/** Form without errors. */
export type ValidCourse = Extract<ParsedCourse, { readonly kind: 'course' }>;

export interface PostedBirthForm {
  readonly posted: Pick<Entry, 'values' | 'customFields' | 'edition' | 'typedUnder'>;
  readonly action: string;
  readonly resume: string;
  readonly hidden: Hidden;
  /** Stores values as the draft; `null` for blank ones, which have none. */
  readonly keep: (values: FormValues) => Promise<DraftSaveResult | null>;
  readonly parse: (now: Date) => ParsedCourse;
  /** A new birth has no target: the answers to its questions determine it. */
  readonly saveAs: Pick<CourseToSave, 'source' | 'submissionId' | 'prefill' | 'reason'> &
    Partial<Pick<CourseToSave, 'target'>>;
  /** Deletes the draft and announces the result. */
  readonly finish: (saved: Extract<SavedCourse, { readonly kind: 'saved' }>) => Promise<void>;
  /** For a birth that can be sent for review: its id there, and the deletion of its draft. */
  readonly handoff?: { readonly getId: () => string; readonly drop: () => Promise<unknown> };
  readonly show: (content: FormContent, options: FormViewOptions) => Promise<PageView>;
  readonly visitorNotice?: preact.JSX.Element;
  readonly replyToOwnButtons?: () => Promise<EarlyReply | null>;
  /** Reply to a form that cannot be saved now; `null` if it can. */
  readonly replyInstead?: () => Promise<EarlyReply | null>;
  readonly review?: (parsed: ValidCourse) => Promise<Reply>;
  /** @param carried all values and hidden fields */
  readonly ask?: (
    unanswered: UnansweredCourse,
    course: CourseOfCare,
    carried: Hidden,
  ) => Promise<Reply>;
}

export const answerBirthForm = async (
  app: App,
  req: Request,
  res: Response,
  form: PostedBirthForm,
): Promise<Reply> => {
  const { posted, action, resume, handoff } = form;
  const { values, customFields } = posted;
  const hidden = { ...form.hidden, ...carryEdition(posted) };
  const check = checkFormToken(req, res);
  if (check !== 'sender') {
    const notice = check === 'visitor' ? form.visitorNotice : undefined;
    const above = notice ?? <ReviewAndResubmit />;
    return form.show(buildFormContent(values), { above, hidden });
  }
  const early =
    (await form.replyToOwnButtons?.()) ??
    (await replyToButtons(req, form, hidden)) ??
    (await form.replyInstead?.()) ??
    null;
  if (early?.draftResult?.kind === 'changed')
    return buildChangedDraft(req, form, early.draftResult, early.values);
  if (early !== null) return early.next;
  if (handoff !== undefined && isSentForReview(req)) {
    await sendForReview(app, req, res, { id: handoff.getId(), values, isFromFile: false });
    await handoff.drop();
    return redirect(NEW_BIRTH_PATH);
  }

  const draftResult = await form.keep(values);
  if (draftResult?.kind === 'changed') return buildChangedDraft(req, form, draftResult);
  const show = (content: FormContent, options: Omit<FormViewOptions, 'hidden'>): Promise<Reply> =>
    form.show(content, {
      ...options,
      hidden,
      returnTo: draftResult?.kind === 'saved' ? resume : undefined,
    });
  const seat = getSeat(res);
  const parsed = form.parse(app.now());
  if (parsed.kind === 'refused')
    return show(buildFormContent(values, parsed.errors, locateNotices(parsed)), { status: 422 });
  if (form.review !== undefined && !isReviewed(req)) return form.review(parsed);
  const answered = parseConfirmedAnswers(req, seat);
  const saved = await nullIfLeaseUnavailable(
    saveCourse(app, {
      practiceId: seat.practiceId,
      actor: { kind: 'member', id: seat.memberId },
      correlationId: String(res.locals['correlationId']),
      requirePermission: () => requireSeatAgain(res),
      course: parsed.course,
      ...answered,
      ...form.saveAs,
    }),
  );
  if (saved === null) return show(buildFormContent(values), { status: 503, above: <Busy /> });
  switch (saved.kind) {
    case 'saved':
      await form.finish(saved);
      flashUnusualValues(req, parsed);
      return redirectToRecord(req, res, saved.submissionUuid, app.now());
    case 'refused': {
      const place = form.saveAs.target === undefined ? 'entry' : 'correction';
      const records = await loadRecordNames(app, res, place, saved.matches);
      const above = <Refusal rejection={saved.rejection} records={records ?? []} />;
      return show(buildFormContent(values), { status: 422, above });
    }
    default: {
      const carried = { ...values, ...hidden, ...carrySettings(posted.typedUnder) };
      if (form.ask !== undefined) return form.ask(saved, parsed.course, carried);
      const asking = { action, returnTo: resume, fields: carried, answered, customFields };
      return askAboutDuplicate(app, res, asking, saved, parsed.course);
    }
  }
};

/** The draft stays unchanged until the person chooses. @param values with a reason if it is a correction */
const buildChangedDraft = (
  req: Request,
  { posted, resume }: PostedBirthForm,
  { draft }: Extract<DraftSaveResult, { readonly kind: 'changed' }>,
  values = posted.values,
): PageView => {
  const { isFinished } = draft;
  const differences = isFinished
    ? []
    : formatTypedDifferences(draft.values, values, posted.customFields);
  return {
    title: `You ${isFinished ? 'discarded' : 'changed'} this form in another tab`,
    status: 409,
    children: (
      <ConfirmationForm
        action={req.path}
        carried={{ ...readTypedValues(req), [EDITION_FIELD]: openEdition(draft) }}
      >
        <p data-message={isFinished ? 'discarded-elsewhere' : 'changed-elsewhere'}>
          {isFinished
            ? 'Everything you typed in this tab is still here, but it is not saved.'
            : 'Nothing is lost. Choose the version to continue with: it replaces the other one.'}
        </p>
        {differences.length > 0 && (
          <DataTable
            caption="Differences between the two tabs"
            captionHidden
            rows={differences}
            keyOf={({ path }) => path}
            columns={[
              { heading: 'Value', namesRow: true, cell: ({ label }) => label },
              { heading: 'In the other tab', cell: ({ from }) => from ?? 'Blank' },
              { heading: 'In this tab', cell: ({ to }) => to ?? 'Blank' },
            ]}
          />
        )}
        <div class="buttons">
          <button type="submit" name="back" value="yes" class="usa-button">
            Continue with this tab
          </button>
          <a class="usa-button usa-button--outline" href={isFinished ? '/registry' : resume}>
            {isFinished ? 'Discard this tab, too' : 'Continue with the other tab'}
          </a>
        </div>
      </ConfirmationForm>
    ),
  };
};

/** Handles the buttons that return to the form, possibly with one child or transfer more or less. */
const replyToButtons = async (
  req: Request,
  { posted: { values }, keep, show, resume }: PostedBirthForm,
  hidden: Hidden,
): Promise<EarlyReply | null> => {
  const list = applyListButton(req, addFirstChild(values));
  const back = readFormText(req, 'back');
  if (list === null && back === '') return null;
  const changed = list?.values ?? values;
  const draftResult = await keep(changed);
  if (list !== null && draftResult === null)
    return { draftResult, next: await show(buildFormContent(changed), { hidden }) };
  const anchor = list?.anchor ?? (back === 'chart-number' ? buildFieldId('chart_number') : '');
  return {
    draftResult,
    values: changed,
    next: redirect(anchor === '' ? resume : `${resume}#${anchor}`),
  };
};

/** Buttons of the form itself; the review page and those after it have other buttons. */
const NOT_REVIEWED: ReadonlySet<string> = new Set(['', 'save', 'check']);

/** True if the form was sent from the review page or one after it. */
const isReviewed = (req: Request): boolean => !NOT_REVIEWED.has(readFormText(req, 'save'));

const Refusal = ({
  rejection,
  records,
}: {
  readonly rejection: Rejection;
  readonly records: readonly NamedRecord[];
}) => (
  <>
    <Notice kind="error">{formatSaveRejection(rejection)}</Notice>
    {records.length > 0 && <RecordLinks records={records} />}
  </>
);

const Busy = () => (
  <Notice kind="error">
    This is not saved yet: your practice is saving many records right now. Everything you typed is
    here. Try again in a moment.
  </Notice>
);
