import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { DraftName } from '../../../domain/intake/form/drafts.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { flash } from '../../web/flash.ts';
import { formText, queryText } from '../../web/form-body.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { sendPage } from '../frame/send-page.tsx';
import { ChangedMeanwhile, type Choosable, takeName, VoidedMeanwhile } from './asking-pages.tsx';
import { BirthForm } from './birth-form.tsx';
import { CHECK, isReviewed, sendCheck } from './check-answers.tsx';
import {
  CorrectionReasonFields,
  reasonIn,
  reasonValues,
  withoutReason,
  withReason,
} from './correction-reason.tsx';
import { DraftNotice } from './draft-notice.tsx';
import {
  type Begun,
  type Entry,
  ownerOf,
  readCourse,
  readEntry,
  readingOf,
  uuidIn,
} from './entry.ts';
import { type FormContent, formContent, formLook, shownValues } from './form-values.ts';
import { NEW_BIRTH_PATH } from './new-birth-answers.tsx';
import { holdForItsOwner, isOwnForm, keepTyped, refuseUnsaid, SendAgain } from './own-form.tsx';

import { findRecord, findVersion } from './record-in-log.ts';
import { changesAsTyped, differencesInWords } from './record-words.ts';
import { leadBack, type SentForm, type Showing, saveFormWith } from './save-form.tsx';

const ROUTE = '/registry/records/:record/correct';
const TITLE = 'Correct a record';
/** Start of the notice about an unfinished correction. */
export const CORRECTION_BEGUN = 'This is the correction that you began';
export const CORRECTION_DISCARDED = 'The correction in progress was discarded.';
/** Heading of the answer to a correction of a voided record. */
export const VOIDED_MEANWHILE = 'This record is voided';

export const describeCorrection = (version: number): string =>
  `Correction saved: this is version ${version}.`;

const CORRECTING = seats('Admin', 'Provider');

