import type { CustomFieldType } from '../../../../domain/custom-field/events.ts';

export const TYPE_TEXT: Readonly<Record<CustomFieldType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
};
