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

const partialDate = pattern('^\\d{4}(-\\d{2}(-\\d{2})?)?$');

const buildFieldSchema = (field: Field): Schema => {
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
    case 'partial_date':
      return nullable(partialDate);
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

const buildFieldSchemas = (parent: Field['parent']): Record<string, Schema> =>
  Object.fromEntries(
    FIELDS.filter((field) => field.parent === parent).map((field) => [
      field.name,
      buildFieldSchema(field),
    ]),
  );

export const courseOfCareSchema = custom<CourseOfCare>(
  object({
    ...buildFieldSchemas(''),
    mother: object({
      ...buildFieldSchemas('mother'),
      address: object(buildFieldSchemas('mother.address')),
    }),
    children: {
      ...array(object(buildFieldSchemas('children'))),
      minItems: 1,
      maxItems: MAX_CHILDREN,
    },
    transfers: array(object(buildFieldSchemas('transfers'))),
    consent: object(buildFieldSchemas('consent')),
  }),
);
