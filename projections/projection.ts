import type { Fact, StoredEvent } from '../domain/event-log.ts';

/** A value that goes into a column: text, numbers and booleans as they are, the rest as JSON. */
export type ColumnValue = unknown;

/** Column values by column name. */
export type Row = Readonly<Record<string, ColumnValue>>;

/** What an event changes in a read table. Data, so that many can be applied in one statement. */
export type Change =
  /** Writes the whole row, over the one with the same key if there is one. */
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly row: Row;
      /** No event before this one can have made a row with the key: none has to be looked for. */
      readonly isNew: boolean;
    }
  /** Sets some columns of the row with this key, if there is one. */
  | { readonly kind: 'patch'; readonly table: string; readonly key: Row; readonly set: Row }
  /** Replaces all rows that belong to an owner (the leading columns of the key). */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly owner: Row;
      readonly rows: readonly Row[];
      /** No event before this one can have made a row of the owner. */
      readonly isNew: boolean;
    };

/** A table of the schema `read`. Types are Postgres column types, with `not null` where it holds. */
export interface ReadTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** Column lists, or whole index expressions after the table name. */
  readonly indexes: readonly string[];
  /** Columns that no question goes by: Postgres keeps no statistics of them. */
  readonly unasked?: readonly string[];
}

/** A view of the schema `read`: what follows from tables, at once and without events of its own. */
export interface ReadView {
  readonly name: string;
  /** The query, for tables of the schema that it is made in. */
  readonly query: (schema: string) => string;
}

/**
 * One function for each event type; what it returns is applied with the checkpoint, at once. The table of an
 * aggregate itself has them all, so that the build stops at a new event; a table of one aspect has some.
 */
export type Handlers<E extends Fact> = {
  readonly [Type in E['type']]: (
    data: Extract<E, { type: Type }>['data'],
    stored: StoredEvent,
  ) => readonly Change[];
};

/**
 * A projection: tables, and what each event changes in them. Pure, without a clock.
 * A new `version` makes the read tables be built anew from the log.
 */
export interface Projection<E extends Fact = Fact> {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly ReadTable[];
  readonly on: Handlers<E>;
}

/** The first event of its stream: what the stream is about is new. */
export const isFirst = ({ revision }: StoredEvent): boolean => revision === 0n;

/** Writes a whole row. */
export const upsert = (table: string, row: Row, isNew = false): Change => ({
  kind: 'put',
  table,
  row,
  isNew,
});

/** Sets columns of the row with this key. */
export const update = (table: string, key: Row, set: Row): Change => ({
  kind: 'patch',
  table,
  key,
  set,
});

/** Replaces the rows that belong to an owner. */
export const replaceAll = (
  table: string,
  owner: Row,
  rows: readonly Row[],
  isNew = false,
): Change => ({ kind: 'replace', table, owner, rows, isNew });
