import type { Request, Response, Router } from 'express';
import { nanoid } from 'nanoid';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import { listTemplateColumns } from '../../../domain/mapping/csv/column-names.ts';
import { MAX_FILE_BYTES } from '../../../domain/mapping/csv/file-limits.ts';
import type { FileRefusal } from '../../../domain/mapping/csv/header.ts';
import type { QueueLimit } from '../../../domain/submission/queue-share.ts';
import type { Confirmation } from '../../../domain/submission/staged-import.ts';
import type { ImportOwner } from '../../../projections/lists/practice-imports.ts';
import type { Seat } from '../../access/signed-in.ts';
import { noteExport, noteImportShown } from '../../access-log/access-notes.ts';
import { checkFile } from '../../import/check-file.ts';
import {
  buildImportResult,
  buildImportResultFile,
  listResultRecords,
} from '../../import/import-result.ts';
import { buildRefusedRowsFile, listRefusalReasons } from '../../import/refused-rows.ts';
import { answerConsent } from '../../import/revise-import.ts';
import { findImportColumns, stageImport } from '../../import/stage-import.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { sendCsv } from '../../web/files/send-csv.ts';
import { isUpload, readUpload } from '../../web/files/uploaded-file.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireSeatAgain, requireWriter } from '../../web/guards/seats.ts';
import { fileIsChecked, PageProblem, pageNotFound, recordsAhead } from '../../web/page-problem.ts';
import type { FieldError } from '../layout/field-errors.ts';
import type { PageView } from '../layout/page.tsx';
import { action, createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { requireStepUp } from '../second-factor/step-up.tsx';
import { formatActor } from '../text/record-event-text.ts';
import { ColumnsPage } from './columns-page.tsx';
import { FILE_FIELD, IMPORT_PATH, INSTEAD_FIELD, SHEET_FIELD } from './file-form.tsx';
import { toImportOutcome } from './import-outcome.ts';
import { formatChecked, formatProgress } from './import-text.ts';
import { CONSENT_FIELD, REPEAT_FIELD } from './preview-page.tsx';
import {
  CHECKING_TITLE,
  CheckProgress,
  POLL_INTERVAL_SECONDS,
  ProgressPage,
} from './progress-page.tsx';
import { ResultPage } from './result-page.tsx';
import { isLimitedToOwn } from './seat-limits.ts';
import { showPreview } from './send-preview.tsx';
import { UndoProgressPage } from './undo-page.tsx';
import { mayUndo } from './undo-router.tsx';
import { UploadPage } from './upload-page.tsx';

/**
 * Repeats are harmless, because an import and its ingestion share an id.
 * @param mayRepeat true if the member knows that the file was imported before
 * @param consent for a file without a consent column; `null` to keep the earlier answer
 * @param requirePermission called right before the write; if it throws, nothing is queued
 * @returns `no-room` if the queue, or the practice's share of it, is full
 */
export const confirmImport = async (
  app: App,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
  consent: boolean | null = null,
  requirePermission: () => Promise<void> = async () => undefined,
): Promise<Confirmation | { readonly kind: 'no-room'; readonly limit: QueueLimit }> => {
  const { stagedImports, wakeups, queueLoad, afterStep } = app;
  if (consent !== null) await answerConsent(app, { practiceId, memberId, importId }, consent);
  const found = await stagedImports.find(practiceId, memberId, importId);
  const courses = found === null || found.staged.isConfirmed ? null : found.staged.courses;
  const admission = courses === null ? null : await queueLoad.admit(practiceId, courses);
  if (admission?.kind === 'refused') return { kind: 'no-room', limit: admission.limit };
  await requirePermission();
  const confirmation = await stagedImports
    .confirm(practiceId, memberId, importId, mayRepeat, nanoid())
    .finally(admission?.end);
  if (confirmation.kind === 'confirmed') {
    afterStep('row-queued');
    wakeups.emit('queued');
  }
  return confirmation;
};

export const buildTemplateFile = (
  { csv }: App,
  customFields: readonly CustomField[],
): AsyncIterable<string> =>
  csv.write(
    listTemplateColumns(customFields).map(({ name }) => name),
    [],
  );

export const REPEATED_MESSAGE = 'This file was already imported. Check the box to import it again.';

export const FILE_DISCARDED_MESSAGE = 'The file was discarded. Nothing in it was recorded.';

const ALREADY_IMPORTED_MESSAGE = 'This file was already imported, so it was not discarded.';

export const NO_FILE_MESSAGE = 'Choose an Excel workbook or a CSV file.';

const CHECK = `${IMPORT_PATH}/:id`;

const PAST_IMPORTS = 20;
const FIRST_REFUSED = 20;
export const CONSENT_OPEN = 'Choose whether consent was granted. The file doesn’t say.';
const CONSENT_ANSWERS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
]);

