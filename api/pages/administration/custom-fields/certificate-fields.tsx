import type { Request, Response } from 'express';
import {
  BINDABLE_ITEMS,
  type BindableItem,
  findBindableItem,
  fitsItem,
} from '../../../../domain/custom-field/bindable-items.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import type { RefusalReason } from '../../../../domain/decision.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { describeSaved } from '../../layout/opened-values.ts';
import type { createPageCommands } from '../../layout/page-commands.ts';
import { form, type Redirect, type Route, redirect } from '../../layout/routes.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import { TextField } from '../../layout/text-field.tsx';

export const FIELDS_PAGE = '/registry/custom-fields';

export const OF_CERTIFICATE = {
  href: `${FIELDS_PAGE}/certificate`,
  text: 'Add a field of the birth certificate',
};

const ITEM_LABEL = 'Item of the birth certificate';

interface FieldLoaders {
  readonly getCommands: (res: Response) => ReturnType<typeof createPageCommands>;
  readonly listFields: (res: Response) => Promise<readonly CustomField[]>;
  readonly loadFieldToChange: (req: Request, res: Response) => Promise<CustomField | Redirect>;
}

interface CertificateValues {
  readonly item: string;
  readonly label: string;
}

/** Forms that bind a custom field to an item of the birth certificate. */
export const listCertificateRoutes = ({
  getCommands,
  listFields,
  loadFieldToChange,
}: FieldLoaders): readonly Route[] => [
  form(OF_CERTIFICATE.href, requireAdmin, {
    load: async (_req, res) => listFreeItems(await listFields(res)),
    title: OF_CERTIFICATE.text,
    open: (): CertificateValues => ({ item: '', label: '' }),
    read: readCertificateValues,
    replaces: null,
    view: (values, items) => (
      <Form action={OF_CERTIFICATE.href} values={values}>
        <p>The registry fills in the type, and the answers to choose from.</p>
        <SelectField
          name="item"
          label={ITEM_LABEL}
          hint="Only items that no field of a record holds, and no custom field is bound to"
          choices={items.map(toChoice)}
          empty="- Select -"
        />
        <TextField
          name="label"
          label="Label shown on the form"
          hint="Leave this empty for the words of the certificate."
          optional
        />
        <FormButtons submit="Add field" cancel={FIELDS_PAGE} />
      </Form>
    ),
    placeRefusal: ({ id }) => (ABOUT_ITEM.has(id) ? 'item' : 'label'),
    save: async (values, _loaded, _req, res) => {
      await getCommands(res).customFields.defineOfCertificate(getSeat(res).practiceId, values);
      const label = values.label || findBindableItem(values.item)?.label;
      return redirect(FIELDS_PAGE, { id: 'field-added', text: `${label} was added.` });
    },
  }),
  form(`${FIELDS_PAGE}/:field/certificate`, requireAdmin, {
    load: async (req, res) => {
      const field = await loadFieldToChange(req, res);
      if ('redirectTo' in field) return field;
      const items = listFreeItems(await listFields(res), field);
      return { field, items: items.filter((item) => fitsItem(field, item)) };
    },
    title: ({ field }) => field.label,
    open: ({ field }): CertificateValues => ({ item: field.item ?? '', label: field.label }),
    read: readCertificateValues,
    replaces: {
      item: {
        label: ITEM_LABEL,
        describe: ({ item }) => describeSaved(ITEM_LABEL, findBindableItem(item)?.label),
      },
    },
    view: (values, { field, items }) => (
      <Form action={`${FIELDS_PAGE}/${field.fieldId}/certificate`} values={values}>
        <p>The state file has the value of the field in the columns of the item.</p>
        <SelectField
          name="item"
          label={ITEM_LABEL}
          hint={
            items.length === 0
              ? 'No free item has the type and the answers of this field. Add a field of the birth certificate instead.'
              : 'Items that have the type and the answers of this field'
          }
          choices={items.map(toChoice)}
          empty="None"
        />
        <FormButtons submit="Save item" cancel={FIELDS_PAGE} />
      </Form>
    ),
    placeRefusal: () => 'item',
    save: async ({ item }, { field: { fieldId, label } }, _req, res) => {
      await getCommands(res).customFields.bind(
        getSeat(res).practiceId,
        fieldId,
        item === '' ? null : item,
      );
      const text =
        item === '' ? `${label} is not in the state file.` : `${label} is in the state file.`;
      return redirect(FIELDS_PAGE, { id: 'field-bound', text });
    },
  }),
];

const ABOUT_ITEM: ReadonlySet<string> = new Set([
  'no-such-certificate-item',
  'certificate-item-taken',
] satisfies RefusalReason['code'][]);

const readCertificateValues = (req: Request): CertificateValues => ({
  item: readFormText(req, 'item'),
  label: readFormText(req, 'label').trim(),
});

/** Items that no other live field is bound to. */
const listFreeItems = (
  fields: readonly CustomField[],
  own: CustomField | null = null,
): readonly BindableItem[] => {
  const taken = fields.filter(({ fieldId, isRetired }) => !isRetired && fieldId !== own?.fieldId);
  return BINDABLE_ITEMS.filter(({ id }) => !taken.some(({ item }) => item === id));
};

const toChoice = ({ id, label, group }: BindableItem) => ({
  value: id,
  text: `${label} (${id})`,
  group,
});
