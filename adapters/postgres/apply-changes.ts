import { sql } from 'kysely';
import type { Change, ReadTable, Row } from '../../projections/projection.ts';
import { READ_TABLES } from '../../projections/read-model.ts';
import type { Db } from './database.ts';

const TABLES = new Map<string, ReadTable>(READ_TABLES.map((table) => [table.name, table]));

const tableOf = (name: string): ReadTable => {
  const table = TABLES.get(name);
  if (table === undefined) throw new Error(`No projection owns the table ${name}.`);
  return table;
};

/** What is left to do in one table when the changes of a batch are folded together. */
interface TableChanges {
  readonly table: ReadTable;
  /** Whole rows by key. */
  readonly puts: Map<string, Row>;
  /** Columns to set by key. */
  readonly patches: Map<string, { readonly key: Row; readonly set: Row }>;
  /** Owners whose rows go, with the rows that come. */
  readonly replaces: Map<string, { readonly owner: Row; readonly rows: readonly Row[] }>;
}

const keyText = (key: Row): string => JSON.stringify(Object.values(key));

/** Folds changes, in their order, into the least that has the same effect. */
const fold = (changes: readonly Change[]): readonly TableChanges[] => {
  const folded = new Map<string, TableChanges>();
  for (const change of changes) {
    let at = folded.get(change.table);
    if (at === undefined) {
      const table = tableOf(change.table);
      at = { table, puts: new Map(), patches: new Map(), replaces: new Map() };
      folded.set(change.table, at);
    }
    foldInto(at, change);
  }
  return [...folded.values()];
};

const foldInto = (at: TableChanges, change: Change): void => {
  switch (change.kind) {
    case 'put': {
      const key = keyText(Object.fromEntries(at.table.key.map((name) => [name, change.row[name]])));
      at.patches.delete(key);
      at.puts.set(key, change.row);
      return;
    }
    case 'patch': {
      const key = keyText(change.key);
      const put = at.puts.get(key);
      if (put !== undefined) {
        at.puts.set(key, { ...put, ...change.set });
        return;
      }
      const set = { ...at.patches.get(key)?.set, ...change.set };
      at.patches.set(key, { key: change.key, set });
      return;
    }
    case 'replace': {
      // Puts and patches run after the replaces: those that came before this one are gone with it.
      for (const [key, row] of at.puts) if (belongsTo(row, change.owner)) at.puts.delete(key);
      for (const [key, { key: columns }] of at.patches)
        if (belongsTo(columns, change.owner)) at.patches.delete(key);
      at.replaces.set(keyText(change.owner), { owner: change.owner, rows: change.rows });
      return;
    }
  }
};

const belongsTo = (columns: Row, owner: Row): boolean =>
  Object.entries(owner).every(([name, value]) => columns[name] === value);

/**
 * Applies changes to the tables of a schema, in few statements: rows travel as one JSON parameter
 * and take their types from the table. Run it in the transaction that moves the checkpoint.
 */
export const applyChanges = async (
  db: Db,
  schema: string,
  changes: readonly Change[],
): Promise<void> => {
  for (const { table, puts, patches, replaces } of fold(changes)) {
    if (replaces.size > 0) await replaceRows(db, schema, table, [...replaces.values()]);
    if (puts.size > 0) await putRows(db, schema, table, [...puts.values()]);
    if (patches.size > 0) await patchRows(db, schema, table, [...patches.values()]);
  }
};

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.id(name)));

const recordset = (schema: string, table: ReadTable, rows: readonly Row[]) =>
  sql`jsonb_populate_recordset(null::${sql.id(schema, table.name)}, ${JSON.stringify(rows)}::jsonb)`;

const putRows = async (db: Db, schema: string, table: ReadTable, rows: readonly Row[]) => {
  const columns = Object.keys(table.columns);
  const others = columns.filter((name) => !table.key.includes(name));
  await sql`
    insert into ${sql.id(schema, table.name)} (${names(columns)})
    select ${names(columns)} from ${recordset(schema, table, rows)}
    on conflict (${names(table.key)}) do ${
      others.length === 0
        ? sql`nothing`
        : sql`update set ${sql.join(
            others.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`),
          )}`
    }`.execute(db);
};

const patchRows = async (
  db: Db,
  schema: string,
  table: ReadTable,
  patches: readonly { readonly key: Row; readonly set: Row }[],
) => {
  // One statement for each set of columns: a column that is not named must stay as it is.
  const bySet = new Map<string, (typeof patches)[number][]>();
  for (const one of patches) {
    const columns = Object.keys(one.set).sort().join();
    const group = bySet.get(columns);
    if (group === undefined) bySet.set(columns, [one]);
    else group.push(one);
  }
  for (const group of bySet.values()) {
    const columns = Object.keys(group[0]?.set ?? {});
    await sql`
      update ${sql.id(schema, table.name)} held
      set ${sql.join(columns.map((name) => sql`${sql.id(name)} = changed.${sql.id(name)}`))}
      from ${recordset(
        schema,
        table,
        group.map(({ key, set }) => ({ ...key, ...set })),
      )} changed
      where ${sql.join(
        table.key.map((name) => sql`held.${sql.id(name)} = changed.${sql.id(name)}`),
        sql` and `,
      )}`.execute(db);
  }
};

const replaceRows = async (
  db: Db,
  schema: string,
  table: ReadTable,
  replaces: readonly { readonly owner: Row; readonly rows: readonly Row[] }[],
) => {
  const ownerColumns = Object.keys(replaces[0]?.owner ?? {});
  await sql`
    delete from ${sql.id(schema, table.name)} held
    using ${recordset(
      schema,
      table,
      replaces.map(({ owner }) => owner),
    )} gone
    where ${sql.join(
      ownerColumns.map((name) => sql`held.${sql.id(name)} = gone.${sql.id(name)}`),
      sql` and `,
    )}`.execute(db);
  const rows = replaces.flatMap(({ rows }) => rows);
  if (rows.length > 0) await putRows(db, schema, table, rows);
};