/** Correction of a recorded birth. */
export const correctBirthRouter = (registry: App): Router => {
  const { drafts } = registry;
  const saveForm = saveFormWith(registry);

  /** Current state of the record in the address. */
  const recordOf = async (req: Request, res: Response): Promise<KnownBirthRecord> => {
    const uuid = uuidIn(String(req.params['record']));
    const { practiceId } = seatOf(res);
    const record = uuid === null ? null : await findRecord(registry, practiceId, uuid);
    if (record === null) throw pageNotFound();
    return record;
  };

  const noteShown = (res: Response, recordIds: readonly string[]): Promise<void> =>
    noteRecordsShown(registry, res, { place: 'correction', recordIds });

  const showForm = async (
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    version: number,
    content: FormContent,
    { status = 200, above = null, returnTo }: Showing = {},
  ): Promise<void> => {
    const path = pathOf(record);
    await noteShown(res, [record.submissionUuid]);
    const customFields = await registry.reads.customFields(record.practiceId);
    const isWrong = status !== 200;
    sendPage(
      req,
      res,
      {
        title: TITLE,
        isRefused: isWrong,
        scripts: ['birth-form.mjs'],
        returnTo,
        children: (
          <>
            {above}
            {record.keyKind === 'partner' && (
              <p class="quiet">
                A partner sent this record without what would identify the mother and child. Those
                fields are empty and stay so unless you type something; who attended and certified
                stays as the partner said.
              </p>
            )}
            <BirthForm
              action={path}
              hidden={{ version: String(version) }}
              chartNumber={record.course.chart_number}
              look={formLook(
                content,
                seatOf(res).practice.timeZone,
                readingOf(seatOf(res), registry.now()),
              )}
              customFields={customFields}
              last={<CorrectionReasonFields {...content} />}
              submit={CHECK}
              work="corrects records"
              cancel={`/registry/records/${record.submissionUuid}`}
              check={`${path}/check`}
              resume={resumeOf(record)}
            />
          </>
        ),
      },
      status,
    );
  };

  /** A voided record cannot be corrected: the input can be used in the form of a new birth. */
  const sendVoided = async (
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    typed: Pick<Entry, 'values' | 'held'> | null,
  ): Promise<void> => {
    const { submissionUuid, practiceId, course } = record;
    await noteShown(res, [submissionUuid]);
    const customFields = await registry.reads.customFields(practiceId);
    const offsetAt = createOffsetAt(seatOf(res).practice.timeZone);
    const chartNumber = course.chart_number;
    const changes =
      typed === null
        ? []
        : changesAsTyped(typed.held ?? course, typed.values, customFields, offsetAt);
    const carried = {
      ...(typed?.values ?? shownValues(course, offsetAt)),
      chart_number: chartNumber ?? '',
      submission: randomUUID(),
    };
    sendPage(
      req,
      res,
      {
        title: VOIDED_MEANWHILE,
        // Only the owner's form is stored.
        returnTo: isOwnForm(req, res) ? resumeOf(record) : undefined,
        children: (
          <VoidedMeanwhile
            action={NEW_BIRTH_PATH}
            carried={carried}
            changes={changes}
            chartNumber={chartNumber}
            submissionUuid={submissionUuid}
          />
        ),
      },
      409,
    );
  };

  return Router()
    .get(ROUTE, CORRECTING, async (req, res) => {
      const record = await recordOf(req, res);
      const owner = ownerOf(seatOf(res));
      const found = await drafts.find(owner, draftOf(record));
      const draft = found === null || found.isFinished ? null : found;
      if (record.status === 'voided') {
        const { course } = await beginningOf(registry, record, draft?.version ?? record.version);
        const typed = draft === null ? null : { values: withoutReason(draft.values), held: course };
        await sendVoided(req, res, record, typed);
        return;
      }
      if (draft === null) {
        const content = formContent(
          shownValues(record.course, createOffsetAt(seatOf(res).practice.timeZone)),
        );
        await showForm(req, res, record, record.version, content);
        return;
      }
      // Each record has one correction at a time: a second form would overwrite the first.
      const above =
        queryText(req, 'draft') === '' ? (
          <DraftNotice drafts={[draft]} action={pathOf(record)} text={CORRECTION_BEGUN} />
        ) : null;
      const content = formContent(draft.values);
      await showForm(req, res, record, draft.version ?? record.version, content, { above });
    })

    .post(ROUTE, keepTyped, holdForItsOwner, CORRECTING, refuseUnsaid, async (req, res) => {
      const record = await recordOf(req, res);
      const isOurs = isOwnForm(req, res);
      if (formText(req, 'discard') !== '' && isOurs) {
        await drafts.discard(ownerOf(seatOf(res)), draftOf(record));
        flash(req, 'success', CORRECTION_DISCARDED);
        res.redirect(303, pathOf(record));
        return;
      }
      const entry = await entryFor(registry, req, res, record);
      const version = entry.version ?? record.version;
      if (record.status === 'voided') {
        const form = formOf(req, record, entry);
        if (isOurs) await form.keep(form.values);
        await sendVoided(req, res, record, entry);
        return;
      }
      const content = formContent({ ...entry.values, ...reasonValues(req) });
      if (!isOurs) {
        await showForm(req, res, record, version, content, { above: <SendAgain /> });
        return;
      }
      if (formText(req, 'save') === 'merge') {
        await merge(req, res, record, entry);
        return;
      }
      if (!(await leadBack(req, res, formOf(req, record, entry))))
        await save(req, res, record, entry);
    });

  function formOf(
    req: Request,
    record: KnownBirthRecord,
    { owner, name, values, version }: Entry,
  ): SentForm {
    return {
      values: { ...values, ...reasonValues(req) },
      keep: (typed) =>
        drafts.save(owner, name, { values: typed, version: version ?? record.version }),
      resume: resumeOf(record),
    };
  }

  async function save(
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    entry: Entry,
  ): Promise<void> {
    const { seat, owner, name } = entry;
    const { submissionUuid } = record;
    const version = entry.version ?? record.version;
    const reason = reasonIn(reasonValues(req));
    await saveForm(req, res, {
      ...formOf(req, record, entry),
      place: 'correction',
      saveAs: {
        source: 'manual',
        // A correction is identified by its target, so sending it twice is idempotent.
        submissionId: `correction ${seat.memberId} ${submissionUuid} ${version}`,
        target: { kind: 'correct', submissionUuid, version },
        overrule: true,
        ...(reason === undefined ? {} : { reason }),
      },
      read: (now) => withReason(readCourse(entry, now), reasonValues(req)),
      review: isReviewed(req)
        ? null
        : async (read) => {
            await noteShown(res, [submissionUuid]);
            const [action, resume] = [pathOf(record), resumeOf(record)];
            await sendCheck(registry, req, res, { entry, read, action, resume, reason });
          },
      show: (content, showing) => showForm(req, res, record, version, content, showing),
      async finish(saved) {
        await drafts.discard(owner, name);
        flash(req, 'success', describeCorrection(saved.version));
      },
      async ask(unanswered, course) {
        if (unanswered.kind === 'no-such-record') throw pageNotFound();
        if (unanswered.kind !== 'changed-concurrently')
          throw new TypeError('A correction was answered as a new birth.');
        const { held } = unanswered;
        if (held.status === 'voided') {
          await sendVoided(req, res, held, entry);
          return;
        }
        await noteShown(res, [submissionUuid]);
        sendChoices(req, res, entry, held, course);
      },
    });
  }

  /** Saves the person's choices between the record and the form. */
  async function merge(
    req: Request,
    res: Response,
    record: KnownBirthRecord,
    entry: Entry,
  ): Promise<void> {
    const read = readCourse(entry, registry.now());
    const isOutdated = formText(req, 'merge') !== String(record.version);
    if (read.kind === 'refused' || isOutdated) {
      await save(req, res, record, entry);
      return;
    }
    const offsetAt = createOffsetAt(entry.seat.practice.timeZone);
    const theirs = shownValues(record.course, offsetAt);
    const yours = shownValues(read.course, offsetAt);
    const values = { ...theirs };
    delete values['chart_number'];
    for (const { path } of choicesOf(entry, record.course, read.course))
      if (formText(req, takeName(path)) === 'yours') values[path] = yours[path] ?? '';
    const { course: held, version } = record;
    await save(req, res, record, { ...entry, values, held, version });
  }
};

