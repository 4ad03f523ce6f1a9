import { type Request, type Response, Router } from 'express';
import { CUSTOM_FIELD_TYPES } from '../../../../domain/custom-field/events.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import type { RefusalReason } from '../../../../domain/decision.ts';
import { NO_LABEL } from '../../../../domain/practice/custom-fields.ts';
import { toPerson } from '../../../access/person.ts';
import type { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { flash } from '../../../web/session/flash.ts';
import { Confirm } from '../../layout/confirm.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { toFieldError, toRefusalError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { ChangeFieldForm, NewFieldForm, type TypedField } from './custom-field-forms.tsx';
import { CustomFieldList, VALUES_STAY } from './custom-field-list.tsx';

export const describeSaved = (label: string): string => `${label} is saved.`;

export const describeRestored = (label: string): string => `${label} is asked for again.`;

const HOME = '/registry/custom-fields';
const admins = requireRole('Admin');

/** Fields that a practice defines for itself. */
export const customFieldsRouter = (registry: App): Router => {
  const commands = (res: Response) => createCommands(registry, toPerson(getSeat(res)));
  // From the event log, because the next order depends on the current state.
  const fieldsOf = async (res: Response): Promise<readonly CustomField[]> => {
    const practice = await commands(res).practices.find(getSeat(res).practiceId);
    return practice.status === 'known' ? practice.customFields : [];
  };
  const fieldIn = async (req: Request, res: Response): Promise<CustomField> => {
    const field = (await fieldsOf(res)).find(({ fieldId }) => fieldId === req.params['field']);
    if (field === undefined) throw pageNotFound();
    return field;
  };
  const move = (by: -1 | 1) => async (req: Request, res: Response) => {
    const { fieldId } = await fieldIn(req, res);
    const { practiceId } = getSeat(res);
    for (const { fieldId: id, order } of moveField(await fieldsOf(res), fieldId, by))
      await commands(res).customFields.change(practiceId, {
        fieldId: id,
        order,
        label: null,
        addedChoices: null,
      });
    res.redirect(303, HOME);
  };

  return Router()
    .get(HOME, admins, async (req, res) => {
      sendPage(req, res, {
        title: 'Custom fields',
        action: (
          <a class="usa-button" href={`${HOME}/new`}>
            Add a field
          </a>
        ),
        children: <CustomFieldList fields={await fieldsOf(res)} />,
      });
    })
    .get(`${HOME}/new`, admins, (req, res) =>
      sendNew(req, res, { label: '', type: null, choices: '' }, []),
    )
    .post(HOME, admins, async (req, res) => {
      const typed = readTypedField(req);
      const { type, label } = typed;
      if (type === null) {
        sendNew(req, res, typed, [
          ...(label === '' ? [toFieldError('label', NO_LABEL)] : []),
          { field: 'type', id: 'no-type', message: 'Say what is answered: choose a type.' },
        ]);
        return;
      }
      const refusal = await catchRefusal(
        commands(res).customFields.define(getSeat(res).practiceId, {
          type,
          label,
          choices: splitLines(typed.choices),
          order: null,
        }),
      );
      if (refusal !== null) {
        sendNew(req, res, typed, [toRefusalError(getErrorField(refusal), refusal)]);
        return;
      }
      flash(req, 'success', `${label} is added: the next form asks for it.`);
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:field`, admins, async (req, res) => {
      const field = await fieldIn(req, res);
      if (field.retired) res.redirect(303, HOME);
      else sendChange(req, res, field, { ...field, choices: '' }, []);
    })
    .post(`${HOME}/:field`, admins, async (req, res) => {
      const field = await fieldIn(req, res);
      const typed = readTypedField(req);
      const added = splitLines(typed.choices);
      const refusal = await catchRefusal(
        commands(res).customFields.change(getSeat(res).practiceId, {
          fieldId: field.fieldId,
          label: typed.label,
          order: null,
          addedChoices: added.length === 0 ? null : added,
        }),
      );
      if (refusal !== null) {
        sendChange(req, res, field, typed, [toRefusalError(getErrorField(refusal), refusal)]);
        return;
      }
      flash(req, 'success', describeSaved(typed.label));
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:field/up`, admins, redirectGet(HOME))
    .get(`${HOME}/:field/down`, admins, redirectGet(HOME))
    .post(`${HOME}/:field/up`, admins, move(-1))
    .post(`${HOME}/:field/down`, admins, move(1))
    .get(`${HOME}/:field/retire`, admins, async (req, res) => {
      const { fieldId, label, retired } = await fieldIn(req, res);
      if (retired) {
        res.redirect(303, HOME);
        return;
      }
      sendPage(req, res, {
        title: `Retire ${label}?`,
        children: (
          <Confirm action={`${HOME}/${fieldId}/retire`} submit="Retire field" cancel={HOME}>
            <p>
              No form and no import asks for <strong>{label}</strong> any more. {VALUES_STAY} You
              can restore the field later.
            </p>
          </Confirm>
        ),
      });
    })
    .post(`${HOME}/:field/retire`, admins, async (req, res) => {
      const { fieldId, label } = await fieldIn(req, res);
      await commands(res).customFields.retire(getSeat(res).practiceId, fieldId);
      flash(req, 'success', `${label} is retired.`);
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:field/restore`, admins, redirectGet(HOME))
    .post(`${HOME}/:field/restore`, admins, async (req, res) => {
      const { fieldId, label } = await fieldIn(req, res);
      const refusal = await catchRefusal(
        commands(res).customFields.restore(getSeat(res).practiceId, fieldId),
      );
      if (refusal === null) flash(req, 'success', describeRestored(label));
      else flash(req, 'error', refusal.message);
      res.redirect(303, HOME);
    });
};

const readTypedField = (req: Request): TypedField => ({
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

/** Form field of a refusal. */
const getErrorField = ({ id }: CommandRefused): 'choices' | 'label' =>
  ABOUT_ANSWERS.has(id) ? 'choices' : 'label';

const sendNew = (
  req: Request,
  res: Response,
  typed: TypedField,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Add a field',
    hasErrors: errors.length > 0,
    children: <NewFieldForm typed={typed} errors={errors} />,
  });

const sendChange = (
  req: Request,
  res: Response,
  field: CustomField,
  typed: TypedField,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: field.label,
    hasErrors: errors.length > 0,
    children: <ChangeFieldForm field={field} typed={typed} errors={errors} />,
  });

/** New position of a field. */
interface NewPosition {
  readonly fieldId: string;
  readonly order: number;
}

/**
 * Moves an active field by one position: returns all fields whose position changes; empty at the
 * end of the list.
 */
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
    .map((one, index) => ({ fieldId: one.fieldId, order: index + 1, held: one.order }))
    .filter(({ order, held }) => order !== held)
    .map(({ fieldId: id, order }) => ({ fieldId: id, order }));
};
