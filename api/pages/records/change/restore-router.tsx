import { type Request, type Response, Router } from 'express';
import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../../../domain/birth-record/replay.ts';
import { readVersion } from '../../../../domain/birth-record/restore.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import { parseReason } from '../../../../domain/text-input.ts';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import {
  type RestoredRecord,
  restoreVersion,
  restoreVoided,
} from '../../../record-commands/restore-record.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { FLAGGED_DUPLICATE } from '../../birth-form/confirm/after-save.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { BUSY, Notice } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { formatChanges } from '../../text/course-values.ts';
import { formatVersion } from '../../text/record-event-text.ts';
import { loadHistoryNames } from '../history/history-names.ts';
import { buildValueContext } from '../record/record-view.ts';
import {
  buildBringBackPath,
  buildRecordPath,
  loadEvents,
  loadRecordToChange,
  readRecordId,
  requireRecordId,
} from '../record-params.ts';
import { BringBackPage, RestoreBlocked, RestoreOutdated, RestorePage } from './restore-page.tsx';

const RESTORE = '/registry/records/:record/restore';
const BRING_BACK = '/registry/records/:record/bring-back';
const RESTORING = requireRole('Admin', 'Provider');

/** The requested version equals the current one. */
export const describeNothingToRestore = (version: number): string =>
  `The record is at version ${version} now: there is nothing to restore.`;

export const NOTHING_TO_BRING_BACK = 'This record is active: there is nothing to bring back.';

export const describeRestored = (version: number, now: number): string =>
  `Version ${version} is restored: this is version ${now}.`;

export const describeBroughtBack = (now: number): string =>
  `The record is back: this is version ${now}.`;

/** Values to show a page again with, including typed ones and conflicts. */
interface RestoreFormView {
  readonly status?: number;
  readonly reason?: string;
  readonly errors?: readonly FieldError[];
  readonly above?: preact.JSX.Element | null;
  readonly lookAlikes?: readonly string[] | null;
}

