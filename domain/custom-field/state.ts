import type { CustomFieldEvent, CustomFieldType } from './events.ts';

/** A field that a practice has defined for itself. */
export interface CustomField {
  readonly fieldId: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly choices: readonly string[];
  readonly order: number;
  /** Asked for no more; values that records hold are shown. */
  readonly retired: boolean;
}

/** The fields of a practice after one more event, in their order. */
export const evolveFields = (
  fields: readonly CustomField[],
  event: CustomFieldEvent,
): readonly CustomField[] => {
  switch (event.type) {
    case 'CustomFieldDefined': {
      const { fieldId, label, type, choices, order } = event.data;
      return inOrder([...fields, { fieldId, label, type, choices, order, retired: false }]);
    }
    case 'CustomFieldChanged': {
      const { label, choices, order } = event.data;
      return inOrder(withField(fields, event.data.fieldId, { label, choices, order }));
    }
    case 'CustomFieldRetired':
      return withField(fields, event.data.fieldId, { retired: true });
    case 'CustomFieldRestored':
      return withField(fields, event.data.fieldId, { retired: false });
  }
};

const withField = (
  fields: readonly CustomField[],
  fieldId: string,
  change: Partial<CustomField>,
): readonly CustomField[] =>
  fields.map((field) => (field.fieldId === fieldId ? { ...field, ...change } : field));

// The sort is stable: equal places stay in the order of definition.
const inOrder = (fields: readonly CustomField[]): readonly CustomField[] =>
  [...fields].sort((one, other) => one.order - other.order);
