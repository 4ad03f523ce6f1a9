import type { Request, Response, Router } from 'express';
import { findBindableItem } from '../../../../domain/custom-field/bindable-items.ts';
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldType,
} from '../../../../domain/custom-field/events.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import type { RefusalReason } from '../../../../domain/decision.ts';
import { NO_LABEL } from '../../../../domain/practice/custom-fields.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { type Column, DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { RadioGroup } from '../../layout/radio-group.tsx';
import {
  action,
  createRouter,
  form,
  loadNothing,
  page,
  question,
  redirect,
} from '../../layout/routes.tsx';
import { Section } from '../../layout/section.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import {
  FIELDS_PAGE as HOME,
  listCertificateRoutes,
  OF_CERTIFICATE,
} from './certificate-fields.tsx';

const TYPE_TEXT: Readonly<Record<CustomFieldType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
};

const VALUES_STAY = 'Values already in records are kept and shown.';

interface FieldValues {
  readonly label: string;
  readonly type: CustomFieldType | null;
  /** One per line. */
  readonly choices: string;
}

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
  /** A GET for a retired field leads to the list; a POST lets the command refuse it. */
  const loadFieldToChange = async (req: Request, res: Response) => {
    const field = await loadField(req, res);
    return field.isRetired && req.method === 'GET' ? redirect(HOME) : field;
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
    page(HOME, requireAdmin, async (_req, res) => {
      const fields = await listFields(res);
      const live = fields.filter(({ isRetired }) => !isRetired);
      const retiredFields = fields.filter(({ isRetired }) => isRetired);
      return {
        title: 'Custom fields',
        action: (
          <a class="usa-button" href={`${HOME}/new`}>
            Add a field
          </a>
        ),
        children: (
          <>
            <p>
              Your custom fields appear at the end of the birth form, in this order. EHRs neither
              send nor see them. The state file (IJE) has those that are bound to an item of the
              birth certificate.
            </p>
            {live.length === 0 ? (
              <EmptyState
                id="no-fields"
                links={[{ href: `${HOME}/new`, text: 'Add a field' }, OF_CERTIFICATE]}
              >
                No custom fields yet. Add one for what your practice wants to know about every
                birth.
              </EmptyState>
            ) : (
              <>
                <p>
                  <a href={OF_CERTIFICATE.href}>{OF_CERTIFICATE.text}</a>
                </p>
                <LiveFields fields={live} />
              </>
            )}
            {retiredFields.length > 0 && (
              <Section id="retired" heading="Retired">
                <p>Forms no longer ask for these. {VALUES_STAY}</p>
                <FieldTable
                  caption="Retired fields"
                  fields={retiredFields}
                  label={({ fieldId, label }) => <span id={`label-${fieldId}`}>{label}</span>}
                  columns={[
                    {
                      heading: 'Change',
                      cell: (field) => <PostButton field={field} to="restore" text="Restore" />,
                    },
                  ]}
                />
              </Section>
            )}
          </>
        ),
      };
    }),
    form(`${HOME}/new`, requireAdmin, {
      load: loadNothing,
      title: 'Add a field',
      open: (): FieldValues => ({ label: '', type: null, choices: '' }),
      read: readValues,
      replaces: null,
      view: (values) => (
        <Form action={HOME} values={values}>
          <LabelField />
          <RadioGroup
            name="type"
            label="Type"
            hint="It cannot be changed later."
            choices={CUSTOM_FIELD_TYPES.map((type) => ({ value: type, text: TYPE_TEXT[type] }))}
          />
          <TextArea
            name="choices"
            label="Answers to choose from"
            hint="For the type Choice: one per line, at least two. Leave this empty for other types."
          />
          <FormButtons submit="Add field" cancel={HOME} />
        </Form>
      ),
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
    ...listCertificateRoutes({ getCommands, listFields, loadFieldToChange }),
    form(`${HOME}/:field`, requireAdmin, {
      load: loadFieldToChange,
      title: ({ label }) => label,
      open: (field): FieldValues => ({ ...field, choices: '' }),
      read: readValues,
      // Answers do not conflict: they are only added.
      replaces: { label: { label: 'Label' } },
      view: (values, field) => (
        <Form action={`${HOME}/${field.fieldId}`} values={values}>
          <LabelField />
          {field.type === 'choice' && (
            <>
              <h2>Answers</h2>
              <p>Existing answers can’t be removed, because records may use them:</p>
              <ul>
                {field.choices.map((choice) => (
                  <li key={choice}>{choice}</li>
                ))}
              </ul>
              <TextArea name="choices" label="More answers" hint="One per line" optional />
            </>
          )}
          <FormButtons submit="Save field" cancel={HOME} />
        </Form>
      ),
      placeRefusal: getErrorField,
      save: async ({ label, choices }, { fieldId }, _req, res) => {
        const added = splitLines(choices);
        await getCommands(res).customFields.change(getSeat(res).practiceId, {
          fieldId,
          label,
          order: null,
          addedChoices: added.length === 0 ? null : added,
        });
        return redirect(HOME, { id: 'field-saved', text: `${label} was saved.` });
      },
    }),
    action(`${HOME}/:field/up`, requireAdmin, HOME, move(-1)),
    action(`${HOME}/:field/down`, requireAdmin, HOME, move(1)),
    question(`${HOME}/:field/retire`, requireAdmin, {
      load: loadFieldToChange,
      back: () => HOME,
      ask: ({ label }) => ({
        title: `Retire ${label}?`,
        submit: 'Retire field',
        children: (
          <p data-message="field-retires">
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
    action(`${HOME}/:field/restore`, requireAdmin, HOME, async (req, res) => {
      const { fieldId, label } = await loadField(req, res);
      await getCommands(res).customFields.restore(getSeat(res).practiceId, fieldId);
      return redirect(HOME, { id: 'field-restored', text: `${label} was restored.` });
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
  'field-unlike-certificate-item',
] satisfies RefusalReason['code'][]);

const getErrorField = ({ id }: { readonly id: string }): string =>
  ABOUT_ANSWERS.has(id) ? 'choices' : 'label';

/**
 * Moves a live field by one position.
 * @returns fields whose stored order must change; none if it cannot move that way
 */
export const moveField = (
  fields: readonly CustomField[],
  fieldId: string,
  by: -1 | 1,
): readonly { readonly fieldId: string; readonly order: number }[] => {
  const live = fields.filter(({ isRetired }) => !isRetired);
  const from = live.findIndex((field) => field.fieldId === fieldId);
  const field = live[from];
  const other = live[from + by];
  if (field === undefined || other === undefined) return [];
  const next = live.with(from, other).with(from + by, field);
  return next.flatMap(({ fieldId: id, order }, index) =>
    order === index + 1 ? [] : { fieldId: id, order: index + 1 },
  );
};

const LiveFields = ({ fields }: { readonly fields: readonly CustomField[] }) => (
  <FieldTable
    caption="Your custom fields"
    fields={fields}
    label={({ fieldId, label }) => (
      <a id={`label-${fieldId}`} href={`${HOME}/${fieldId}`}>
        {label}
      </a>
    )}
    columns={[
      {
        heading: 'Order',
        cell: (field) => (
          <div class="row-action">
            {field !== fields[0] && <PostButton field={field} to="up" text="Move up" />}
            {field !== fields.at(-1) && <PostButton field={field} to="down" text="Move down" />}
          </div>
        ),
      },
      {
        heading: 'Change',
        cell: ({ fieldId }) => (
          <div class="row-action">
            <LinkButton action={`${HOME}/${fieldId}/retire`} about={`label-${fieldId}`}>
              Retire
            </LinkButton>
            <LinkButton action={`${HOME}/${fieldId}/certificate`} about={`label-${fieldId}`}>
              Birth certificate
            </LinkButton>
          </div>
        ),
      },
    ]}
  />
);

const FieldTable = ({
  caption,
  fields,
  label,
  columns,
}: {
  readonly caption: string;
  readonly fields: readonly CustomField[];
  readonly label: Column<CustomField>['cell'];
  readonly columns: readonly Column<CustomField>[];
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={fields}
    keyOf={({ fieldId }) => fieldId}
    columns={[
      { heading: 'Field', namesRow: true, cell: label },
      {
        heading: 'Type',
        cell: ({ type, choices }) => (
          <>
            {TYPE_TEXT[type]}
            {choices.length > 0 && <span class="beneath">{choices.join(', ')}</span>}
          </>
        ),
      },
      {
        heading: 'Birth certificate',
        cell: ({ item, label: own }) => {
          const bound = findBindableItem(item);
          return bound === null ? (
            'None'
          ) : (
            <>
              {bound.id}
              {bound.label !== own && <span class="beneath">{bound.label}</span>}
            </>
          );
        },
      },
      ...columns,
    ]}
  />
);

const PostButton = ({
  field: { fieldId },
  to,
  text,
}: {
  readonly field: CustomField;
  readonly to: 'up' | 'down' | 'restore';
  readonly text: string;
}) => (
  <Form action={`${HOME}/${fieldId}/${to}`} class="row-action">
    <button
      type="submit"
      class="usa-button usa-button--outline"
      aria-describedby={`label-${fieldId}`}
    >
      {text}
    </button>
  </Form>
);

const LabelField = () => (
  <TextField name="label" label="Label shown on the form" hint="Such as “Pediatrician”" />
);
