import {
  array,
  boolean,
  custom,
  literal,
  nullable,
  object,
  pattern,
  type Schema,
  type TypeSchema,
} from '../schema.ts';
import type { CourseOfCare } from './course.ts';
import { FIELDS, type Field } from './fields.ts';
import { MAX_CHILDREN } from './limits.ts';

const string: TypeSchema<string> = { type: 'string' };
const maskedOrWholeDate = pattern('^\\d{4}(-\\d{2}-\\d{2})?$');

const schemaOfField = (field: Field): Schema => {
  switch (field.type) {
    case 'text':
    case 'time':
    case 'instant':
    case 'date_time':
    case 'code':
      return nullable(string);
    case 'texts':
    case 'codes':
      return array(string);
    case 'date':
      return nullable(maskedOrWholeDate);
    case 'integer':
    case 'number':
      return nullable({ type: field.type });
    case 'boolean':
      return field.empty === null ? nullable({ type: 'boolean' }) : boolean;
    case 'choice':
      return nullable(literal(...(field.values ?? [])));
    case 'marks':
      return Array.isArray(field.empty) ? { type: 'array' } : { type: 'object' };
  }
};

const fieldsHeldBy = (holder: Field['holder']): Record<string, Schema> =>
  Object.fromEntries(
    FIELDS.filter((field) => field.holder === holder).map((field) => [
      field.name,
      schemaOfField(field),
    ]),
  );

export const courseOfCareSchema = custom<CourseOfCare>(
  object({
    ...fieldsHeldBy(''),
    mother: object({
      ...fieldsHeldBy('mother'),
      address: object(fieldsHeldBy('mother.address')),
    }),
    children: {
      ...array(object(fieldsHeldBy('children'))),
      minItems: 1,
      maxItems: MAX_CHILDREN,
    },
    transfers: array(object(fieldsHeldBy('transfers'))),
    consent: object(fieldsHeldBy('consent')),
  }),
);