export const importRouter = (app: App): Router =>
  createRouter(
    page(IMPORT_PATH, requireWriter, (_req, res) => showUploadPage(app, res)),
    page(`${IMPORT_PATH}/template.csv`, requireWriter, async (_req, res) => {
      const customFields = await app.reads.listCustomFields(getSeat(res).practiceId);
      await sendCsv(res, 'births.csv', buildTemplateFile(app, customFields));
      return undefined;
    }),
    page(`${IMPORT_PATH}/columns`, requireWriter, async (_req, res) => {
      const { practiceId } = getSeat(res);
      return {
        title: 'Columns of the template',
        action: (
          <a class="usa-button" href={`${IMPORT_PATH}/template.csv`}>
            Download template
          </a>
        ),
        children: (
          <ColumnsPage
            customFields={await app.reads.listCustomFields(practiceId)}
            remembered={await findImportColumns(app, practiceId)}
          />
        ),
      };
    }),
    page(CHECK, requireWriter, async (req, res) => {
      const checking = await showCheck(app, req, res);
      if (checking !== null) return checking;
      const owner = await findCheck(app, req, res);
      return owner === null
        ? redirect(buildProgressPath(req))
        : showPreview(app, req, res, owner.memberId);
    }),
    action(`${CHECK}/confirm`, requireWriter, CHECK, (req, res) => confirm(app, req, res)),
    action(`${CHECK}/drop`, requireWriter, CHECK, (req, res) => discard(app, req, res)),
    page(`${CHECK}/progress`, requireWriter, (req, res) => showProgress(app, req, res)),
    page(`${CHECK}/progress/figures`, requireWriter, async (req, res) => {
      const { status, processed, total } = await loadProgress(app, req, res);
      res.set('Cache-Control', 'no-store').json({
        hasEnded: status === 'completed' || status === 'failed',
        processed,
        total,
        words: formatProgress(processed, total),
      });
      return undefined;
    }),
    page(`${CHECK}/check/figures`, requireWriter, async (req, res) => {
      const check = await findOwnCheck(app, req, res);
      const { done = 0, total = 0, refusal = null, isInterrupted = false } = check ?? {};
      res.set('Cache-Control', 'no-store').json({
        hasEnded: check === null || refusal !== null || isInterrupted,
        processed: done,
        total,
        words: formatChecked(done, total),
      });
      return undefined;
    }),
    page(`${CHECK}/refused.csv`, [requireWriter, requireStepUp(app)], async (req, res) => {
      const seat = getSeat(res);
      const { practiceId } = seat;
      const importId = readImportId(req);
      const progress = await app.reads.imports.findProgress(practiceId, importId);
      // Until it is imported, only the person who checked a file sees it.
      const memberId = progress?.startedBy ?? seat.memberId;
      if (!canSee(seat, memberId)) throw pageNotFound();
      const which = { practiceId, memberId, importId };
      const reasons = await listRefusalReasons(app, which);
      const file = await buildRefusedRowsFile(app, which, reasons);
      if (file === null || reasons.size === 0) throw buildRowsNotFound();
      await noteExport(app, res, { what: 'import-result', rows: reasons.size, recordIds: [] });
      await sendCsv(res, 'refused-rows.csv', file);
      return undefined;
    }),
    page(`${CHECK}/result.csv`, [requireWriter, requireStepUp(app)], async (req, res) => {
      const progress = await loadProgress(app, req, res);
      const file = buildImportResultFile(app, progress);
      if (file === null) throw pageNotFound();
      const recordIds = await listResultRecords(app, progress);
      await noteExport(app, res, { what: 'import-result', rows: progress.total, recordIds });
      await sendCsv(res, 'import-result.csv', file);
      return undefined;
    }),
    post(IMPORT_PATH, requireWriter, (req, res) => check(app, req, res)),
  );

const readImportId = (req: Request): string => String(req.params['id']);

const buildImportPath = (req: Request): string => `${IMPORT_PATH}/${readImportId(req)}`;

const buildProgressPath = (req: Request): string => `${buildImportPath(req)}/progress`;

const showUploadPage = async (
  app: App,
  res: Response,
  errors: readonly FieldError[] = [],
  insteadOf: string | null = null,
): Promise<PageView> => {
  const seat = getSeat(res);
  const { practiceId, memberId } = seat;
  const [past, waiting, running] = await Promise.all([
    app.reads.imports.past(practiceId, isLimitedToOwn(seat) ? memberId : null, PAST_IMPORTS),
    app.reads.imports.waiting(practiceId, memberId),
    app.fileChecks.listRunning(practiceId, memberId),
  ]);
  const names = await app.reads.findActorNames(
    practiceId,
    past.map((one) => ({ kind: 'member', id: one.memberId })),
  );
  return {
    title: 'Import births',
    hasErrors: errors.length > 0,
    scripts: ['drop-zone.mjs'],
    children: (
      <UploadPage
        errors={errors}
        insteadOf={insteadOf}
        waiting={waiting}
        running={running}
        past={past}
        names={names}
        isOwnOnly={isLimitedToOwn(seat)}
      />
    ),
  };
};