/** Restores an earlier version of a live record, or a voided record. */
export const restoreRouter = (registry: App): Router => {
  const showRestore = async (
    req: Request,
    res: Response,
    version: number,
    { status = 200, reason = '', errors = [], above = null }: RestoreFormView = {},
  ): Promise<void> => {
    const stored = await loadEvents(registry, req, res);
    const { state } = toLoadedRecord(stored);
    if (state.status === 'none') throw pageNotFound();
    if (state.status === 'voided') {
      flash(req, 'info', formatRefusal({ code: 'voided-is-brought-back-first' }));
      res.redirect(303, buildBringBackPath(state.submissionUuid));
      return;
    }
    const wanted = findStoredVersion(stored, version);
    if (wanted === undefined) throw pageNotFound();
    if (version === state.version) {
      flash(req, 'info', describeNothingToRestore(version));
      res.redirect(303, buildRecordPath(state.submissionUuid));
      return;
    }
    await noteShownRecords(registry, res, state);
    const names = await loadHistoryNames(registry, getSeat(res), stored);
    const { course, keyKind } = wanted.event.data;
    sendPage(
      req,
      res,
      {
        title: `Restore version ${version}`,
        hasErrors: status !== 200,
        children: (
          <RestorePage
            href={buildRecordPath(state.submissionUuid)}
            seen={state.version}
            version={version}
            madeBy={formatVersion(wanted, names.actors)}
            changes={formatChanges(state.course, course, buildValueContext(names))}
            isDeIdentified={keyKind === 'partner' && state.keyKind !== 'partner'}
            reason={reason}
            errors={errors}
            above={above}
          />
        ),
      },
      status,
    );
  };

  const showBringBack = async (
    req: Request,
    res: Response,
    {
      status = 200,
      reason = '',
      errors = [],
      above = null,
      lookAlikes = null,
    }: RestoreFormView = {},
  ): Promise<void> => {
    const { state } = toLoadedRecord(await loadEvents(registry, req, res));
    if (state.status === 'none') throw pageNotFound();
    const { submissionUuid, course, version, practiceId } = state;
    if (state.status === 'live') {
      flash(req, 'info', NOTHING_TO_BRING_BACK);
      res.redirect(303, buildRecordPath(submissionUuid));
      return;
    }
    await noteShownRecords(registry, res, state, lookAlikes ?? []);
    sendPage(
      req,
      res,
      {
        title: 'Bring record back',
        hasErrors: status !== 200,
        children: (
          <BringBackPage
            href={buildRecordPath(submissionUuid)}
            seen={version}
            course={course}
            practice={getSeat(res).practice.name}
            reason={reason}
            errors={errors}
            above={above}
            lookAlikes={
              lookAlikes === null ? null : await registry.reads.nameRecords(practiceId, lookAlikes)
            }
          />
        ),
      },
      status,
    );
  };

  /** Redirects after success, or shows the page again. */
  const answer = async (
    req: Request,
    res: Response,
    outcome: RestoredRecord | null,
    done: (version: number) => string,
    show: (showing: RestoreFormView) => Promise<void>,
  ): Promise<void> => {
    const reason = readFormText(req, 'reason');
    const { practiceId } = getSeat(res);
    const href = buildRecordPath(readRecordId(req));
    switch (outcome?.kind) {
      case 'done':
        flash(req, 'success', done(outcome.state.version));
        if (outcome.isFlagged) flash(req, 'warning', FLAGGED_DUPLICATE);
        res.redirect(303, href);
        return;
      case 'no-such-record':
        throw pageNotFound();
      case undefined:
        await show({ status: 503, reason, above: <Notice kind="error">{BUSY}</Notice> });
        return;
      case 'refused':
        await show({
          status: 422,
          reason,
          above: <Notice kind="error">{formatRefusal(outcome)}</Notice>,
        });
        return;
      case 'changed-concurrently': {
        const { version } = outcome.held;
        const above = <RestoreOutdated href={href} seen={version} />;
        await show({ status: 409, reason, above });
        return;
      }
      case 'look-alike':
        await show({ status: 409, reason, lookAlikes: outcome.submissionUuids });
        return;
      case 'rejected': {
        const records = await registry.reads.nameRecords(practiceId, outcome.matches);
        const above = <RestoreBlocked records={records} />;
        await show({ status: 422, reason, above });
      }
    }
  };

  return Router()
    .get(RESTORE, requireRecordId, RESTORING, (req, res) =>
      showRestore(req, res, Number(readQueryText(req, 'version'))),
    )
    .post(RESTORE, requireRecordId, RESTORING, async (req, res) => {
      const version = Number(readFormText(req, 'version'));
      const show = (showing: RestoreFormView) => showRestore(req, res, version, showing);
      const reason = readReason(req);
      if (reason.kind === 'refused') {
        await show({ status: 422, reason: readFormText(req, 'reason'), errors: [reason.error] });
        return;
      }
      const seen = Number(readFormText(req, 'seen'));
      const wish = { version, seen, reason: reason.text };
      const outcome = await nullIfLeaseUnavailable(
        restoreVersion(registry, loadRecordToChange(res, readRecordId(req)), wish),
      );
      await answer(req, res, outcome, (now) => describeRestored(version, now), show);
    })
    .get(BRING_BACK, requireRecordId, RESTORING, (req, res) => showBringBack(req, res))
    .post(BRING_BACK, requireRecordId, RESTORING, async (req, res) => {
      const show = (showing: RestoreFormView) => showBringBack(req, res, showing);
      const reason = readReason(req);
      if (reason.kind === 'refused') {
        await show({ status: 422, reason: readFormText(req, 'reason'), errors: [reason.error] });
        return;
      }
      const seen = Number(readFormText(req, 'seen'));
      const wish = { seen, reason: reason.text, overrule: readFormText(req, 'overrule') === 'yes' };
      const outcome = await nullIfLeaseUnavailable(
        restoreVoided(registry, loadRecordToChange(res, readRecordId(req)), wish),
      );
      await answer(req, res, outcome, describeBroughtBack, show);
    });
};

type StoredVersion = StoredRecordEvent & {
  readonly event: Extract<BirthRecordEvent, { readonly type: 'BirthRecorded' | 'BirthAmended' }>;
};

/** Event that created a version; `undefined` if none did or it voided the record. */
const findStoredVersion = (
  stored: readonly StoredRecordEvent[],
  version: number,
): StoredVersion | undefined => {
  const data = readVersion(
    version,
    stored.map(({ event }) => event),
  );
  return stored.find((one): one is StoredVersion => one.event.data === data);
};

const noteShownRecords = (
  registry: App,
  res: Response,
  { submissionUuid }: KnownBirthRecord,
  others: readonly string[] = [],
): Promise<void> =>
  noteRecordsShown(registry, res, {
    place: 'restore-form',
    recordIds: [submissionUuid, ...others],
  });

/** Optional reason. */
const readReason = (
  req: Request,
):
  | { readonly kind: 'reason'; readonly text: string | undefined }
  | { readonly kind: 'refused'; readonly error: FieldError } => {
  const text = readFormText(req, 'reason');
  if (text.trim() === '') return { kind: 'reason', text: undefined };
  const typed = parseReason(text);
  return typed.kind === 'line'
    ? { kind: 'reason', text: typed.line }
    : { kind: 'refused', error: toFieldError('reason', typed) };
};
