import type { CustomFieldEvent, CustomFieldType } from './events.ts';

export interface CustomField {
  readonly fieldId: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly choices: readonly string[];
  readonly order: number;
  /** Item of the birth certificate that it is bound to, if any. */
  readonly item: string | null;
  /** Not on forms; values in records are still shown. */
  readonly isRetired: boolean;
}

export const evolveFields = (
  fields: readonly CustomField[],
  event: CustomFieldEvent,
): readonly CustomField[] => {
  switch (event.type) {
    case 'CustomFieldDefined': {
      const { fieldId, label, type, choices, order } = event.data;
      const field = { fieldId, label, type, choices, order, item: null, isRetired: false };
      return sortFields([...fields, field]);
    }
    case 'CustomFieldChanged': {
      const { label, choices, order } = event.data;
      return sortFields(updateField(fields, event.data.fieldId, { label, choices, order }));
    }
    case 'CustomFieldBound':
      return updateField(fields, event.data.fieldId, { item: event.data.item });
    case 'CustomFieldRetired':
      return updateField(fields, event.data.fieldId, { isRetired: true });
    case 'CustomFieldRestored':
      return updateField(fields, event.data.fieldId, { isRetired: false });
  }
};

const updateField = (
  fields: readonly CustomField[],
  fieldId: string,
  change: Partial<CustomField>,
): readonly CustomField[] =>
  fields.map((field) => (field.fieldId === fieldId ? { ...field, ...change } : field));

// The sort is stable: ties remain in order of definition.
const sortFields = (fields: readonly CustomField[]): readonly CustomField[] =>
  [...fields].sort((one, other) => one.order - other.order);
