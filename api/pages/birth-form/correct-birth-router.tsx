import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { DraftName } from '../../../domain/mapping/form/drafts.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { hasCsrfToken } from '../../web/session/csrf.ts';
import { addFlash } from '../../web/session/flash.ts';
import type { PageView } from '../layout/page.tsx';
import { createRouter, page, post, redirect } from '../layout/routes.tsx';
import { answerBirthForm, type FormViewOptions } from '../parts/birth-form/birth-form-flow.tsx';
import {
  formatDifferences,
  formatTypedChanges,
} from '../parts/birth-form/confirm/compare-births.ts';
import { NEW_BIRTH_PATH } from '../parts/birth-form/confirm/duplicate-checks.tsx';
import { DraftNotice } from '../parts/birth-form/drafts/draft-notice.tsx';
import { guardBirthForm } from '../parts/birth-form/drafts/form-ownership.tsx';
import {
  type DraftStart,
  EDITION_FIELD,
  type Entry,
  openEdition,
  parseEntry,
  parseUuid,
  readDraftValues,
  readEntry,
  toDraftOwner,
} from '../parts/birth-form/form/entry.ts';
import {
  buildFormContent,
  type FormContent,
  formatFormValues,
} from '../parts/birth-form/form/form-values.ts';
import { carrySettings, toTextSettings } from '../parts/birth-form/form/text-settings.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { buildBirthFormPage } from './birth-form-page.tsx';
import { buildCheck } from './check-answers.tsx';
import {
  type ChoosableChange,
  choiceFieldName,
  RecordChanged,
  RecordVoided,
} from './correction-conflicts.tsx';
import {
  addReasonErrors,
  CorrectionReasonFields,
  parseReason,
  readReasonValues,
  removeReason,
} from './correction-reason.tsx';
import { findRecord, findVersion } from './record-in-log.ts';

const ROUTE = '/registry/records/:record/correct';

