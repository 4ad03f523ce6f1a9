import type {
  CustomFieldEvent,
  CustomFieldSettings,
  CustomFieldType,
} from '../../domain/custom-field/events.ts';
import { type Handlers, type ReadTable, type Row, update, upsert } from '../projection.ts';

/** Row of `read.custom_field`: a field that a practice has defined. */
export interface CustomFieldRow {
  readonly field_id: string;
  readonly practice_id: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly choices: unknown;
  /** Sort order among the practice's fields; ties are ordered by definition. */
  readonly place: number;
  readonly defined_at: Date;
  /** Null while the field is in use. */
  readonly retired_at: Date | null;
}

const customField: ReadTable = {
  name: 'custom_field',
  columns: {
    field_id: 'text not null',
    practice_id: 'text not null',
    label: 'text not null',
    type: 'text not null',
    choices: 'jsonb not null',
    place: 'integer not null',
    defined_at: 'timestamptz not null',
    retired_at: 'timestamptz',
  },
  key: ['practice_id', 'field_id'],
  indexes: [],
};

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
  version: 1,
  tables: [customField],
  on: {
    CustomFieldDefined: (data, { metadata }) => [
      upsert('custom_field', {
        ...buildKey(data),
        ...buildSettings(data),
        type: data.type,
        defined_at: metadata.recordedAt,
        retired_at: null,
      }),
    ],
    CustomFieldChanged: (data) => [update('custom_field', buildKey(data), buildSettings(data))],
    CustomFieldRetired: (data, { metadata }) => [
      update('custom_field', buildKey(data), { retired_at: metadata.recordedAt }),
    ],
    CustomFieldRestored: (data) => [update('custom_field', buildKey(data), { retired_at: null })],
  } satisfies Handlers<CustomFieldEvent>,
};
