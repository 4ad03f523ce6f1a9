import type { Request, Response, Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
import { readVersion } from '../../../../domain/birth-record/restore.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import { MAX_REASON_LENGTH, parseReason } from '../../../../domain/text-input.ts';
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
import { getSeat, requireAdminOrProvider } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { addFlash, type Message } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { ChangesTable } from '../../layout/changes-table.tsx';
import { Confirm } from '../../layout/confirm.tsx';
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
import { TextArea } from '../../layout/text-area.tsx';
import { FLAGGED_DUPLICATE } from '../../parts/birth-form/confirm/after-save.ts';
import { RecordLinks } from '../../parts/birth-form/confirm/confirmation-form.tsx';
import { loadRecordNames } from '../../parts/birth-form/form/record-names.ts';
import { describeRecord } from '../../parts/void-page.tsx';
import { buildCourseContext, formatChanges } from '../../text/course-values.ts';
import { formatVersion } from '../../text/record-event-text.ts';
import { loadHistoryNames } from '../history/history-part.ts';

const RESTORE = `${RECORD_PAGE}/restore`;
const BRING_BACK = `${RECORD_PAGE}/bring-back`;
const GUARDS = [requireRecordId, requireAdminOrProvider];

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
  const noteView = (
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
    await noteView(res, state);
    const names = await loadHistoryNames(app, getSeat(res), [target]);
    const { course, keyKind } = target.event.data;
    const changes = formatChanges(state.course, course, buildCourseContext(names));
    return {
      title: `Restore version ${version}`,
      status,
      hasErrors: status !== 200,
      errors,
      children: (
        <>
          {above}
          <Confirm
            action={`${href}/restore`}
            submit={`Restore version ${version}`}
            cancel={href}
            fields={{ version: String(version), seen: String(state.version) }}
          >
            <p>
              This restores the values of version {version} (“{formatVersion(target, names.actors)}
              ”) as a new version. Every value keeps its source. Nothing is lost: the current
              version stays in the history, and you can restore it too.
            </p>
            {keyKind === 'partner' && state.keyKind !== 'partner' && (
              <p>
                A partner sent that version. It has no names, exact dates or contact details, so the
                record will be de-identified again.
              </p>
            )}
            {changes.length === 0 ? (
              <p>The values stay the same. Only their sources change.</p>
            ) : (
              <div class="margin-bottom-3">
                <ChangesTable
                  caption={
                    changes.length === 1 ? 'One value changes' : `${changes.length} values change`
                  }
                  changes={changes}
                  after="After restoring"
                />
              </div>
            )}
            <ReasonField reason={reason} />
          </Confirm>
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
    await noteView(res, state, matchIds);
    const matches =
      matchIds === undefined ? null : await app.reads.nameRecords(practiceId, matchIds);
    return {
      title: 'Restore record',
      status,
      hasErrors: status !== 200,
      errors,
      children: (
        <>
          {above}
          <Confirm
            action={`${href}/bring-back`}
            submit={matches === null ? 'Restore record' : 'Restore and flag record'}
            cancel={href}
            fields={{ seen: String(version), ...(matches !== null && { overrule: 'yes' }) }}
          >
            {matches !== null && (
              <>
                <p>
                  <strong data-message="not-restored-yet">
                    The record has not been restored yet.
                  </strong>{' '}
                  Your practice has a record with the same mother and the same time of birth:
                </p>
                <RecordLinks records={matches} />
                <p>
                  If it is a different birth, restore this record: it will be flagged as a possible
                  duplicate, for someone to compare the two. If it is the same birth, leave this
                  record voided.
                </p>
              </>
            )}
            <p>
              You are about to restore the record of {describeRecord(course)}, with the values that
              it had before it was voided. For everyone at {getSeat(res).practice.name}:
            </p>
            <ul class="usa-list">
              <li>Every value returns with its source, as a new version.</li>
              <li data-message="counts-again">
                It counts in the births log, the statistics and the benchmarks again, at once.
              </li>
              <li>It is checked for duplicates again.</li>
              <li>The void and its reason stay in the history.</li>
            </ul>
            <ReasonField reason={reason} />
          </Confirm>
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
    const showAbove = (status: number, above: ComponentChildren) => show({ status, reason, above });
    switch (outcome?.kind) {
      case 'done':
        addFlash(req, { kind: 'success', ...describeDone(outcome.state.version) });
        return redirect(href, outcome.isFlagged ? FLAGGED_DUPLICATE : undefined, 'warning');
      case 'no-such-record':
        throw pageNotFound();
      case undefined:
        return showAbove(503, <Notice kind="error">{BUSY}</Notice>);
      case 'refused':
        return showAbove(422, <Notice kind="error">{formatRefusal(outcome)}</Notice>);
      case 'changed-concurrently':
        return showAbove(
          409,
          <Notice kind="warning" id="not-restored">
            Nothing was restored: someone else has changed this record since you opened this page.
            It is now at version {outcome.current.version}. <a href={href}>Review it</a>, or confirm
            the restore below.
          </Notice>,
        );
      case 'look-alike':
        return show({ status: 409, reason, matchIds: outcome.submissionUuids });
      case 'rejected': {
        const records = await loadRecordNames(app, res, 'restore-form', outcome.matches);
        return showAbove(
          422,
          <>
            <Notice kind="error">
              This version was not restored: the record would then have the same mother and the same
              time of birth as another record at your practice. Compare the two first.
            </Notice>
            <RecordLinks records={records ?? []} />
          </>,
        );
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

const ReasonField = ({ reason }: { readonly reason: string }) => (
  <TextArea
    name="reason"
    label="Reason for restoring"
    optional
    hint="Everyone who may read the record can read this."
    rows={2}
    maxLength={MAX_REASON_LENGTH}
    value={reason}
  />
);

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