const check = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId, memberId, practice } = getSeat(res);
  let insteadOf: string | null = null;
  const checked = await checkFile(app, { practiceId, memberId }, async (_claim, receive) => {
    const { file, fields } = isUpload(req)
      ? await readUpload(req, res, MAX_FILE_BYTES, receive)
      : { file: null, fields: new Map<string, string>() };
    insteadOf = fields.get(INSTEAD_FIELD) ?? null;
    const replaced = insteadOf;
    if (file === null)
      return {
        kind: 'answered',
        result: await showUploadPage(app, res, [NO_FILE], replaced),
      };
    const customFields = await app.reads.listCustomFields(practiceId);
    const clock = createPracticeClock(practice.timeZone, app.now(), practice.dateOrder);
    return {
      kind: 'received',
      stage: async (options) => {
        const staging = await stageImport(
          app,
          {
            practiceId,
            memberId,
            fileName: file.name,
            bytes: file.bytes,
            sheetName: (fields.get(SHEET_FIELD) ?? '').trim(),
            entering: { ...clock, customFields },
          },
          options,
        );
        if (staging.kind === 'staged' && replaced !== null)
          await app.reads.imports.drop(practiceId, memberId, replaced);
        return staging;
      },
    };
  });
  switch (checked.kind) {
    case 'answered':
      return checked.result;
    case 'refused':
      return showUploadPage(app, res, [toFileError(checked)], insteadOf);
    case 'staged':
    case 'checking':
      return redirect(`${IMPORT_PATH}/${checked.importId}`);
  }
};

const NO_FILE: FieldError = { field: FILE_FIELD, id: 'no-file', message: NO_FILE_MESSAGE };

const toFileError = ({ id, problem }: FileRefusal): FieldError => ({
  field: id === 'sheet-unknown' ? SHEET_FIELD : FILE_FIELD,
  id,
  message: problem,
});

/** Shows a check that is under way, or why it gave no preview; `null` if there is none. */
const showCheck = async (app: App, req: Request, res: Response): Promise<PageView | null> => {
  const check = await findOwnCheck(app, req, res);
  if (check === null) return null;
  res.set('Cache-Control', 'no-store');
  if (check.refusal !== null) return showUploadPage(app, res, [toFileError(check.refusal)]);
  if (check.isInterrupted) return showUploadPage(app, res, [INTERRUPTED]);
  return {
    title: CHECKING_TITLE,
    scripts: ['import-progress.mjs'],
    refreshSeconds: POLL_INTERVAL_SECONDS,
    children: <CheckProgress importId={readImportId(req)} {...check} />,
  };
};

export const CHECK_INTERRUPTED_MESSAGE =
  'The check of your file was interrupted, and nothing was recorded. Upload the file again.';

const INTERRUPTED: FieldError = {
  field: FILE_FIELD,
  id: 'check-interrupted',
  message: CHECK_INTERRUPTED_MESSAGE,
};

const findOwnCheck = async (app: App, req: Request, res: Response) => {
  const seat = getSeat(res);
  const check = await app.fileChecks.find(seat.practiceId, readImportId(req));
  return check !== null && check.memberId === seat.memberId ? check : null;
};

/** `null` if confirmed. @throws PageProblem 404, 410 */
const findCheck = async (app: App, req: Request, res: Response): Promise<ImportOwner | null> => {
  const seat = getSeat(res);
  const owner = await app.reads.imports.ownerOf(seat.practiceId, readImportId(req));
  const mayLook = owner !== null && (owner.memberId === seat.memberId || !isLimitedToOwn(seat));
  if (!mayLook || owner.isConfirmed) {
    // A confirmed import shows its progress even long after its check was deleted.
    const progress = await app.reads.imports.findProgress(seat.practiceId, readImportId(req));
    if (progress === null || !canSee(seat, progress.startedBy)) throw checkNotFound();
    return null;
  }
  if (owner.isExpired) throw checkExpired();
  return owner;
};

const canSee = (seat: Seat, startedBy: string): boolean =>
  !isLimitedToOwn(seat) || startedBy === seat.memberId;

export const checkNotFound = (): PageProblem =>
  new PageProblem(
    404,
    'Check not found',
    'Checked files are kept for a day, and only the most recent ones. Go to Import to upload the file again.',
  );

