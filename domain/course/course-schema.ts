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

const buildHolderSchemas = (holder: Field['holder']): Record<string, Schema> =>
  Object.fromEntries(
    FIELDS.filter((field) => field.holder === holder).map((field) => [
      field.name,
      buildFieldSchema(field),
    ]),
  );

export const courseOfCareSchema = custom<CourseOfCare>(
  object({
    ...buildHolderSchemas(''),
    mother: object({
      ...buildHolderSchemas('mother'),
      address: object(buildHolderSchemas('mother.address')),
    }),
    children: {
      ...array(object(buildHolderSchemas('children'))),
      minItems: 1,
      maxItems: MAX_CHILDREN,
    },
    transfers: array(object(buildHolderSchemas('transfers'))),
    consent: object(buildHolderSchemas('consent')),
  }),
);
