import { type Request, type Response, Router } from 'express';
import type { EnteredValues } from '../../../domain/course-of-care/entering/entered-fields.ts';
import { hasCsrfToken } from '../../web/csrf.ts';
import { flash } from '../../web/flash.ts';
import { formText, queryText } from '../../web/form-body.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import { Time } from '../frame/time.tsx';
import { AMENDED_VERSION, carriedTarget, targetOf } from './amended-version.ts';
import { BirthForm } from './birth-form.tsx';
import type { BirthFormParts } from './birth-form-parts.ts';
import { DraftNotice } from './draft-notice.tsx';
import { type Entry, ownerOf, readCourse, readEntry, rearranged, uuidIn } from './entry.ts';
import { type FormContent, formContent, formLook } from './form-look.ts';
import { isBlank, withFirstChild } from './form-values.ts';
import { keepTyped, SendAgain } from './keep-typed.tsx';
import { answersOf, NEW_BIRTH_PATH as PATH, sendRecordedAlready } from './new-birth-answers.tsx';
import { holdForItsOwner, openerOf, refuseUnsaid } from './own-form.tsx';
import { sayDoubts, sayRecorded } from './what-was-saved.ts';
import { Busy, whenFree } from './when-free.tsx';

declare module 'express-session' {
  interface SessionData {
    /** When a seat that reads no records has last entered one, milliseconds since 1970. */
    enteredAt: number;
  }
}

/** Where a seat that reads no records lands after it has entered one. */
export const ENTERED_PATH = '/registry/records/entered';

const TITLE = 'Enter a birth';

const ENTERING = seats('Admin', 'Provider', 'Scribe');