export const correctBirthRouter = (app: App): Router => {
  const { drafts } = app;

  const loadRecord = async (req: Request, res: Response): Promise<KnownBirthRecord> => {
    const uuid = parseUuid(String(req.params['record']));
    const { practiceId } = getSeat(res);
    const record = uuid === null ? null : await findRecord(app, practiceId, uuid);
    if (record === null) throw pageNotFound();
    return record;
  };

  const noteView = (res: Response, recordIds: readonly string[]): Promise<void> =>
    noteRecordsShown(app, res, { place: 'correction', recordIds });

  const showForm = async (
    res: Response,
    record: KnownBirthRecord,
    version: number,
    content: FormContent,
    { above, hidden, ...options }: FormViewOptions,
  ): Promise<PageView> => {
    const path = buildCorrectionPath(record);
    await noteView(res, [record.submissionUuid]);
    return buildBirthFormPage(app, res, content, {
      ...options,
      title: 'Correct a record',
      above: (
        <>
          {above}
          {record.keyKind === 'partner' && (
            <p class="quiet">
              A partner sent this record without the details that identify the mother and child.
              Those fields stay empty unless you fill them in. The attendant and certifier stay as
              the partner sent them.
            </p>
          )}
        </>
      ),
      action: path,
      hidden: { version: String(version), ...hidden },
      chartNumber: record.course.chart_number,
      last: <CorrectionReasonFields {...content} />,
      work: 'correct records',
      cancel: `/registry/records/${record.submissionUuid}`,
      check: `${path}/check`,
      resume: buildResumePath(record),
    });
  };

  /** A voided record cannot be corrected: the input can be used in the form of a new birth. */
  const buildVoided = async (
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    input: Pick<Entry, 'values' | 'base'> | null,
  ): Promise<PageView> => {
    const { submissionUuid, practiceId, course } = record;
    await noteView(res, [submissionUuid]);
    const customFields = await app.reads.listCustomFields(practiceId);
    const offsetAt = createOffsetAt(getSeat(res).practice.timeZone);
    const chartNumber = course.chart_number;
    const changes =
      input === null
        ? []
        : formatTypedChanges(input.base ?? course, input.values, customFields, offsetAt);
    const carried = {
      ...(input?.values ?? formatFormValues(course, offsetAt)),
      chart_number: chartNumber ?? '',
      submission: randomUUID(),
      ...carrySettings(toTextSettings(getSeat(res).practice)),
    };
    return {
      title: 'This record is voided',
      status: 409,
      // A form without its sender's token is not stored.
      returnTo: hasCsrfToken(req, res) ? buildResumePath(record) : undefined,
      children: (
        <RecordVoided
          action={NEW_BIRTH_PATH}
          carried={carried}
          changes={changes}
          chartNumber={chartNumber}
          submissionUuid={submissionUuid}
        />
      ),
    };
  };

  return createRouter(
    page(ROUTE, requireAdminOrProvider, async (req, res) => {
      const record = await loadRecord(req, res);
      const owner = toDraftOwner(getSeat(res));
      const storedDraft = await drafts.find(owner, toDraftName(record));
      const draft = storedDraft === null || storedDraft.isFinished ? null : storedDraft;
      const version = draft?.version ?? record.version;
      const { course } = await loadBase(app, record, version);
      if (record.status === 'voided') {
        const input = draft === null ? null : { values: removeReason(draft.values), base: course };
        return buildVoided(req, res, record, input);
      }
      const seat = getSeat(res);
      const values =
        draft === null
          ? formatFormValues(course, createOffsetAt(seat.practice.timeZone))
          : await readDraftValues(app, seat, draft, course);
      // Each member has one unfinished correction of a record: a second form would overwrite the first.
      const above =
        draft !== null && readQueryText(req, 'draft') === '' ? (
          <DraftNotice
            drafts={[draft]}
            action={buildCorrectionPath(record)}
            text="You have an unfinished correction"
          />
        ) : null;
      const hidden = { [EDITION_FIELD]: openEdition(storedDraft) };
      return showForm(res, record, version, buildFormContent(values), { above, hidden });
    }),

    post(ROUTE, guardBirthForm(requireAdminOrProvider), async (req, res) => {
      const record = await loadRecord(req, res);
      const { submissionUuid } = record;
      const name = toDraftName(record);
      const hasToken = hasCsrfToken(req, res);
      if (readFormText(req, 'discard') !== '' && hasToken) {
        await drafts.discard(toDraftOwner(getSeat(res)), name);
        return redirect(buildCorrectionPath(record), {
          id: 'correction-discarded',
          text: 'The unfinished correction was discarded.',
        });
      }
      const start = await loadBase(app, record, Number(readFormText(req, 'version')));
      const posted = await readEntry(app, req, res, name, start);
      const isVoided = record.status === 'voided';
      const isMerge = hasToken && !isVoided && readFormText(req, 'save') === 'merge';
      const entry = isMerge ? mergeChoices(req, record, posted, app.now()) : posted;
      const { seat, owner, edition, typedUnder } = entry;
      const version = entry.version ?? record.version;
      const typedReason = readReasonValues(req);
      const values = { ...entry.values, ...typedReason };
      const reason = parseReason(typedReason);
      const [action, resume] = [buildCorrectionPath(record), buildResumePath(record)];
      const keep = (typed: FormValues) =>
        drafts.save(owner, name, { values: typed, version, typedUnder }, edition);
      if (isVoided) {
        if (hasToken) await keep(values);
        return buildVoided(req, res, record, entry);
      }
      return answerBirthForm(app, req, res, {
        posted: { ...entry, values },
        action,
        resume,
        hidden: { version: String(version) },
        saveAs: {
          source: 'manual',
          // A correction is identified by its target, so sending it twice is idempotent.
          submissionId: `correction ${seat.memberId} ${submissionUuid} ${version}`,
          target: { kind: 'correct', submissionUuid, version },
          ...(reason === undefined ? {} : { reason }),
        },
        keep,
        show: (content, options) => showForm(res, record, version, content, options),
        parse: (now) => addReasonErrors(parseEntry(entry, now), typedReason),
        async review(parsed) {
          await noteView(res, [submissionUuid]);
          return buildCheck(app, req, { entry, parsed, action, resume, reason });
        },
        async finish(saved) {
          await drafts.discard(owner, name);
          const text = `Correction saved: this is version ${saved.version}.`;
          addFlash(req, { kind: 'success', id: 'correction-saved', text });
        },
        async ask(unanswered, course, carried) {
          if (unanswered.kind === 'no-such-record') throw pageNotFound();
          if (unanswered.kind !== 'changed-concurrently')
            throw new TypeError(`Unexpected outcome of a correction: ${unanswered.kind}`);
          const { current } = unanswered;
          if (current.status === 'voided') return buildVoided(req, res, current, entry);
          await noteView(res, [submissionUuid]);
          return {
            title: 'This record changed after you opened it',
            status: 409,
            returnTo: resume,
            children: (
              <RecordChanged
                action={action}
                carried={{ ...carried, merge: String(current.version) }}
                choices={listVersionChoices(entry, current.course, course)}
              />
            ),
          };
        },
      });
    }),
  );
};

