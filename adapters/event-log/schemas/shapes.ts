/** A JSON Schema (draft 2020-12 vocabulary that ajv checks). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One for values of one type, which lists none: what lists them would refuse a null. */
export type TypeSchema = JsonSchema & { readonly type: string; readonly enum?: never };

/** One that lists the values. */
export type EnumSchema = JsonSchema & { readonly enum: readonly unknown[] };

/** A text of at least one character. */
export const text: TypeSchema = { type: 'string', minLength: 1 };

/** A UUID in its text form. */
export const uuid: TypeSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};

/** An ISO 8601 instant with offset or Z. */
export const instant: TypeSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
};

/** A whole number from 0. */
export const count: TypeSchema = { type: 'integer', minimum: 0 };

/** A whole number from 1. */
export const ordinal: TypeSchema = { type: 'integer', minimum: 1 };

/** One of these values. */
export const anyOf = (...values: readonly unknown[]): EnumSchema => ({ enum: values });

/**
 * Values of one type or of a list, or null. What a schema asks of its own type, null does not have to
 * meet. Not a choice of two schemas: for each null the check would make an error of the first, and
 * of the empty places of a course 18 KB of garbage.
 */
export const nullable = (schema: TypeSchema | EnumSchema): JsonSchema =>
  'type' in schema
    ? { ...schema, type: [schema.type, 'null'] }
    : { ...schema, enum: [null, ...schema.enum] };

/** A list of such items. */
export const arrayOf = (items: JsonSchema): TypeSchema => ({ type: 'array', items });

/**
 * An object with these properties; those in `optional` may be absent.
 * Others are allowed: an older build reads what a newer one has written.
 */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): TypeSchema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});
