import { type Request, type RequestHandler, type Response, Router } from 'express';
import { toLoadedRecord } from '../../../../domain/birth-record/replay.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { voidRecord } from '../../../record-commands/change-record.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import {
  buildBringBackPath,
  buildRecordPath,
  loadEvents,
  loadRecordToChange,
  readRecordId,
  requireRecordId,
} from '../record-params.ts';
import { VoidPage } from './void-page.tsx';

export const VOIDED_ALREADY_MESSAGE = 'This record is voided already.';

export const RECORD_VOIDED = 'The record is voided.';

const PATH = '/registry/records/:record/void';

export const voidRouter = (registry: App): Router =>
  Router()
    .get(PATH, requireRecordId, requireRole('Admin', 'Provider'), async (req, res) => {
      const { state } = toLoadedRecord(await loadEvents(registry, req, res));
      if (state.status === 'none') throw pageNotFound();
      if (state.status === 'voided') redirectToRecord(req, res, VOIDED_ALREADY_MESSAGE);
      else
        await sendVoidPage(registry, req, res, {
          state,
          reason: '',
          errors: [],
          isChangedMeanwhile: false,
        });
    })
    .post(PATH, requireRecordId, requireRole('Admin', 'Provider'), loadVoiding(registry));

interface VoidForm {
  readonly state: KnownBirthRecord;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  readonly isChangedMeanwhile: boolean;
}

const sendVoidPage = async (
  registry: App,
  req: Request,
  res: Response,
  form: VoidForm,
): Promise<void> => {
  await noteRecordsShown(registry, res, {
    place: 'void-form',
    recordIds: [form.state.submissionUuid],
  });
  const isWrong = form.errors.length > 0 || form.isChangedMeanwhile;
  sendPage(
    req,
    res,
    {
      title: 'Void record',
      hasErrors: isWrong,
      children: (
        <VoidPage
          course={form.state.course}
          version={form.state.version}
          practice={getSeat(res).practice.name}
          href={buildRecordPath(readRecordId(req))}
          action={`${buildRecordPath(readRecordId(req))}/void`}
          reason={form.reason}
          errors={form.errors}
          isChangedMeanwhile={form.isChangedMeanwhile}
        />
      ),
    },
    form.isChangedMeanwhile ? 409 : undefined,
  );
};

const redirectToRecord = (req: Request, res: Response, text: string): void => {
  flash(req, 'info', text);
  res.redirect(303, buildRecordPath(readRecordId(req)));
};

const loadVoiding =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const { state } = toLoadedRecord(await loadEvents(registry, req, res));
    if (state.status === 'none') throw pageNotFound();
    const reason = readFormText(req, 'reason');
    const record = loadRecordToChange(res, readRecordId(req));
    const version = Number(readFormText(req, 'version'));
    const outcome = await nullIfLeaseUnavailable(voidRecord(registry, record, { version, reason }));
    switch (outcome?.kind) {
      case 'done':
        flash(req, 'success', RECORD_VOIDED, {
          href: buildBringBackPath(record.submissionUuid),
          text: 'Bring it back',
        });
        res.redirect(303, buildRecordPath(record.submissionUuid));
        return;
      case 'no-such-record':
        throw pageNotFound();
      case undefined:
      case 'refused': {
        const errors = [
          outcome === null
            ? { field: 'reason', id: 'busy', message: BUSY }
            : toFieldError('reason', outcome),
        ];
        await sendVoidPage(registry, req, res, {
          state,
          reason,
          errors,
          isChangedMeanwhile: false,
        });
        return;
      }
      case 'changed-concurrently':
        await sendVoidPage(registry, req, res, {
          state: outcome.held,
          reason,
          errors: [],
          isChangedMeanwhile: true,
        });
    }
  };
