/** JSON Schema (the draft 2020-12 vocabulary that ajv checks). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schema of values of one type, without `enum`, which would refuse a null. */
export type TypeSchema = JsonSchema & { readonly type: string; readonly enum?: never };

/** Schema that lists all values. */
export type EnumSchema = JsonSchema & { readonly enum: readonly unknown[] };

export const text: TypeSchema = { type: 'string', minLength: 1 };

/** UUID in its text form. */
export const uuid: TypeSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};

/** ISO 8601 instant with offset or Z. */
export const instant: TypeSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
};

export const count: TypeSchema = { type: 'integer', minimum: 0 };

export const ordinal: TypeSchema = { type: 'integer', minimum: 1 };

export const anyOf = (...values: readonly unknown[]): EnumSchema => ({ enum: values });

/**
 * Accepts the values of a schema, or null. Keywords for the schema's own type do not apply to null.
 * We avoid a choice of two schemas because each null would create an error object for the first
 * one, and a course has many empty fields.
 */
export const nullable = (schema: TypeSchema | EnumSchema): JsonSchema =>
  'type' in schema
    ? { ...schema, type: [schema.type, 'null'] }
    : { ...schema, enum: [null, ...schema.enum] };

export const arrayOf = (items: JsonSchema): TypeSchema => ({ type: 'array', items });

/**
 * Object with these properties; those in `optional` may be absent. Allows other properties, so an
 * older build can read events of a newer one.
 */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): TypeSchema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});
