import type { Request, Response, Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
import { readVersion } from '../../../../domain/birth-record/restore.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import { parseReason } from '../../../../domain/text-input.ts';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import { formatRefusal } from '../../../commands/refusal-messages.ts';
import type { App } from '../../../ports/app-ports.ts';
import { RECENT_EVENTS, readRecordPart } from '../../../record-commands/record-part.ts';
import {
  type RestoredRecord,
  restoreVersion,
  restoreVoided,
} from '../../../record-commands/restore-record.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { flash, type Message } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { BUSY, Notice } from '../../layout/flash-messages.tsx';
import {
  buildBringBackPath,
  buildRecordPath,
  buildRecordToChange,
  loadCurrent,
  loadEvents,
  RECORD_PAGE,
  readRecordId,
  requireRecordId,
} from '../../layout/record-params.ts';
import { createRouter, page, post, type Reply, redirect } from '../../layout/routes.tsx';
import { FLAGGED_DUPLICATE } from '../../parts/birth-form/confirm/after-save.ts';
import { loadRecordNames } from '../../parts/birth-form/form/record-names.ts';
import { buildCourseContext, formatChanges } from '../../text/course-values.ts';
import { formatVersion } from '../../text/record-event-text.ts';
import { loadHistoryNames } from '../history/history-names.ts';
import { BringBackPage, RestoreBlocked, RestoreOutdated, RestorePage } from './restore-page.tsx';

const RESTORE = `${RECORD_PAGE}/restore`;
const BRING_BACK = `${RECORD_PAGE}/bring-back`;
const GUARDS = [requireRecordId, requireRole('Admin', 'Provider')];

interface RestoreFormView {
  readonly status?: number;
  readonly reason?: string;
  readonly errors?: readonly FieldError[];
  readonly above?: ComponentChildren;
  /** Ids of records that the restored one would match. */
  readonly matchIds?: readonly string[];
}

export const restoreRouter = (app: App): Router => {
  // Most people restore a recent version. An older one is searched in all events.
  const loadVersion = async (req: Request, res: Response, stream: string, version: number) => {
    const { stored, isWhole } = await readRecordPart(app.log.readRecent, stream, RECENT_EVENTS);
    const recent = findStoredVersion(stored, version);
    if (recent !== undefined || isWhole) return recent;
    return findStoredVersion(await loadEvents(app, req, res), version);
  };
  const noteAccess = (
    res: Response,
    { submissionUuid }: KnownBirthRecord,
    matchIds: readonly string[] = [],
  ): Promise<void> =>
    noteRecordsShown(app, res, {
      place: 'restore-form',
      recordIds: [submissionUuid, ...matchIds],
    });

  const showRestore = async (
    req: Request,
    res: Response,
    version: number,
    { status = 200, reason = '', errors = [], above }: RestoreFormView = {},
  ): Promise<Reply> => {
    const state = await loadCurrent(app, req, res);
    if (state.status === 'voided')
      return redirect(
        buildBringBackPath(state.submissionUuid),
        formatRefusal({ code: 'voided-is-brought-back-first' }),
        'info',
      );
    const stream = await app.reads.findRecordStream(state.practiceId, state.submissionUuid);
    const target = stream === null ? undefined : await loadVersion(req, res, stream, version);
    if (target === undefined) throw pageNotFound();
    const href = buildRecordPath(state.submissionUuid);
    if (version === state.version) {
      const text = `The record is already at version ${version}, so there is nothing to restore.`;
      return redirect(href, { id: 'nothing-to-restore', text }, 'info');
    }
    await noteAccess(res, state);
    const names = await loadHistoryNames(app, getSeat(res), [target]);
    const { course, keyKind } = target.event.data;
    return {
      title: `Restore version ${version}`,
      status,
      hasErrors: status !== 200,
      errors,
      children: (
        <>
          {above}
          <RestorePage
            href={href}
            seen={state.version}
            version={version}
            madeBy={formatVersion(target, names.actors)}
            changes={formatChanges(state.course, course, buildCourseContext(names))}
            isDeIdentified={keyKind === 'partner' && state.keyKind !== 'partner'}
            reason={reason}
          />
        </>
      ),
    };
  };

  const showBringBack = async (
    req: Request,
    res: Response,
    { status = 200, reason = '', errors = [], above, matchIds }: RestoreFormView = {},
  ): Promise<Reply> => {
    const state = await loadCurrent(app, req, res);
    const { submissionUuid, course, version, practiceId } = state;
    const href = buildRecordPath(submissionUuid);
    if (state.status === 'live') {
      const text = 'This record is active, so there is nothing to restore.';
      return redirect(href, { id: 'record-is-active', text }, 'info');
    }
    await noteAccess(res, state, matchIds);
    return {
      title: 'Restore record',
      status,
      hasErrors: status !== 200,
      errors,
      children: (
        <>
          {above}
          <BringBackPage
            href={href}
            seen={version}
            course={course}
            practice={getSeat(res).practice.name}
            reason={reason}
            matches={
              matchIds === undefined ? null : await app.reads.nameRecords(practiceId, matchIds)
            }
          />
        </>
      ),
    };
  };

  const restore = async (
    req: Request,
    res: Response,
    show: (view: RestoreFormView) => Promise<Reply>,
    describeDone: (version: number) => Message,
    run: (reason: string | undefined, seen: number) => Promise<RestoredRecord>,
  ): Promise<Reply> => {
    const reason = readFormText(req, 'reason');
    const parsed = reason.trim() === '' ? null : parseReason(reason);
    if (parsed?.kind === 'refused')
      return show({ status: 422, reason, errors: [toFieldError('reason', parsed)] });
    const outcome = await nullIfLeaseUnavailable(
      run(parsed?.line, Number(readFormText(req, 'seen'))),
    );
    const href = buildRecordPath(readRecordId(req));
    switch (outcome?.kind) {
      case 'done':
        flash(req, 'success', describeDone(outcome.state.version));
        return redirect(href, outcome.isFlagged ? FLAGGED_DUPLICATE : undefined, 'warning');
      case 'no-such-record':
        throw pageNotFound();
      case undefined:
        return show({ status: 503, reason, above: <Notice kind="error">{BUSY}</Notice> });
      case 'refused':
        return show({
          status: 422,
          reason,
          above: <Notice kind="error">{formatRefusal(outcome)}</Notice>,
        });
      case 'changed-concurrently':
        return show({
          status: 409,
          reason,
          above: <RestoreOutdated href={href} seen={outcome.current.version} />,
        });
      case 'look-alike':
        return show({ status: 409, reason, matchIds: outcome.submissionUuids });
      case 'rejected': {
        const records = await loadRecordNames(app, res, 'restore-form', outcome.matches);
        return show({ status: 422, reason, above: <RestoreBlocked records={records ?? []} /> });
      }
    }
  };

  return createRouter(
    page(RESTORE, GUARDS, (req, res) =>
      showRestore(req, res, Number(readQueryText(req, 'version'))),
    ),
    post(RESTORE, GUARDS, (req, res) => {
      const version = Number(readFormText(req, 'version'));
      return restore(
        req,
        res,
        (view) => showRestore(req, res, version, view),
        (now) => ({
          id: 'version-restored',
          text: `Version ${version} was restored as version ${now}.`,
        }),
        (reason, seen) =>
          restoreVersion(app, buildRecordToChange(res, readRecordId(req)), {
            version,
            seen,
            reason,
          }),
      );
    }),
    page(BRING_BACK, GUARDS, showBringBack),
    post(BRING_BACK, GUARDS, (req, res) =>
      restore(
        req,
        res,
        (view) => showBringBack(req, res, view),
        (now) => ({ id: 'record-restored', text: `Record restored. It is now at version ${now}.` }),
        (reason, seen) =>
          restoreVoided(app, buildRecordToChange(res, readRecordId(req)), {
            seen,
            reason,
            overrule: readFormText(req, 'overrule') === 'yes',
          }),
      ),
    ),
  );
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