export const checkExpired = (): PageProblem =>
  new PageProblem(
    410,
    'This check has expired',
    'Checked files are kept for a day. Nothing in this one was recorded. Go to Import to upload it again.',
  );

const buildRowsNotFound = (): PageProblem =>
  new PageProblem(
    404,
    'These rows are no longer available',
    'The rows of a file are kept for a day after the check. The result still shows which rows were rejected and why.',
  );

const confirm = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId, memberId } = getSeat(res);
  const isStaged = (await app.reads.imports.ownerOf(practiceId, readImportId(req))) !== null;
  const check = isStaged ? null : await findOwnCheck(app, req, res);
  if (check !== null) {
    const hasEnded = check.refusal !== null || check.isInterrupted;
    if (hasEnded) return redirect(buildImportPath(req));
    throw fileIsChecked();
  }
  if ((await findCheck(app, req, res)) === null) return redirect(buildProgressPath(req));
  const confirmation = await confirmImport(
    app,
    practiceId,
    memberId,
    readImportId(req),
    readFormText(req, REPEAT_FIELD) !== '',
    CONSENT_ANSWERS.get(readFormText(req, CONSENT_FIELD)) ?? null,
    () => requireSeatAgain(res),
  );
  const refuse = (field: string, id: string, message: string) =>
    showPreview(app, req, res, memberId, { errors: [{ field, id, message }] });
  switch (confirmation.kind) {
    case 'confirmed':
      return redirect(buildProgressPath(req));
    case 'repeated':
      return refuse(REPEAT_FIELD, 'imported-before', REPEATED_MESSAGE);
    case 'consent-open':
      return refuse(CONSENT_FIELD, 'consent-open', CONSENT_OPEN);
    case 'no-room':
      throw recordsAhead(app.queueLoad.refusedForSeconds(practiceId, confirmation.limit));
    case 'nothing-to-import':
      return redirect(buildImportPath(req));
    case 'gone':
      throw checkNotFound();
  }
};

const discard = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId, memberId } = getSeat(res);
  if (await app.reads.imports.drop(practiceId, memberId, readImportId(req)))
    return redirect(IMPORT_PATH, FILE_DISCARDED_MESSAGE);
  if ((await findCheck(app, req, res)) !== null) throw checkNotFound();
  return redirect(IMPORT_PATH, ALREADY_IMPORTED_MESSAGE, 'warning');
};

/** @throws PageProblem 404 */
const loadProgress = async (app: App, req: Request, res: Response) => {
  const seat = getSeat(res);
  const progress = await app.reads.imports.findProgress(seat.practiceId, readImportId(req));
  if (progress === null || !canSee(seat, progress.startedBy)) throw pageNotFound();
  return progress;
};

const showProgress = async (app: App, req: Request, res: Response): Promise<PageView> => {
  const seat = getSeat(res);
  const progress = await loadProgress(app, req, res);
  const lines = buildImportResult(app, progress);
  res.set('Cache-Control', 'no-store');
  const live = { scripts: ['import-progress.mjs'], refreshSeconds: POLL_INTERVAL_SECONDS };
  if (lines === null)
    return {
      ...live,
      title: 'Import in progress',
      children: <ProgressPage progress={progress} />,
    };
  const undo = await app.reads.imports.undoOf(seat.practiceId, progress.importId);
  if (undo !== null && undo.undoneAt === null)
    return {
      ...live,
      title: 'Undo in progress',
      children: <UndoProgressPage importId={progress.importId} undo={undo} />,
    };
  const who = { kind: 'member', id: progress.startedBy } as const;
  const undoneBy = { kind: 'member', id: undo?.by ?? '' } as const;
  const [outcome, names] = await Promise.all([
    toImportOutcome(lines, FIRST_REFUSED),
    app.reads.findActorNames(seat.practiceId, [who, undoneBy]),
  ]);
  // Chart numbers of refused rows belong to no record, so nothing else would log this access.
  if (outcome.firstRefused.length > 0)
    await noteImportShown(app, res, progress.importId, progress.startedBy);
  return {
    title:
      undo !== null
        ? 'Import undone'
        : progress.status === 'failed'
          ? 'Import stopped'
          : 'Import finished',
    action: (
      <a class="usa-button" href={`${buildImportPath(req)}/result.csv`}>
        Download result
      </a>
    ),
    children: (
      <ResultPage
        progress={progress}
        outcome={outcome}
        by={formatActor(who, names)}
        readsRecords={!isLimitedToOwn(seat)}
        undo={undo}
        undoneBy={formatActor(undoneBy, names)}
        mayUndo={progress.status === 'completed' && undo === null && mayUndo(seat, who.id)}
      />
    ),
  };
};
