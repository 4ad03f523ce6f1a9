import type { CustomField } from '../../../domain/custom-field/state.ts';

/** A place that a field is to have. */
export interface NewPlace {
  readonly fieldId: string;
  readonly order: number;
}

/**
 * What moves a live field by one place among the live ones: the fields whose place changes, with
 * their new one. Nothing at the end of the list.
 */
export const moved = (
  fields: readonly CustomField[],
  fieldId: string,
  by: -1 | 1,
): readonly NewPlace[] => {
  const live = fields.filter(({ retired }) => !retired);
  const from = live.findIndex((field) => field.fieldId === fieldId);
  const field = live[from];
  const other = live[from + by];
  if (field === undefined || other === undefined) return [];
  const next = live.with(from, other).with(from + by, field);
  return next
    .map((one, index) => ({ fieldId: one.fieldId, order: index + 1, held: one.order }))
    .filter(({ order, held }) => order !== held)
    .map(({ fieldId: id, order }) => ({ fieldId: id, order }));
};
