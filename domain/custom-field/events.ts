import type { Fact } from '../event-log.ts';

/** What the values of a practice's own field are. */
export type CustomFieldType = 'text' | 'number' | 'date' | 'choice';

/** Every type there is. */
export const CUSTOM_FIELD_TYPES: readonly CustomFieldType[] = ['text', 'number', 'date', 'choice'];

/** What can change about a field: its type never does, its choices only grow. */
export interface CustomFieldSettings {
  readonly practiceId: string;
  readonly fieldId: string;
  readonly label: string;
  /** The words of a choice in their order; empty for other types. */
  readonly choices: readonly string[];
  /** Place among the practice's fields, smallest first; equal ones in the order of definition. */
  readonly order: number;
}

/** A practice defined a field of its own, for every course of care that it enters. */
export type CustomFieldDefined = Fact<
  'CustomFieldDefined',
  CustomFieldSettings & { readonly type: CustomFieldType }
>;

/** A field has another label, more choices or another place. */
export type CustomFieldChanged = Fact<'CustomFieldChanged', CustomFieldSettings>;

/** A field is asked for no more; the values that records hold stay and are shown. */
export type CustomFieldRetired = Fact<
  'CustomFieldRetired',
  { readonly practiceId: string; readonly fieldId: string }
>;

/** A retired field is asked for again. */
export type CustomFieldRestored = Fact<'CustomFieldRestored', CustomFieldRetired['data']>;

/** Events of a practice's own fields, on the stream of the practice. */
export type CustomFieldEvent =
  | CustomFieldDefined
  | CustomFieldChanged
  | CustomFieldRetired
  | CustomFieldRestored;