/** Reads a posted correction relative to its base version. */
const entryFor = async (
  registry: App,
  req: Request,
  res: Response,
  record: KnownBirthRecord,
): Promise<Entry> => {
  const version = Number(formText(req, 'version'));
  return readEntry(
    registry,
    req,
    res,
    draftOf(record),
    await beginningOf(registry, record, version),
  );
};

/** Content of the record at a version, or the current content if it never had that version. */
const beginningOf = async (
  registry: App,
  { practiceId, submissionUuid, course, keyKind, version: current }: KnownBirthRecord,
  version: number,
): Promise<Begun> => {
  const begun =
    version === current || !Number.isSafeInteger(version)
      ? course
      : await findVersion(registry, practiceId, submissionUuid, version);
  // An unknown version cannot be the base of a correction; the current one replaces it.
  return { course: begun ?? course, keyKind, version: begun === null ? current : version };
};

const sendChoices = (
  req: Request,
  res: Response,
  entry: Entry,
  held: KnownBirthRecord,
  yours: CourseOfCare,
): void => {
  const carried = {
    ...entry.values,
    ...reasonValues(req),
    version: String(entry.version),
    merge: String(held.version),
  };
  const choices = choicesOf(entry, held.course, yours);
  sendPage(
    req,
    res,
    {
      title: 'Someone else has changed this record',
      returnTo: resumeOf(held),
      children: <ChangedMeanwhile action={pathOf(held)} carried={carried} choices={choices} />,
    },
    409,
  );
};

/** Differences between the record and the form, and who made them since the base version. */
const choicesOf = (
  { held, seat, customFields }: Entry,
  theirs: CourseOfCare,
  yours: CourseOfCare,
): readonly Choosable[] => {
  const words = { timeZone: seat.practice.timeZone, customFields };
  const base = held ?? theirs;
  const pathsOf = (from: CourseOfCare, to: CourseOfCare) =>
    new Set(differencesInWords(from, to, words).map(({ path }) => path));
  const byYou = pathsOf(base, yours);
  const byThem = pathsOf(base, theirs);
  return differencesInWords(theirs, yours, words).map((one) => ({
    ...one,
    isYours: byYou.has(one.path),
    isTheirs: byThem.has(one.path),
  }));
};

const pathOf = ({ submissionUuid }: KnownBirthRecord): string =>
  `/registry/records/${submissionUuid}/correct`;

const resumeOf = (record: KnownBirthRecord): string => `${pathOf(record)}?draft=yes`;

const draftOf = ({ submissionUuid }: KnownBirthRecord): DraftName => ({
  form: 'correct',
  draftId: submissionUuid,
});
