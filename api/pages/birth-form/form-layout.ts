import { ENTERED_FIELDS } from '../../../domain/course-of-care/entering/entered-fields.ts';
import { type Field, FORM_PARTS } from '../../../domain/course-of-care/fields.ts';

/** Fields that stand together; those with a title are rarely needed and fold away. */
export interface FormPart {
  readonly title: string | null;
  readonly fields: readonly Field[];
}

type FormSection = (typeof FORM_PARTS)[keyof typeof FORM_PARTS]['section'];

/** The fields of the form. */
export const FORM_FIELDS: readonly Field[] = ENTERED_FIELDS.filter(
  ({ form }) => form !== undefined,
);

const partsOf = (section: FormSection): readonly FormPart[] =>
  Object.entries(FORM_PARTS)
    .filter(([, part]) => part.section === section)
    .map(([name, { title }]) => ({
      title,
      fields: FORM_FIELDS.filter(({ form }) => form === name).sort(
        ({ formPlace: one = Infinity }, { formPlace: other = Infinity }) =>
          one === other ? 0 : one - other,
      ),
    }));

/** The form in the order of a birth. */
export const LAYOUT: Readonly<Record<FormSection, readonly FormPart[]>> = {
  mother: partsOf('mother'),
  pregnancy: partsOf('pregnancy'),
  birth: partsOf('birth'),
  child: partsOf('child'),
  transfer: partsOf('transfer'),
  consent: partsOf('consent'),
};

/** The key of a field's value: the path, with the position for a child or transfer. */
export const keyOf = (field: Field, index: number | null): string =>
  index === null ? field.path : `${field.holder}.${index}.${field.name}`;
