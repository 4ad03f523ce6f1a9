import type { Request, Response } from 'express';
import type { CourseOfCare } from '../../../../../domain/course/course.ts';
import type { Rejection } from '../../../../../domain/course/rejections.ts';
import type { FormValues } from '../../../../../domain/intake/form/form-fields.ts';
import type { ParsedCourse } from '../../../../../domain/intake/form/parse-course.ts';
import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import type { App } from '../../../../ports/app-ports.ts';
import {
  type CourseToSave,
  type SavedCourse,
  saveCourse,
} from '../../../../record-commands/save-course.ts';
import { readFormText } from '../../../../web/form-body.ts';
import { getSeat, requireSeatAgain } from '../../../../web/guards/seats.ts';
import { nullIfLeaseUnavailable } from '../../../../writes/null-if-lease-unavailable.ts';
import { buildFieldId } from '../../../layout/field-errors.ts';
import { Notice } from '../../../layout/flash-messages.tsx';
import type { PageView } from '../../../layout/page.tsx';
import { type Reply, redirect } from '../../../layout/routes.tsx';
import { applyListButton } from '../form/entry.ts';
import {
  addFirstChild,
  buildFormContent,
  type FormContent,
  locateNotices,
} from '../form/form-values.ts';
import { loadShownName } from '../form/name-shown.ts';
import { flashUnusualValues, formatSaveRejection, redirectToRecord } from './after-save.ts';
import { RecordLinks } from './confirmation-form.tsx';

/** Options for showing a form again. */
export interface FormRenderer {
  readonly status?: number;
  /** Content above the form. */
  readonly above?: preact.JSX.Element | null;
  /** Address of the draft. */
  readonly returnTo?: string;
}

/** Result of storing a draft: a question if another tab has changed it. */
export type KeptForm =
  | { readonly kind: 'kept' | 'not-kept' }
  | { readonly kind: 'question'; readonly page: PageView };

/** Posted birth form and its draft. */
export interface SentForm {
  readonly values: FormValues;
  /**
   * Stores the values as a draft for the owner.
   */
  readonly keep: (values: FormValues) => Promise<KeptForm>;
  /** Address of the draft. */
  readonly resume: string;
}

/** Birth form to save, with the steps that differ between forms. */
export interface FormToSave extends SentForm {
  /** Access log place of conflicting records. */
  readonly place: 'entry' | 'correction';
  readonly saveAs: Pick<
    CourseToSave,
    'source' | 'submissionId' | 'target' | 'overrule' | 'prefill' | 'reason'
  >;
  readonly read: (now: Date) => ParsedCourse;
  /** Shows the values for review; `null` if the person has reviewed them. */
  readonly review: ((read: ReadCourse) => Promise<Reply>) | null;
  readonly show: (content: FormContent, showing: FormRenderer) => Promise<Reply>;
  /** Deletes the draft and announces the result. */
  readonly finish: (saved: Extract<SavedCourse, { readonly kind: 'saved' }>) => Promise<void>;
  /** Asks the questions that must be answered before saving. */
  readonly ask: (unanswered: Unanswered, course: CourseOfCare) => Promise<Reply>;
}

/** Form without errors. */
export type ReadCourse = Extract<ParsedCourse, { readonly kind: 'course' }>;

type Unanswered = Exclude<SavedCourse, { readonly kind: 'saved' | 'refused' }>;

/**
 * Handles the buttons that return to the form, possibly with one child or transfer more or less.
 * @returns `null` if none was pressed
 */
export const handleFormButtons = async (
  req: Request,
  { values, keep, resume }: SentForm,
): Promise<Reply | null> => {
  const next = applyListButton(req, addFirstChild(values));
  const back = readFormText(req, 'back');
  if (next === null && back === '') return null;
  const kept = await keep(next?.values ?? values);
  if (kept.kind === 'question') return kept.page;
  const anchor = next?.anchor ?? (back === 'chart-number' ? buildFieldId('chart_number') : '');
  return redirect(anchor === '' ? resume : `${resume}#${anchor}`);
};

/** Saves the form, or answers with the form or a question and all values. */
export const createFormSaver = (registry: App) => {
  return async (req: Request, res: Response, form: FormToSave): Promise<Reply> => {
    const { values } = form;
    const kept = await form.keep(values);
    if (kept.kind === 'question') return kept.page;
    const isKept = kept.kind === 'kept';
    const show = (content: FormContent, showing: FormRenderer): Promise<Reply> =>
      form.show(content, isKept ? { ...showing, returnTo: form.resume } : showing);
    const { practiceId, memberId } = getSeat(res);
    const read = form.read(registry.now());
    if (read.kind === 'refused')
      return show(buildFormContent(values, read.errors, locateNotices(read)), { status: 422 });
    if (form.review !== null) return form.review(read);
    const saved = await retryWhenFree(registry, {
      practiceId,
      actor: { kind: 'member', id: memberId },
      correlationId: String(res.locals['correlationId']),
      requirePermission: () => requireSeatAgain(res),
      course: read.course,
      ...form.saveAs,
    });
    switch (saved.kind) {
      case 'saved':
        await form.finish(saved);
        flashUnusualValues(req, read);
        return redirectToRecord(req, res, saved.submissionUuid, registry.now());
      case 'refused': {
        const records = await loadShownName(registry, res, form.place, saved.matches);
        const above = <Refusal rejection={saved.rejection} records={records ?? []} />;
        return show(buildFormContent(values), { status: 422, above });
      }
      case 'busy':
        return show(buildFormContent(values), { status: 503, above: <Busy /> });
      default:
        return form.ask(saved, read.course);
    }
  };
};

/** Reason for a refusal, with the conflicting records. */
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

/** Saves, or reports that the practice lease is taken: then the form may be sent again. */
const retryWhenFree = async (
  registry: App,
  command: CourseToSave,
): Promise<SavedCourse | { readonly kind: 'busy' }> =>
  (await nullIfLeaseUnavailable(saveCourse(registry, command))) ?? { kind: 'busy' };

/** Notice above the form if the practice lease is taken. */
const Busy = () => (
  <Notice kind="error">
    This is not saved yet: your practice is saving many records right now. Everything you typed is
    here. Try again in a moment.
  </Notice>
);
