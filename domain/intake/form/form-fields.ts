import { FIELDS, type Field } from '../../course/fields.ts';

/** Texts as a person typed them, by canonical path: `mother.family_name`, `children.0.sex`, `custom.<id>`. */
export type EnteredValues = Readonly<Record<string, string>>;

/** The fields that a person may enter, in their documented order. */
export const ENTERED_FIELDS: readonly Field[] = FIELDS.filter(
  ({ form, entered = form !== undefined }) => entered,
);

const heldBy = (holder: Field['holder']): readonly Field[] =>
  ENTERED_FIELDS.filter((field) => field.holder === holder);

/** The same by the object that holds them. */
export const FIELDS_OF = {
  course: heldBy(''),
  mother: heldBy('mother'),
  address: heldBy('mother.address'),
  children: heldBy('children'),
  transfers: heldBy('transfers'),
  consent: heldBy('consent'),
} as const;
