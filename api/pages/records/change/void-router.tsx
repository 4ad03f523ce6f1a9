import type { Response, Router } from 'express';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import { noteRecordsShown } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { voidRecord } from '../../../record-commands/change-record.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdminOrProvider } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { buildBusyError } from '../../layout/flash-messages.tsx';
import type { PageView } from '../../layout/page.tsx';
import {
  buildBringBackPath,
  buildRecordPath,
  buildRecordToChange,
  loadCurrent,
  RECORD_PAGE,
  readRecordId,
  requireRecordId,
} from '../../layout/record-params.ts';
import { createRouter, page, post, redirect } from '../../layout/routes.tsx';
import { VoidPage } from '../../parts/void-page.tsx';

const PATH = `${RECORD_PAGE}/void`;
const GUARDS = [requireRecordId, requireAdminOrProvider];

export const voidRouter = (app: App): Router => {
  const show = async (
    res: Response,
    { submissionUuid, course, version }: KnownBirthRecord,
    reason: string,
    errors: readonly FieldError[],
    isOutdated = false,
  ): Promise<PageView> => {
    await noteRecordsShown(app, res, { place: 'void-form', recordIds: [submissionUuid] });
    const href = buildRecordPath(submissionUuid);
    return {
      title: 'Void record',
      errors,
      ...(isOutdated && { status: 409, hasErrors: true }),
      children: (
        <VoidPage
          course={course}
          version={version}
          practice={getSeat(res).practice.name}
          href={href}
          action={`${href}/void`}
          reason={reason}
          isOutdated={isOutdated}
        />
      ),
    };
  };
  return createRouter(
    page(PATH, GUARDS, async (req, res) => {
      const state = await loadCurrent(app, req, res);
      return state.status === 'voided'
        ? redirect(
            buildRecordPath(readRecordId(req)),
            { id: 'already-voided', text: 'This record has already been voided.' },
            'info',
          )
        : show(res, state, '', []);
    }),
    post(PATH, GUARDS, async (req, res) => {
      const state = await loadCurrent(app, req, res);
      const reason = readFormText(req, 'reason');
      const record = buildRecordToChange(res, readRecordId(req));
      const version = Number(readFormText(req, 'version'));
      const outcome = await nullIfLeaseUnavailable(voidRecord(app, record, { version, reason }));
      switch (outcome?.kind) {
        case 'done':
          return redirect(
            buildRecordPath(record.submissionUuid),
            { id: 'record-voided', text: 'Record voided.' },
            'success',
            {
              href: buildBringBackPath(record.submissionUuid),
              text: 'Restore it',
            },
          );
        case 'no-such-record':
          throw pageNotFound();
        case undefined:
          return show(res, state, reason, [buildBusyError('reason')]);
        case 'refused':
          return show(res, state, reason, [toFieldError('reason', outcome)]);
        case 'changed-concurrently':
          return show(res, outcome.current, reason, [], true);
      }
    }),
  );
};
