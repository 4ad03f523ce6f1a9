import type { Fact, StoredEvent } from '../domain/event-log.ts';

/** Column value: text, numbers, and booleans are written unchanged, everything else as JSON. */
export type ColumnValue = unknown;

export type Row = Readonly<Record<string, ColumnValue>>;

/** Change of a read table by an event. Plain data, so one statement can apply many. */
export type Change =
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly row: Row;
      /** True if no earlier event can have made a row with this key, so the write skips the conflict check. */
      readonly isNew: boolean;
    }
  /** Sets some columns of the row with this key. No-op if there is none. */
  | { readonly kind: 'patch'; readonly table: string; readonly key: Row; readonly set: Row }
  /** Replaces all rows of an owner (the leading columns of the key). */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly owner: Row;
      readonly rows: readonly Row[];
      /** True if no earlier event can have made a row of this owner. */
      readonly isNew: boolean;
    };

/** A table of the schema `read`. Columns map to Postgres types, including `not null`. */
export interface ReadTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** Column lists, or everything that follows the table name in `create index`. */
  readonly indexes: readonly string[];
  /** Columns that no query filters or sorts by: Postgres keeps no statistics for them. */
  readonly withoutStatistics?: readonly string[];
}

declare const VALUE: unique symbol;

/** Postgres type of a column. `Value` is what queries return, and exists only for the compiler. */
type Column<Value> = string & { readonly [VALUE]: Value };

const required =
  <Default>(type: string) =>
  <Value extends Default = Default>() =>
    `${type} not null` as Column<Value>;

const optional =
  <Default>(type: string) =>
  <Value extends Default = Default>() =>
    type as Column<Value | null>;

/** Columns by type, each required or nullable. The type argument narrows the value, as to an enumeration. */
export const column = {
  text: required<string>('text'),
  textOrNull: optional<string>('text'),
  /** Sorted by code points, which prefix searches need. */
  plainTextOrNull: optional<string>('text collate "C"'),
  textArray: required<readonly string[]>('text[]'),
  textArrayOrNull: optional<readonly string[]>('text[]'),
  tsvector: required<string>('tsvector'),
  uuid: required<string>('uuid'),
  uuidOrNull: optional<string>('uuid'),
  boolean: required<boolean>('boolean'),
  booleanOrNull: optional<boolean>('boolean'),
  smallint: required<number>('smallint'),
  smallintOrNull: optional<number>('smallint'),
  integer: required<number>('integer'),
  integerOrNull: optional<number>('integer'),
  /** In decimal digits, because it exceeds a JavaScript number. */
  bigint: required<string>('bigint'),
  bigintOrNull: optional<string>('bigint'),
  timestamptz: required<Date>('timestamptz'),
  timestamptzOrNull: optional<Date>('timestamptz'),
  json: required<unknown>('json'),
  jsonOrNull: optional<unknown>('json'),
  jsonb: required<unknown>('jsonb'),
  jsonbOrNull: optional<unknown>('jsonb'),
  bytea: required<Buffer>('bytea'),
  byteaOrNull: optional<Buffer>('bytea'),
};

type Columns = Readonly<Record<string, Column<unknown>>>;

interface TypedTable<Name extends string, Of extends Columns> extends ReadTable {
  readonly name: Name;
  readonly columns: Of;
  readonly key: readonly (keyof Of & string)[];
  readonly withoutStatistics?: readonly (keyof Of & string)[];
}

/** Keeps the types of the columns, for {@link RowOf}. */
export const defineTable = <const Name extends string, Of extends Columns>(
  table: TypedTable<Name, Of>,
) => table;

export type RowOf<Table extends { readonly columns: object }> = {
  readonly [Name in keyof Table['columns']]: Table['columns'][Name] extends Column<infer Value>
    ? Value
    : never;
};

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row, or the tables of a database, with camel-case names. */
export type CamelKeys<Row> = {
  readonly [Name in keyof Row as CamelCase<Name & string>]: Row[Name];
};

/** A view of the schema `read`. It selects from tables and needs no events. */
export interface ReadView {
  readonly name: string;
  readonly version: number;
  /** Builds the query. A rebuild passes its own schema, not the live one. */
  readonly query: (schema: string) => string;
}

/** In the transaction of the checkpoint. A main table handles every type, so a new event fails the build. */
export type Handlers<E extends Fact> = {
  readonly [Type in E['type']]: (
    data: Extract<E, { type: Type }>['data'],
    stored: StoredEvent,
  ) => readonly Change[];
};

/** Pure, without a clock. Increment `version` to rebuild the read tables from the log. */
export interface Projection<E extends Fact = Fact> {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly ReadTable[];
  readonly on: Handlers<E>;
}

export const isFirst = ({ revision }: StoredEvent): boolean => revision === 0n;

export const upsert = (table: string, row: Row, isNew = false): Change => ({
  kind: 'put',
  table,
  row,
  isNew,
});

export const update = (table: string, key: Row, set: Row): Change => ({
  kind: 'patch',
  table,
  key,
  set,
});

export const replaceAll = (
  table: string,
  owner: Row,
  rows: readonly Row[],
  isNew = false,
): Change => ({ kind: 'replace', table, owner, rows, isNew });
