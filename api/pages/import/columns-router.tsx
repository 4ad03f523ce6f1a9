import type { Request, Response, Router } from 'express';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import { listChoosableColumns, normalizeHeader } from '../../../domain/mapping/csv/column-names.ts';
import { MAX_FILE_BYTES } from '../../../domain/mapping/csv/file-limits.ts';
import { readHeader, refuseFile, toColumnLetter } from '../../../domain/mapping/csv/header.ts';
import type { ImportSummary } from '../../../domain/submission/staged-import.ts';
import { catchRefusal } from '../../commands/refusal-of.ts';
import { CHECK_FAILED_MESSAGE, checkFile } from '../../import/check-file.ts';
import { findImportColumns, restageImport } from '../../import/stage-import.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { estimateMemory } from '../../reading/shares.ts';
import { readFormText, readFormTexts } from '../../web/form-body.ts';
import { getSeat, requireWriter } from '../../web/guards/seats.ts';
import { filesAhead } from '../../web/page-problem.ts';
import { type FieldError, toRefusalError } from '../layout/field-errors.ts';
import { CHANGED_SINCE_OPENED, listReplaced } from '../layout/opened-values.ts';
import type { PageView } from '../layout/page.tsx';
import { createPageCommands } from '../layout/page-commands.ts';
import { action, createRouter, type Reply, redirect } from '../layout/routes.tsx';
import { saveInTurn } from '../layout/save-in-turn.ts';
import {
  describeSameField,
  describeSavedColumn,
  formatField,
  getColumnField,
  LEAVE_OUT,
  listHeadedColumns,
  toColumnValue,
  toFields,
} from './columns-form.tsx';
import { HEADING_FIELD } from './columns-page.tsx';
import { IMPORT_PATH } from './file-form.tsx';
import { checkNotFound } from './import-router.tsx';
import { showPreview } from './send-preview.tsx';

const COLUMNS = `${IMPORT_PATH}/columns`;

export const COLUMNS_READ_MESSAGE =
  'The file was checked again with the columns you chose. Your practice’s future files will be read the same way.';

export const describeForgotten = (label: string): string =>
  `“${label}” was removed. The next file with this heading will ask what it means.`;

export const importColumnsRouter = (app: App): Router =>
  createRouter(
    action(`${COLUMNS}/forget`, requireWriter, COLUMNS, async (req, res) => {
      const seat = getSeat(res);
      const label = readFormText(req, HEADING_FIELD);
      await createPageCommands(app, res).practices.setImportColumns(
        seat.practiceId,
        [],
        [normalizeHeader(label)],
      );
      return redirect(COLUMNS, describeForgotten(label));
    }),
    action(`${IMPORT_PATH}/:id/columns`, requireWriter, `${IMPORT_PATH}/:id`, (req, res) =>
      chooseColumns(app, req, res),
    ),
  );

const chooseColumns = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const seat = getSeat(res);
  const { practiceId, memberId, practice } = seat;
  const importId = String(req.params['id']);
  const found = await app.stagedImports.find(practiceId, memberId, importId);
  if (found === null || found.staged.isConfirmed) throw checkNotFound();
  const { summary } = found;
  const customFields = await app.reads.listCustomFields(practiceId);
  const chosen = listHeadedColumns(summary).flatMap((column): readonly Choice[] => {
    const [value] = readFormTexts(req, getColumnField(column.letter));
    return value === undefined ? [] : [{ ...column, value }];
  });
  const refused = await saveInTurn(res, COLUMNS, () =>
    saveColumns(app, req, res, { chosen, summary, customFields }),
  );
  if (refused !== null) return refused;
  const entering = {
    ...createPracticeClock(practice.timeZone, app.now(), practice.dateOrder),
    customFields,
  };
  const checked = await checkFile<never>(app, { practiceId, memberId }, async (claim) => {
    if (!(await claim(estimateMemory(MAX_FILE_BYTES)))) throw filesAhead();
    return {
      kind: 'received',
      stage: async (options) =>
        (await restageImport(app, { practiceId, memberId, importId }, entering, options)) ??
        refuseFile('check-failed', CHECK_FAILED_MESSAGE),
    };
  });
  if (checked.kind !== 'staged' && checked.kind !== 'checking') throw checkNotFound();
  return redirect(`${IMPORT_PATH}/${checked.importId}`, COLUMNS_READ_MESSAGE);
};