/** Entering a birth by hand. */
export const newBirthRouter = (parts: BirthFormParts): Router => {
  const { drafts } = parts;
  const showForm = async (
    req: Request,
    res: Response,
    draftId: string,
    content: FormContent,
    { status = 200, problem = null, withDrafts = false }: Showing = {},
  ): Promise<void> => {
    const seat = seatOf(res);
    const [customFields, begun] = await Promise.all([
      parts.customFields(seat.practiceId),
      withDrafts ? drafts.begun(ownerOf(seat), 'new') : [],
    ]);
    const isWrong = content.errors.length > 0 || problem !== null;
    sendPage(
      req,
      res,
      {
        title: TITLE,
        isRefused: isWrong,
        scripts: ['birth-form.mjs'],
        children: (
          <>
            <DraftNotice
              drafts={begun}
              action={PATH}
              resume={(draft) => resumeAt(draft.draftId)}
              text="You have a birth in progress"
            />
            {problem}
            <BirthForm
              action={PATH}
              hidden={{ submission: draftId }}
              look={formLook(content, seat.practice.timeZone)}
              customFields={customFields}
              submit="Record birth"
              work="enters births"
              cancel="/registry"
              check="/registry/records/check"
              resume={resumeAt(draftId)}
            />
          </>
        ),
      },
      status,
    );
  };

  const { askFirst, refusalOf } = answersOf(parts);

  const keepDraft = ({ owner, name, values, version }: Entry) =>
    isBlank(values) ? null : drafts.save(owner, name, { values, version });

  return Router()
    .get(PATH, ENTERING, async (req, res) => {
      const draftId = uuidIn(queryText(req, 'draft'));
      const owner = ownerOf(seatOf(res));
      const draft = draftId === null ? null : await drafts.find(owner, { form: 'new', draftId });
      if (draft !== null && !draft.isFinished) {
        await showForm(req, res, draft.draftId, formContent(draft.values));
        return;
      }
      // From a voided record: as good as typed, and read like it when the form is sent.
      const chartNumber = queryText(req, 'chart');
      const begun = formContent(chartNumber === '' ? {} : { chart_number: chartNumber });
      await showForm(req, res, parts.newFormId(), begun, { withDrafts: true });
    })

    .post(PATH, keepTyped, holdForItsOwner, ENTERING, refuseUnsaid, async (req, res) => {
      const discarded = uuidIn(formText(req, 'discard'));
      const isOurs = hasCsrfToken(req) && openerOf(req, res) === 'sender';
      if (discarded !== null && isOurs) {
        await drafts.discard(ownerOf(seatOf(res)), { form: 'new', draftId: discarded });
        flash(req, 'success', 'The birth in progress was discarded.');
        res.redirect(303, PATH);
        return;
      }
      const draftId = uuidIn(formText(req, 'submission')) ?? parts.newFormId();
      const entry = await readEntry(parts, req, res, { form: 'new', draftId }, null);
      const values = withFirstChild(entry.values);
      if (!isOurs) {
        // From before signing in again: shown with everything typed, to be sent once more.
        await showForm(req, res, draftId, formContent(values), { problem: <SendAgain /> });
        return;
      }
      const next = rearranged(req, values);
      if (next !== null || formText(req, 'back') !== '') {
        await keepDraft({ ...entry, values: next?.values ?? values });
        const anchor = next === null ? '' : `#${next.anchor}`;
        // Nothing typed yet is nothing kept: the form is shown as it would be.
        if (isBlank(values) && next !== null)
          await showForm(req, res, draftId, formContent(next.values));
        else res.redirect(303, `${resumeAt(draftId)}${anchor}`);
        return;
      }
      await save(req, res, { ...entry, values });
    })

    .get(ENTERED_PATH, ENTERING, (req, res) => {
      const { enteredAt } = req.session;
      if (enteredAt === undefined) {
        res.redirect(303, PATH);
        return;
      }
      sendPage(req, res, {
        title: 'Birth recorded',
        action: (
          <a class="usa-button" href={PATH}>
            Enter another
          </a>
        ),
        children: (
          <p>
            The last birth that you entered was recorded <Time at={new Date(enteredAt)} />. Your
            seat enters births and does not read records: ask an Admin or Provider of your practice
            if something has to be corrected.
          </p>
        ),
      });
    });

  /** A seat that reads no records learns that it was recorded, and nothing else. */
  function land(req: Request, res: Response, submissionUuid: string): void {
    if (seatOf(res).role !== 'Scribe') {
      res.redirect(303, `/registry/records/${submissionUuid}`);
      return;
    }
    req.session.enteredAt = parts.now().getTime();
    res.redirect(303, ENTERED_PATH);
  }

  async function save(req: Request, res: Response, entry: Entry): Promise<void> {
    const { seat, name, values } = entry;
    const wish = formText(req, 'save');
    const target = targetOf(formText(req, AMENDED_VERSION));
    const isOverruling = wish === 'overrule' || formText(req, 'overrule') === 'yes';
    // Back, or a second click, leads to a form again that was saved before.
    const before = await drafts.find(entry.owner, name);
    if (before?.isFinished === true && before.savedAs !== undefined) {
      if (isSame(before.values, values)) land(req, res, before.savedAs);
      else sendRecordedAlready(req, res, before.savedAs);
      return;
    }
    await keepDraft(entry);
    const read = readCourse(entry, parts.now());
    if (read.kind === 'refused') {
      const content = formContent(values, read.errors, read.notices);
      await showForm(req, res, name.draftId, content, { status: 422 });
      return;
    }
    const saved = await whenFree(parts.saveCourse, {
      practiceId: seat.practiceId,
      actor: { kind: 'member', id: seat.memberId },
      correlationId: String(res.locals['correlationId']),
      source: 'manual',
      submissionId: name.draftId,
      target,
      course: read.course,
      overrule: isOverruling,
    });
    if (saved.kind === 'saved') {
      const savedAs = saved.submissionUuid;
      await drafts.finish(entry.owner, name, { values, version: null, savedAs });
      sayRecorded(req, saved);
      sayDoubts(req, read);
      land(req, res, savedAs);
      return;
    }
    if (saved.kind === 'busy') {
      await showForm(req, res, name.draftId, formContent(values), {
        status: 503,
        problem: <Busy />,
      });
      return;
    }
    const carried = {
      ...values,
      submission: name.draftId,
      ...carriedTarget(target),
      ...(isOverruling ? { overrule: 'yes' } : {}),
    };
    if (saved.kind === 'refused') {
      const problem = await refusalOf(res, saved, seat);
      await showForm(req, res, name.draftId, formContent(values), { status: 422, problem });
      return;
    }
    await askFirst(req, res, { entry, course: read.course, carried }, saved);
  }
};

interface Showing {
  readonly status?: number;
  /** What stands above the form. */
  readonly problem?: preact.JSX.Element | null;
  /** Offers births in progress. */
  readonly withDrafts?: boolean;
}

const isSame = (one: EnteredValues, other: EnteredValues): boolean =>
  Object.keys({ ...one, ...other }).every(
    (key) => (one[key] ?? '').trim() === (other[key] ?? '').trim(),
  );

const resumeAt = (draftId: string): string => `${PATH}?draft=${draftId}`;
