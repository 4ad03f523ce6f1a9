import type { CustomFieldType } from '../../../domain/custom-field/events.ts';

/** What is answered to a field of a type. */
export const TYPE_WORDS: Readonly<Record<CustomFieldType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
};
