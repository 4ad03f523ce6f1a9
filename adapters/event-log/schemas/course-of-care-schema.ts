import { FIELDS, type Field } from '../../../domain/course/fields.ts';
import { MAX_CHILDREN } from '../../../domain/course/limits.ts';
import { arrayOf, type JsonSchema, nullable, objectOf, type TypeSchema } from './shapes.ts';

const string: TypeSchema = { type: 'string' };
const MASKED_OR_WHOLE_DATE = '^\\d{4}(-\\d{2}-\\d{2})?$';

const schemaOfField = (field: Field): JsonSchema => {
  switch (field.type) {
    case 'text':
    case 'time':
    case 'instant':
    case 'date_time':
    case 'code':
      return nullable(string);
    case 'texts':
    case 'codes':
      return arrayOf(string);
    case 'date':
      return nullable({ type: 'string', pattern: MASKED_OR_WHOLE_DATE });
    case 'integer':
      return nullable({ type: 'integer' });
    case 'number':
      return nullable({ type: 'number' });
    case 'boolean':
      return field.empty === null ? nullable({ type: 'boolean' }) : { type: 'boolean' };
    case 'choice':
      return nullable({ enum: [...(field.values ?? [])] });
    case 'marks':
      return Array.isArray(field.empty) ? { type: 'array' } : { type: 'object' };
  }
};

const fieldsHeldBy = (holder: Field['holder']): Record<string, JsonSchema> =>
  Object.fromEntries(
    FIELDS.filter((field) => field.holder === holder).map((field) => [
      field.name,
      schemaOfField(field),
    ]),
  );

/** JSON Schema of the canonical course of care, generated from the field table. */
export const courseOfCareSchema: JsonSchema = objectOf({
  ...fieldsHeldBy(''),
  mother: objectOf({
    ...fieldsHeldBy('mother'),
    address: objectOf(fieldsHeldBy('mother.address')),
  }),
  children: {
    ...arrayOf(objectOf(fieldsHeldBy('children'))),
    minItems: 1,
    maxItems: MAX_CHILDREN,
  },
  transfers: arrayOf(objectOf(fieldsHeldBy('transfers'))),
  consent: objectOf(fieldsHeldBy('consent')),
});
