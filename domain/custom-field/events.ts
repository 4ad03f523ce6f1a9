import type { Fact } from '../event-log.ts';

export type CustomFieldType = 'text' | 'number' | 'date' | 'choice';

export const CUSTOM_FIELD_TYPES: readonly CustomFieldType[] = ['text', 'number', 'date', 'choice'];

/** Settings that can change. The type never changes, and choices can only be added. */
export interface CustomFieldSettings {
  readonly practiceId: string;
  readonly fieldId: string;
  readonly label: string;
  /** Answers of a choice in order; empty for other types. */
  readonly choices: readonly string[];
  /** Sort key among the practice's fields; ties are in order of definition. */
  readonly order: number;
}

/** A practice defined a custom field for all of its courses of care. */
export type CustomFieldDefined = Fact<
  'CustomFieldDefined',
  CustomFieldSettings & { readonly type: CustomFieldType }
>;

/** The label, choices, or position of a custom field changed. */
export type CustomFieldChanged = Fact<'CustomFieldChanged', CustomFieldSettings>;

/** A field was removed from forms; values in records remain and are shown. */
export type CustomFieldRetired = Fact<
  'CustomFieldRetired',
  { readonly practiceId: string; readonly fieldId: string }
>;

/** A retired field was restored to forms. */
export type CustomFieldRestored = Fact<'CustomFieldRestored', CustomFieldRetired['data']>;

/** Events of custom fields, in the stream of the practice. */
export type CustomFieldEvent =
  | CustomFieldDefined
  | CustomFieldChanged
  | CustomFieldRetired
  | CustomFieldRestored;