/** Applies the person's choices between the record and the form, if they are about its current version. */
const mergeChoices = (req: Request, record: KnownBirthRecord, entry: Entry, now: Date): Entry => {
  const parsed = parseEntry(entry, now);
  const { course: current, version } = record;
  if (parsed.kind === 'refused' || readFormText(req, 'merge') !== String(version)) return entry;
  const offsetAt = createOffsetAt(entry.seat.practice.timeZone);
  const yours = formatFormValues(parsed.course, offsetAt);
  const values = { ...formatFormValues(current, offsetAt) };
  delete values['chart_number'];
  for (const { path } of listVersionChoices(entry, current, parsed.course))
    if (readFormText(req, choiceFieldName(path)) === 'yours') values[path] = yours[path] ?? '';
  return { ...entry, values, base: current, version };
};

/** Content at a version, or the current content if that version is unknown or too old. */
const loadBase = async (
  app: App,
  { practiceId, submissionUuid, course, keyKind, version: current }: KnownBirthRecord,
  version: number,
): Promise<DraftStart> => {
  if (version === current) return { course, keyKind, version };
  const base = Number.isSafeInteger(version)
    ? await findVersion(app, practiceId, submissionUuid, version)
    : null;
  return base === null ? { course, keyKind, version: current } : { course: base, keyKind, version };
};

/** Differences between the record and the form, and who made them since the base version. */
const listVersionChoices = (
  { base, seat, customFields }: Entry,
  theirs: CourseOfCare,
  yours: CourseOfCare,
): readonly ChoosableChange[] => {
  const words = buildCourseContext({ ...seat.practice, customFields });
  const ancestor = base ?? theirs;
  const listPaths = (from: CourseOfCare, to: CourseOfCare) =>
    new Set(formatDifferences(from, to, words).map(({ path }) => path));
  const byYou = listPaths(ancestor, yours);
  const byThem = listPaths(ancestor, theirs);
  return formatDifferences(theirs, yours, words).map((one) => ({
    ...one,
    isYours: byYou.has(one.path),
    isTheirs: byThem.has(one.path),
  }));
};

const buildCorrectionPath = ({ submissionUuid }: KnownBirthRecord): string =>
  `/registry/records/${submissionUuid}/correct`;

const buildResumePath = (record: KnownBirthRecord): string =>
  `${buildCorrectionPath(record)}?draft=yes`;

const toDraftName = ({ submissionUuid }: KnownBirthRecord): DraftName => ({
  form: 'correct',
  draftId: submissionUuid,
});
