import type { Change, ReadTable, Row } from '../../../projections/projection.ts';
import { READ_TABLES } from '../../../projections/read-model.ts';

const TABLES = new Map<string, ReadTable>(READ_TABLES.map((table) => [table.name, table]));

const getTable = (name: string): ReadTable => {
  const table = TABLES.get(name);
  if (table === undefined) throw new Error(`No projection owns the table ${name}.`);
  return table;
};

/** A whole row. `isNew` if the key did not exist before the batch. */
interface Put {
  row: Row;
  readonly isNew: boolean;
  /** True if the row is our copy and may be mutated. */
  isOwn: boolean;
}

interface Patch {
  readonly key: Row;
  readonly set: Record<string, unknown>;
}

/** An owner and the rows that replace its current ones. `isNew` if it had none before the batch. */
interface Replace {
  readonly owner: Row;
  readonly rows: readonly Row[];
  readonly isNew: boolean;
}

export interface TableChanges {
  readonly table: ReadTable;
  readonly puts: Map<string, Put>;
  readonly patches: Map<string, Patch>;
  readonly replaces: Map<string, Replace>;
}

// Keys are texts and numbers. Most tables have a single key column and need no array or JSON.
const keyText = (columns: readonly string[], row: Row): string => {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return String(row[only]);
  return JSON.stringify(columns.map((name) => row[name]));
};

export const foldChanges = (changes: readonly Change[]): readonly TableChanges[] => {
  const folded = new Map<string, TableChanges>();
  for (const change of changes) {
    let at = folded.get(change.table);
    if (at === undefined) {
      const table = getTable(change.table);
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
      const key = keyText(at.table.key, change.row);
      at.patches.delete(key);
      const isNew = at.puts.get(key)?.isNew ?? change.isNew;
      at.puts.set(key, { row: change.row, isNew, isOwn: false });
      return;
    }
    case 'patch': {
      const key = keyText(at.table.key, change.key);
      const put = at.puts.get(key);
      if (put !== undefined) {
        if (!put.isOwn) Object.assign(put, { row: { ...put.row }, isOwn: true });
        Object.assign(put.row, change.set);
        return;
      }
      const patched = at.patches.get(key);
      if (patched === undefined) at.patches.set(key, { key: change.key, set: { ...change.set } });
      else Object.assign(patched.set, change.set);
      return;
    }
    case 'replace': {
      // Puts and patches run after the replaces, so drop the earlier ones that this replace overrides.
      for (const [key, { row }] of at.puts) if (belongsTo(row, change.owner)) at.puts.delete(key);
      for (const [key, { key: columns }] of at.patches)
        if (belongsTo(columns, change.owner)) at.patches.delete(key);
      const key = keyText(Object.keys(change.owner), change.owner);
      const isNew = at.replaces.get(key)?.isNew ?? change.isNew;
      at.replaces.set(key, { owner: change.owner, rows: change.rows, isNew });
      return;
    }
  }
};

const belongsTo = (columns: Row, owner: Row): boolean =>
  Object.entries(owner).every(([name, value]) => columns[name] === value);