/** `null` without any errors. */
const saveColumns = async (
  app: App,
  req: Request,
  res: Response,
  { chosen, summary, customFields }: ChosenColumns,
): Promise<PageView | null> => {
  const { practiceId, memberId } = getSeat(res);
  const remembered = new Map(
    (await findImportColumns(app, practiceId)).map(({ heading, path }) => [heading, path]),
  );
  const saved = new Map(
    chosen.map(({ letter, header }) => [
      letter,
      toColumnValue(remembered.get(normalizeHeader(header))),
    ]),
  );
  const refuse = (errors: readonly FieldError[]) =>
    showPreview(app, req, res, memberId, { errors, savedColumns: saved });
  // A column that was left open changes nothing.
  const changing = chosen.filter(({ value, path }) => value !== '' || path !== undefined);
  const replaced = new Set(
    listReplaced(
      req,
      toFields(new Map(changing.map(({ letter, value }) => [letter, value]))),
      toFields(new Map(changing.map(({ letter }) => [letter, saved.get(letter) ?? '']))),
    ),
  );
  if (replaced.size > 0) {
    const page = await refuse(
      changing
        .filter(({ letter }) => replaced.has(getColumnField(letter)))
        .map(({ letter, header }) => ({
          field: getColumnField(letter),
          id: CHANGED_SINCE_OPENED,
          message: describeSavedColumn(header, saved.get(letter) ?? '', customFields),
        })),
    );
    return { ...page, status: 409 };
  }
  const errors = findSameFields(chosen, summary, customFields);
  if (errors.length > 0) return refuse(errors);
  const known = chosen.filter(({ value }) => value !== '');
  const refusal = await catchRefusal(
    createPageCommands(app, res).practices.setImportColumns(
      practiceId,
      known.map(({ header, value }) => ({
        label: header,
        path: value === LEAVE_OUT ? null : value,
      })),
      changing.filter(({ value }) => value === '').map(({ header }) => normalizeHeader(header)),
    ),
  );
  return refusal === null
    ? null
    : refuse([toRefusalError(getColumnField(known[0]?.letter ?? ''), refusal)]);
};

interface ChosenColumns {
  readonly chosen: readonly Choice[];
  readonly summary: ImportSummary;
  readonly customFields: readonly CustomField[];
}

interface Choice {
  readonly letter: string;
  readonly header: string;
  readonly path?: string | null;
  /** Canonical path, {@link LEAVE_OUT}, or '' if unknown. */
  readonly value: string;
}

const findSameFields = (
  chosen: readonly Choice[],
  { headers = [] }: ImportSummary,
  customFields: readonly CustomField[],
): readonly FieldError[] => {
  const header = readHeader(headers, customFields);
  const letters = new Map<string, string>();
  for (const [index, column] of (header.kind === 'columns' ? header.columns : []).entries())
    if (column !== null) letters.set(column.path, toColumnLetter(index));
  const fields = listChoosableColumns(customFields);
  return chosen.flatMap(({ letter, value }) => {
    const other = letters.get(value);
    if (value === '' || value === LEAVE_OUT) return [];
    letters.set(value, letter);
    const field = fields.find(({ path }) => path === value);
    if (other === undefined) return [];
    return [
      {
        field: getColumnField(letter),
        id: 'two-headings-for-one-field',
        message: describeSameField(
          letter,
          other,
          field === undefined ? value : formatField(field, customFields),
        ),
      },
    ];
  });
};
