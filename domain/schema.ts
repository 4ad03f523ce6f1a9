declare const VALUE: unique symbol;

/** The vocabulary of draft 2020-12 that ajv checks. `Value` exists only for the compiler. */
export interface Schema<Value = unknown> {
  readonly [keyword: string]: unknown;
  readonly [VALUE]?: Value;
}

export type Infer<Accepting extends Schema> = Accepting extends Schema<infer Value> ? Value : never;

/** Schema of values of one type, without `enum`, which would refuse a null. */
export interface TypeSchema<Value> extends Schema<Value> {
  readonly type: string;
  readonly enum?: never;
}

interface EnumSchema<Value> extends Schema<Value> {
  readonly enum: readonly Value[];
}

type Properties = Readonly<Record<string, Schema>>;

export type InferProperties<Schemas extends Properties> = {
  readonly [Name in keyof Schemas]: Infer<Schemas[Name]>;
};

/** One object type instead of an intersection, for readable errors. */
type Flat<Intersection> = { [Name in keyof Intersection]: Intersection[Name] };

export const boolean: Schema<boolean> = { type: 'boolean' };

export const text: TypeSchema<string> = { type: 'string', minLength: 1 };

export const pattern = (expression: string): TypeSchema<string> => ({
  type: 'string',
  pattern: expression,
});

export const uuid = pattern('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$');

/** ISO 8601 instant with offset or Z. */
export const instant = pattern(
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
);

export const count: TypeSchema<number> = { type: 'integer', minimum: 0 };

export const ordinal: TypeSchema<number> = { type: 'integer', minimum: 1 };

export const literal = <const Value>(...values: readonly Value[]): EnumSchema<Value> => ({
  enum: values,
});

/**
 * Not a choice of two schemas: each null would create an error object for the first one, and a course
 * has many empty fields.
 */
export const nullable = <Value>(
  schema: TypeSchema<Value> | EnumSchema<Value>,
): Schema<Value | null> =>
  'type' in schema
    ? { ...schema, type: [schema.type, 'null'] }
    : { ...schema, enum: [null, ...schema.enum] };

export const array = <Item>(items: Schema<Item>): TypeSchema<readonly Item[]> => ({
  type: 'array',
  items,
});

/** Allows other properties, so an older build can read events of a newer one. */
export const object = <
  Required extends Properties,
  Optional extends Properties = Record<never, Schema>,
>(
  properties: Required,
  optional?: Optional,
): TypeSchema<Flat<InferProperties<Required> & Partial<InferProperties<Optional>>>> => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});

/** A schema for values of a type that is narrower than what it can check. */
export const custom = <Value>(schema: Schema): TypeSchema<Value> => schema as TypeSchema<Value>;
