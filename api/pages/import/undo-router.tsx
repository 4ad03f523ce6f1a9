import type { Request, Response, Router } from 'express';
import type { Seat } from '../../access/signed-in.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import { formatRefusal } from '../../commands/refusal-messages.ts';
import { beginUndo } from '../../import/undo-import.ts';
import type { App } from '../../ports/app-ports.ts';
import {
  getSeat,
  requireAdminOrProvider,
  requireSeatAgain,
  requireWriter,
} from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { nullIfLeaseUnavailable } from '../../writes/null-if-lease-unavailable.ts';
import { BUSY } from '../layout/flash-messages.tsx';
import { createRouter, page, post, redirect } from '../layout/routes.tsx';
import { IMPORT_PATH } from './file-form.tsx';
import { isLimitedToOwn } from './seat-limits.ts';
import { formatUndone, UndoPage } from './undo-page.tsx';

const PATH = `${IMPORT_PATH}/:id/undo`;
/** A Scribe cannot read or void records. */
const MAX_CHANGED_RECORDS = 50;

/** Admins may undo any import, Providers their own. */
export const mayUndo = ({ role, memberId }: Seat, startedBy: string): boolean =>
  role === 'Admin' || (role === 'Provider' && startedBy === memberId);

export const undoImportRouter = (app: App): Router =>
  createRouter(
    page(PATH, requireAdminOrProvider, async (req, res) => {
      const importId = await findImport(app, req, res);
      const { practiceId, practice } = getSeat(res);
      if ((await app.reads.imports.undoOf(practiceId, importId)) !== null)
        return redirect(`${IMPORT_PATH}/${importId}/progress`);
      const effect = await app.reads.imports.effect(practiceId, importId, MAX_CHANGED_RECORDS);
      await noteRecordsShown(app, res, {
        place: 'import-check',
        recordIds: effect.firstChanged,
      });
      const changed = await app.reads.nameRecords(practiceId, effect.firstChanged);
      return {
        title: effect.changed > 0 ? 'Import cannot be undone' : 'Undo import',
        children: (
          <UndoPage
            importId={importId}
            practice={practice.name}
            effect={effect}
            changed={changed}
          />
        ),
      };
    }),
    post(PATH, requireAdminOrProvider, async (req, res) => {
      const importId = await findImport(app, req, res);
      const { practiceId, memberId } = getSeat(res);
      const outcome = await nullIfLeaseUnavailable(
        beginUndo(app, {
          practiceId,
          importId,
          actor: { kind: 'member', id: memberId },
          correlationId: String(res.locals['correlationId']),
          requirePermission: () => requireSeatAgain(res),
        }),
      );
      const progress = `${IMPORT_PATH}/${importId}/progress`;
      // The page of the undo names the records that block it.
      const undo = `${IMPORT_PATH}/${importId}/undo`;
      if (outcome === null) return redirect(undo, BUSY, 'warning');
      if (outcome.kind === 'refused') return redirect(progress, formatRefusal(outcome), 'warning');
      return redirect(outcome.kind === 'begun' ? progress : undo);
    }),
    page(`${PATH}/figures`, requireWriter, async (req, res) => {
      const seat = getSeat(res);
      const importId = String(req.params['id']);
      const [progress, undo] = await Promise.all([
        app.reads.imports.findProgress(seat.practiceId, importId),
        app.reads.imports.undoOf(seat.practiceId, importId),
      ]);
      const maySee = !isLimitedToOwn(seat) || progress?.startedBy === seat.memberId;
      if (undo === null || !maySee) throw pageNotFound();
      res.set('Cache-Control', 'no-store').json({
        hasEnded: undo.undoneAt !== null,
        processed: undo.done?.records ?? 0,
        total: undo.total,
        words: formatUndone(undo),
      });
      return undefined;
    }),
  );

/** @throws PageProblem 404 */
const findImport = async (app: App, req: Request, res: Response): Promise<string> => {
  const seat = getSeat(res);
  const progress = await app.reads.imports.findProgress(seat.practiceId, String(req.params['id']));
  if (progress?.status !== 'completed' || !mayUndo(seat, progress.startedBy)) throw pageNotFound();
  return progress.importId;
};
