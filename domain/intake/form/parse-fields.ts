import type { Field } from '../../course/fields.ts';
import type { FormReader } from './form-parser.ts';
import { type TypingContext, typedValue } from './parse-values.ts';

/**
 * The values of the fields of one object, such as the mother, as a person typed them.
 * @param prefix what stands before the names of the fields in the form: `mother.`, `children.0.`
 * @param base the object as it was held: a field that was not touched keeps its value
 */
export const enteredObject = (
  prefix: string,
  fields: readonly Field[],
  base: object,
  form: FormReader,
  context: TypingContext,
): unknown =>
  Object.fromEntries(
    fields.map((field) => {
      const held = (base as Record<string, unknown>)[field.name] ?? null;
      const value = form.take(`${prefix}${field.name}`, held, (text) =>
        typedValue(field, text, context),
      );
      return [field.name, value ?? (isList(field) ? [] : null)];
    }),
  );

const isList = ({ type }: Field): boolean => type === 'texts' || type === 'codes';
