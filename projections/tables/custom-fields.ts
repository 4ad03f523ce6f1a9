import type {
  CustomFieldEvent,
  CustomFieldSettings,
  CustomFieldType,
} from '../../domain/custom-field/events.ts';
import { column, defineTable, type Handlers, type Row, update, upsert } from '../projection.ts';

const customField = defineTable({
  name: 'custom_field',
  columns: {
    field_id: column.text(),
    practice_id: column.text(),
    label: column.text(),
    type: column.text<CustomFieldType>(),
    choices: column.jsonb<readonly string[]>(),
    /** Sort order among the practice's fields; ties are ordered by definition. */
    place: column.integer(),
    /** Item of the birth certificate. */
    item: column.textOrNull(),
    defined_at: column.timestamptz(),
    retired_at: column.timestamptzOrNull(),
  },
  key: ['practice_id', 'field_id'],
  indexes: [],
});

const buildKey = (data: { readonly practiceId: string; readonly fieldId: string }): Row => ({
  practice_id: data.practiceId,
  field_id: data.fieldId,
});

const buildSettings = ({ label, choices, order }: CustomFieldSettings): Row => ({
  label,
  choices,
  place: order,
});

export const customFields = {
  name: 'custom_fields',
  version: 2,
  tables: [customField],
  on: {
    CustomFieldDefined: (data, { metadata }) => [
      upsert('custom_field', {
        ...buildKey(data),
        ...buildSettings(data),
        type: data.type,
        item: null,
        defined_at: metadata.recordedAt,
        retired_at: null,
      }),
    ],
    CustomFieldChanged: (data) => [update('custom_field', buildKey(data), buildSettings(data))],
    CustomFieldBound: (data) => [update('custom_field', buildKey(data), { item: data.item })],
    CustomFieldRetired: (data, { metadata }) => [
      update('custom_field', buildKey(data), { retired_at: metadata.recordedAt }),
    ],
    CustomFieldRestored: (data) => [update('custom_field', buildKey(data), { retired_at: null })],
  } satisfies Handlers<CustomFieldEvent>,
};
