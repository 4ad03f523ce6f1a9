/** A JSON Schema (draft 2020-12 vocabulary that ajv checks). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A text of at least one character. */
export const text: JsonSchema = { type: 'string', minLength: 1 };

/** A UUID in its text form. */
export const uuid: JsonSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};

/** An ISO 8601 instant with offset or Z. */
export const instant: JsonSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
};

/** A whole number from 0. */
export const count: JsonSchema = { type: 'integer', minimum: 0 };

/** A whole number from 1. */
export const ordinal: JsonSchema = { type: 'integer', minimum: 1 };

/** One of these values. */
export const oneOf = (...values: readonly unknown[]): JsonSchema => ({ enum: values });

/** The schema, or null. */
export const nullable = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
});

/** A list of such items. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/**
 * An object with these properties; those in `optional` may be absent.
 * Others are allowed: an older build reads what a newer one has written.
 */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});
