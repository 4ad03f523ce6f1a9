import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, count, type InferProperties, literal, nullable, object, text } from '../schema.ts';

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

export const CUSTOM_FIELD_TYPES = ['text', 'number', 'date', 'choice'] as const;

/** Settings that can change. The type never changes, and choices can only be added. */
export type CustomFieldSettings = InferProperties<typeof customFieldSettings>;

const customFieldSettings = {
  practiceId: text,
  fieldId: text,
  label: text,
  /** Answers of a choice in order; empty for other types. */
  choices: array(text),
  /** Sort key among the practice's fields; ties are in order of definition. */
  order: count,
};

/** Events of custom fields, in the stream of the practice. */
export const CUSTOM_FIELD_EVENTS = defineEvents('practice', {
  /** A practice defined a custom field for all of its courses of care. */
  CustomFieldDefined: object({ ...customFieldSettings, type: literal(...CUSTOM_FIELD_TYPES) }),

  /** The label, choices, or position of a custom field changed. */
  CustomFieldChanged: object(customFieldSettings),

  /** A field was bound to an item of the birth certificate, which the state file takes from it. */
  CustomFieldBound: object({
    practiceId: text,
    fieldId: text,
    /** Id of `BINDABLE_ITEMS`. Null if the field was unbound. */
    item: nullable(text),
  }),

  /** A field was removed from forms; values in records remain and are shown. */
  CustomFieldRetired: object({ practiceId: text, fieldId: text }),

  /** A retired field was restored to forms. */
  CustomFieldRestored: object({ practiceId: text, fieldId: text }),
});

type Events = typeof CUSTOM_FIELD_EVENTS;
export type CustomFieldEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
