import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { Db } from '../connection/database.ts';

/** The fields that a practice has defined for itself, in their order, retired ones too. */
export const customFieldsIn =
  (db: Db) =>
  async (practiceId: string): Promise<readonly CustomField[]> => {
    const rows = await db
      .selectFrom('read.custom_field')
      .select(['field_id', 'label', 'type', 'choices', 'place', 'retired_at'])
      .where('practice_id', '=', practiceId)
      .orderBy('place')
      .orderBy('defined_at')
      .execute();
    return rows.map((row) => ({
      fieldId: row.field_id,
      label: row.label,
      type: row.type,
      choices: row.choices as readonly string[],
      order: row.place,
      retired: row.retired_at !== null,
    }));
  };
