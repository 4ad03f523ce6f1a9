import { FIELDS, type Field } from '../../course/fields.ts';

/** Texts as typed, by canonical path: `mother.family_name`, `children.0.sex`, `custom.<id>`. */
export type FormValues = Readonly<Record<string, string>>;

export const EDITABLE_FIELDS: readonly Field[] = FIELDS.filter(
  ({ form, isEditable = form !== undefined }) => isEditable,
);

const selectFields = (parent: Field['parent']): readonly Field[] =>
  EDITABLE_FIELDS.filter((field) => field.parent === parent);

export const FIELDS_BY_HOLDER = {
  course: selectFields(''),
  mother: selectFields('mother'),
  address: selectFields('mother.address'),
  children: selectFields('children'),
  transfers: selectFields('transfers'),
  consent: selectFields('consent'),
} as const;
