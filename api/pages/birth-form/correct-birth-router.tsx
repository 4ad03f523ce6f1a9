import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { DraftName } from '../../../domain/intake/form/drafts.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { hasCsrfToken } from '../../web/session/csrf.ts';
import { flash } from '../../web/session/flash.ts';
import type { PageView } from '../layout/page.tsx';
import { createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import {
  formatDifferences,
  formatTypedChanges,
} from '../parts/birth-form/confirm/compare-births.ts';
import { NEW_BIRTH_PATH } from '../parts/birth-form/confirm/duplicate-checks.tsx';
import {
  createFormSaver,
  type FormRenderer,
  handleFormButtons,
  type SentForm,
} from '../parts/birth-form/confirm/save-form.tsx';
import { toKeptForm } from '../parts/birth-form/drafts/changed-draft.tsx';
import { DraftNotice } from '../parts/birth-form/drafts/draft-notice.tsx';
import { guardBirthForm, ReviewAndResubmit } from '../parts/birth-form/drafts/form-ownership.tsx';
import {
  carryEdition,
  type DraftStart,
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
  buildFormContent,
  type FormContent,
  formatFormValues,
} from '../parts/birth-form/form/form-values.ts';
import { carrySettings, toTextSettings } from '../parts/birth-form/form/text-settings.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { buildBirthFormPage } from './birth-form-page.tsx';
import { buildCheck, isReviewed } from './check-answers.tsx';
import {
  addReasonErrors,
  CorrectionReasonFields,
  parseReason,
  readReasonValues,
  removeReason,
} from './correction-reason.tsx';
import { type ChoosableChange, choiceFieldName, RecordChanged } from './record-changed.tsx';
import { findRecord, findVersion } from './record-in-log.ts';
import { RecordVoided } from './record-voided.tsx';

const ROUTE = '/registry/records/:record/correct';
const TITLE = 'Correct a record';
/** Start of the notice about an unfinished correction. */
export const CORRECTION_BEGUN = 'You have an unfinished correction';
export const CORRECTION_DISCARDED = 'The unfinished correction was discarded.';
/** Heading of the answer to a correction of a voided record. */
export const VOIDED_TITLE = 'This record is voided';

export const describeCorrection = (version: number): string =>
  `Correction saved: this is version ${version}.`;

const CORRECTING = requireRole('Admin', 'Provider');

/** Correction of a recorded birth. */
export const correctBirthRouter = (registry: App): Router => {
  const { drafts } = registry;
  const saveForm = createFormSaver(registry);

  /** Current state of the record in the address. */
  const loadRecord = async (req: Request, res: Response): Promise<KnownBirthRecord> => {
    const uuid = parseUuid(String(req.params['record']));
    const { practiceId } = getSeat(res);
    const record = uuid === null ? null : await findRecord(registry, practiceId, uuid);
    if (record === null) throw pageNotFound();
    return record;
  };

  const noteShown = (res: Response, recordIds: readonly string[]): Promise<void> =>
    noteRecordsShown(registry, res, { place: 'correction', recordIds });

  const showForm = async (
    res: Response,
    record: KnownBirthRecord,
    version: number,
    content: FormContent,
    { status = 200, above = null, returnTo, edition }: CorrectionShowing,
  ): Promise<PageView> => {
    const path = buildCorrectionPath(record);
    await noteShown(res, [record.submissionUuid]);
    return buildBirthFormPage(registry, res, content, {
      title: TITLE,
      status,
      hasErrors: status !== 200,
      returnTo,
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
      hidden: { version: String(version), ...edition },
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
    input: Pick<Entry, 'values' | 'held'> | null,
  ): Promise<PageView> => {
    const { submissionUuid, practiceId, course } = record;
    await noteShown(res, [submissionUuid]);
    const customFields = await registry.reads.listCustomFields(practiceId);
    const offsetAt = createOffsetAt(getSeat(res).practice.timeZone);
    const chartNumber = course.chart_number;
    const changes =
      input === null
        ? []
        : formatTypedChanges(input.held ?? course, input.values, customFields, offsetAt);
    const carried = {
      ...(input?.values ?? formatFormValues(course, offsetAt)),
      chart_number: chartNumber ?? '',
      submission: randomUUID(),
      ...carrySettings(toTextSettings(getSeat(res).practice)),
    };
    return {
      title: VOIDED_TITLE,
      status: 409,
      // Only the owner's form is stored.
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
    page(ROUTE, CORRECTING, async (req, res) => {
      const record = await loadRecord(req, res);
      const owner = toDraftOwner(getSeat(res));
      const found = await drafts.find(owner, findDraft(record));
      const draft = found === null || found.isFinished ? null : found;
      if (record.status === 'voided') {
        const { course } = await startCorrection(
          registry,
          record,
          draft?.version ?? record.version,
        );
        const input = draft === null ? null : { values: removeReason(draft.values), held: course };
        return buildVoided(req, res, record, input);
      }
      if (draft === null) {
        const content = buildFormContent(
          formatFormValues(record.course, createOffsetAt(getSeat(res).practice.timeZone)),
        );
        return showForm(res, record, record.version, content, {
          edition: { [EDITION_FIELD]: openEdition(found) },
        });
      }
      // Each record has one correction at a time: a second form would overwrite the first.
      const above =
        readQueryText(req, 'draft') === '' ? (
          <DraftNotice
            drafts={[draft]}
            action={buildCorrectionPath(record)}
            text={CORRECTION_BEGUN}
          />
        ) : null;
      const { course } = await startCorrection(registry, record, draft.version ?? record.version);
      const content = buildFormContent(
        await readDraftValues(registry, getSeat(res), draft, course),
      );
      const edition = { [EDITION_FIELD]: openEdition(draft) };
      return showForm(res, record, draft.version ?? record.version, content, { above, edition });
    }),

    post(ROUTE, guardBirthForm(CORRECTING), async (req, res) => {
      const record = await loadRecord(req, res);
      const isOurs = hasCsrfToken(req, res);
      if (readFormText(req, 'discard') !== '' && isOurs) {
        await drafts.discard(toDraftOwner(getSeat(res)), findDraft(record));
        return redirect(buildCorrectionPath(record), CORRECTION_DISCARDED);
      }
      const entry = await buildEntry(registry, req, res, record);
      const version = entry.version ?? record.version;
      if (record.status === 'voided') {
        const form = toSentForm(req, record, entry);
        if (isOurs) await form.keep(form.values);
        return buildVoided(req, res, record, entry);
      }
      const content = buildFormContent({ ...entry.values, ...readReasonValues(req) });
      if (!isOurs) {
        const above = <ReviewAndResubmit />;
        return showForm(res, record, version, content, { above, edition: carryEdition(entry) });
      }
      if (readFormText(req, 'save') === 'merge') return merge(req, res, record, entry);
      return (
        (await handleFormButtons(req, toSentForm(req, record, entry))) ??
        save(req, res, record, entry)
      );
    }),
  );

  function toSentForm(req: Request, record: KnownBirthRecord, entry: Entry): SentForm {
    const { owner, name, edition, typedUnder } = entry;
    const version = entry.version ?? record.version;
    const values = { ...entry.values, ...readReasonValues(req) };
    const resume = buildResumePath(record);
    return {
      values,
      async keep(typed) {
        const content = { values: typed, version, typedUnder };
        const saved = await drafts.save(owner, name, content, edition);
        return toKeptForm(req, saved, { entry, values: typed, resume });
      },
      resume,
    };
  }

  async function save(
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    entry: Entry,
  ): Promise<Reply> {
    const { seat, owner, name } = entry;
    const { submissionUuid } = record;
    const version = entry.version ?? record.version;
    const reason = parseReason(readReasonValues(req));
    return saveForm(req, res, {
      ...toSentForm(req, record, entry),
      place: 'correction',
      saveAs: {
        source: 'manual',
        // A correction is identified by its target, so sending it twice is idempotent.
        submissionId: `correction ${seat.memberId} ${submissionUuid} ${version}`,
        target: { kind: 'correct', submissionUuid, version },
        overrule: true,
        ...(reason === undefined ? {} : { reason }),
      },
      read: (now) => addReasonErrors(readCourse(entry, now), readReasonValues(req)),
      review: isReviewed(req)
        ? null
        : async (read) => {
            await noteShown(res, [submissionUuid]);
            const [action, resume] = [buildCorrectionPath(record), buildResumePath(record)];
            return buildCheck(registry, req, { entry, read, action, resume, reason });
          },
      show: (content, showing) =>
        showForm(res, record, version, content, { ...showing, edition: carryEdition(entry) }),
      async finish(saved) {
        await drafts.discard(owner, name);
        flash(req, 'success', describeCorrection(saved.version));
      },
      async ask(unanswered, course) {
        if (unanswered.kind === 'no-such-record') throw pageNotFound();
        if (unanswered.kind !== 'changed-concurrently')
          throw new TypeError('A correction was answered as a new birth.');
        const { held } = unanswered;
        if (held.status === 'voided') return buildVoided(req, res, held, entry);
        await noteShown(res, [submissionUuid]);
        return buildChoices(req, entry, held, course);
      },
    });
  }

  /** Saves the person's choices between the record and the form. */
  async function merge(
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    entry: Entry,
  ): Promise<Reply> {
    const read = readCourse(entry, registry.now());
    const isOutdated = readFormText(req, 'merge') !== String(record.version);
    if (read.kind === 'refused' || isOutdated) return save(req, res, record, entry);
    const offsetAt = createOffsetAt(entry.seat.practice.timeZone);
    const theirs = formatFormValues(record.course, offsetAt);
    const yours = formatFormValues(read.course, offsetAt);
    const values = { ...theirs };
    delete values['chart_number'];
    for (const { path } of parseChoices(entry, record.course, read.course))
      if (readFormText(req, choiceFieldName(path)) === 'yours') values[path] = yours[path] ?? '';
    const { course: held, version } = record;
    return save(req, res, record, { ...entry, values, held, version });
  }
};

interface CorrectionShowing extends FormRenderer {
  /** Hidden field with what the form is based on. */
  readonly edition: Readonly<Record<string, string>>;
}

/** Reads a posted correction relative to its base version. */
const buildEntry = async (
  registry: App,
  req: Request,
  res: Response,
  record: KnownBirthRecord,
): Promise<Entry> => {
  const version = Number(readFormText(req, 'version'));
  return readEntry(
    registry,
    req,
    res,
    findDraft(record),
    await startCorrection(registry, record, version),
  );
};

/** Content of the record at a version, or the current content if it never had that version. */
const startCorrection = async (
  registry: App,
  { practiceId, submissionUuid, course, keyKind, version: current }: KnownBirthRecord,
  version: number,
): Promise<DraftStart> => {
  const begun =
    version === current || !Number.isSafeInteger(version)
      ? course
      : await findVersion(registry, practiceId, submissionUuid, version);
  // An unknown version cannot be the base of a correction; the current one replaces it.
  return { course: begun ?? course, keyKind, version: begun === null ? current : version };
};

const buildChoices = (
  req: Request,
  entry: Entry,
  held: KnownBirthRecord,
  yours: CourseOfCare,
): PageView => {
  const carried = {
    ...entry.values,
    ...readReasonValues(req),
    version: String(entry.version),
    ...carryEdition(entry),
    ...carrySettings(entry.typedUnder),
    merge: String(held.version),
  };
  const choices = parseChoices(entry, held.course, yours);
  return {
    title: 'Someone else changed this record',
    status: 409,
    returnTo: buildResumePath(held),
    children: (
      <RecordChanged action={buildCorrectionPath(held)} carried={carried} choices={choices} />
    ),
  };
};

/** Differences between the record and the form, and who made them since the base version. */
const parseChoices = (
  { held, seat, customFields }: Entry,
  theirs: CourseOfCare,
  yours: CourseOfCare,
): readonly ChoosableChange[] => {
  const words = buildCourseContext({ ...seat.practice, customFields });
  const base = held ?? theirs;
  const pathsOf = (from: CourseOfCare, to: CourseOfCare) =>
    new Set(formatDifferences(from, to, words).map(({ path }) => path));
  const byYou = pathsOf(base, yours);
  const byThem = pathsOf(base, theirs);
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

const findDraft = ({ submissionUuid }: KnownBirthRecord): DraftName => ({
  form: 'correct',
  draftId: submissionUuid,
});
