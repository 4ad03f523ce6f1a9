import type { Request, Response, Router } from 'express';
import { CUSTOM_FIELD_TYPES } from '../../../../domain/custom-field/events.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import type { RefusalReason } from '../../../../domain/decision.ts';
import { NO_LABEL } from '../../../../domain/practice/custom-fields.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { toFieldError } from '../../layout/field-errors.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import {
  action,
  createRouter,
  form,
  loadNothing,
  page,
  question,
  redirect,
} from '../../layout/routes.tsx';
import { ChangeFieldForm, type FieldValues, NewFieldForm } from './custom-field-forms.tsx';
import { CustomFieldList, VALUES_STAY } from './custom-field-list.tsx';

export const describeSaved = (label: string): string => `${label} was saved.`;

export const describeRestored = (label: string): string => `${label} was restored.`;

const HOME = '/registry/custom-fields';
const ADMIN = requireRole('Admin');

export const customFieldsRouter = (app: App): Router => {
  const getCommands = (res: Response) => createPageCommands(app, res);
  // From the event log, because the next order depends on the current state.
  const listFields = async (res: Response): Promise<readonly CustomField[]> => {
    const practice = await getCommands(res).practices.find(getSeat(res).practiceId);
    return practice.status === 'known' ? practice.customFields : [];
  };
  const loadField = async (req: Request, res: Response): Promise<CustomField> => {
    const field = (await listFields(res)).find(({ fieldId }) => fieldId === req.params['field']);
    if (field === undefined) throw pageNotFound();
    return field;
  };
  const loadActiveField = async (req: Request, res: Response) => {
    const field = await loadField(req, res);
    return field.retired && req.method === 'GET' ? redirect(HOME) : field;
  };
  const move = (by: -1 | 1) => async (req: Request, res: Response) => {
    const { fieldId } = await loadField(req, res);
    for (const { fieldId: id, order } of moveField(await listFields(res), fieldId, by))
      await getCommands(res).customFields.change(getSeat(res).practiceId, {
        fieldId: id,
        order,
        label: null,
        addedChoices: null,
      });
    return redirect(HOME);
  };

  return createRouter(
    page(HOME, ADMIN, async (_req, res) => ({
      title: 'Custom fields',
      action: (
        <a class="usa-button" href={`${HOME}/new`}>
          Add a field
        </a>
      ),
      children: <CustomFieldList fields={await listFields(res)} />,
    })),
    form(`${HOME}/new`, ADMIN, {
      load: loadNothing,
      title: 'Add a field',
      open: (): FieldValues => ({ label: '', type: null, choices: '' }),
      read: readValues,
      stored: null,
      view: (values) => <NewFieldForm values={values} />,
      postTo: HOME,
      placeRefusal: getErrorField,
      save: async ({ type, label, choices }, _loaded, _req, res) => {
        if (type === null)
          return [
            ...(label === '' ? [toFieldError('label', NO_LABEL)] : []),
            { field: 'type', id: 'no-type', message: 'Choose a type.' },
          ];
        await getCommands(res).customFields.define(getSeat(res).practiceId, {
          type,
          label,
          choices: splitLines(choices),
          order: null,
        });
        return redirect(HOME, `${label} was added.`);
      },
    }),
    form(`${HOME}/:field`, ADMIN, {
      load: loadActiveField,
      title: ({ label }) => label,
      open: (field): FieldValues => ({ ...field, choices: '' }),
      read: readValues,
      // Answers are only added.
      stored: { label: { label: 'Label' } },
      view: (values, field) => <ChangeFieldForm field={field} values={values} />,
      placeRefusal: getErrorField,
      save: async ({ label, choices }, { fieldId }, _req, res) => {
        const added = splitLines(choices);
        await getCommands(res).customFields.change(getSeat(res).practiceId, {
          fieldId,
          label,
          order: null,
          addedChoices: added.length === 0 ? null : added,
        });
        return redirect(HOME, describeSaved(label));
      },
    }),
    action(`${HOME}/:field/up`, ADMIN, HOME, move(-1)),
    action(`${HOME}/:field/down`, ADMIN, HOME, move(1)),
    question(`${HOME}/:field/retire`, ADMIN, {
      load: loadActiveField,
      back: () => HOME,
      ask: ({ label }) => ({
        title: `Retire ${label}?`,
        submit: 'Retire field',
        children: (
          <p>
            Forms and imports will no longer ask for <strong>{label}</strong>. {VALUES_STAY} You can
            restore the field later.
          </p>
        ),
      }),
      run: async ({ fieldId, label }, _req, res) => {
        await getCommands(res).customFields.retire(getSeat(res).practiceId, fieldId);
        return redirect(HOME, `${label} was retired.`);
      },
    }),
    action(`${HOME}/:field/restore`, ADMIN, HOME, async (req, res) => {
      const { fieldId, label } = await loadField(req, res);
      await getCommands(res).customFields.restore(getSeat(res).practiceId, fieldId);
      return redirect(HOME, describeRestored(label));
    }),
  );
};

const readValues = (req: Request): FieldValues => ({
  label: readFormText(req, 'label').trim(),
  type: CUSTOM_FIELD_TYPES.find((type) => type === readFormText(req, 'type')) ?? null,
  choices: readFormText(req, 'choices'),
});

const splitLines = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const ABOUT_ANSWERS: ReadonlySet<string> = new Set([
  'too-few-answers',
  'too-many-answers',
  'answer-not-shown',
  'answer-too-long',
  'same-answers',
  'answers-without-choice',
] satisfies RefusalReason['code'][]);

const getErrorField = ({ id }: { readonly id: string }): string =>
  ABOUT_ANSWERS.has(id) ? 'choices' : 'label';

interface NewPosition {
  readonly fieldId: string;
  readonly order: number;
}

/** Returns all fields whose position changes; empty at the end of the list. */
export const moveField = (
  fields: readonly CustomField[],
  fieldId: string,
  by: -1 | 1,
): readonly NewPosition[] => {
  const live = fields.filter(({ retired }) => !retired);
  const from = live.findIndex((field) => field.fieldId === fieldId);
  const field = live[from];
  const other = live[from + by];
  if (field === undefined || other === undefined) return [];
  const next = live.with(from, other).with(from + by, field);
  return next
    .map((one, index) => ({ fieldId: one.fieldId, order: index + 1, current: one.order }))
    .filter(({ order, current }) => order !== current)
    .map(({ fieldId: id, order }) => ({ fieldId: id, order }));
};
