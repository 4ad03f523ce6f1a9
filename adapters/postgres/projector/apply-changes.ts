import type { Change, ReadTable, Row } from '../../../projections/projection.ts';
import {
  buildScript,
  type ScriptStatement,
} from '../../package-internals/postgres-driver/scripts.ts';
import type { Db } from '../connection/database.ts';
import { foldChanges, type TableChanges } from './fold-changes.ts';

/** `insert` trusts `isNew`: copies new rows, and an existing one is a data error. `upsert` upserts all. */
export type WriteMode = 'insert' | 'upsert';

/** Run it in the transaction that moves the checkpoint. */
export const applyChanges = async (
  db: Db,
  schema: string,
  changes: readonly Change[],
): Promise<void> => {
  const statements = buildStatements(schema, changes, 'upsert').flatMap((ofTable) => ofTable());
  if (statements.length > 0) await db.executeQuery(buildScript(statements));
};

/** One function per table, so that the caller can yield to the event loop between tables. */
export const buildStatements = (
  schema: string,
  changes: readonly Change[],
  writeMode: WriteMode,
): readonly (() => readonly ScriptStatement[])[] =>
  foldChanges(changes).map((folded) => () => ofTable(schema, folded, writeMode));

const ofTable = (
  schema: string,
  { table, puts, patches, replaces }: TableChanges,
  writeMode: WriteMode,
): readonly ScriptStatement[] => {
  const isInsert = writeMode === 'insert';
  const statements: ScriptStatement[] = [];
  const gone: Row[] = [];
  const copied: Row[] = [];
  const written: Row[] = [];
  for (const { owner, rows, isNew } of replaces.values()) {
    if (!(isInsert && isNew)) gone.push(owner);
    // The rows of the owner are deleted first, so none of these can exist.
    for (const row of rows) (isInsert ? copied : written).push(row);
  }
  // Puts that follow a replacement win over its rows.
  if (gone.length > 0) statements.push(deleteRows(schema, table, gone));
  if (written.length > 0) statements.push(writeRows(schema, table, written.splice(0)));
  for (const { row, isNew } of puts.values()) (isInsert && isNew ? copied : written).push(row);
  if (copied.length > 0) statements.push(copyRows(schema, table, copied));
  if (written.length > 0) statements.push(writeRows(schema, table, written));
  if (patches.size > 0) statements.push(...patchRows(schema, table, [...patches.values()]));
  return statements;
};

const quoteName = (name: string): string => `"${name}"`;
const list = (columns: readonly string[]): string => columns.map(quoteName).join(', ');
const qualifyName = (schema: string, table: ReadTable): string => `"${schema}"."${table.name}"`;

const recordset = (
  table: ReadTable,
  columns: readonly string[],
  rows: readonly Row[],
  alias: string,
): string => {
  const types = columns.map((name) => `${quoteName(name)} ${getType(table, name)}`).join(', ');
  return `json_to_recordset(${quotedText(JSON.stringify(rows))}) as ${alias} (${types})`;
};

const getType = (table: ReadTable, column: string): string =>
  (table.columns[column] ?? '').replace(/ (?:not null|collate).*/, '');

// Dollar quoting needs no escaping under any server setting; the tag does not occur in the text.
const quotedText = (text: string): string => {
  let tag = '$rows$';
  for (let n = 1; text.includes(tag); n += 1) tag = `$rows${n}$`;
  return `${tag}${text}${tag}`;
};

/** Text becomes bytes in pieces, so that the joined strings are garbage collected while young. */
const CHUNK_LENGTH = 32_768;

export const copyRows = (
  schema: string,
  table: ReadTable,
  rows: readonly Row[],
): ScriptStatement => {
  const columns = Object.keys(table.columns);
  const textsOf = Object.values(table.columns).map(copyTextOf);
  const chunks: Buffer[] = [];
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < columns.length; at += 1) {
      const value = row[columns[at] ?? ''] ?? null;
      text += `${at === 0 ? '' : '\t'}${value === null ? '\\N' : textsOf[at]?.(value)}`;
    }
    text += '\n';
    if (text.length < CHUNK_LENGTH) continue;
    chunks.push(Buffer.from(text, 'utf8'));
    text = '';
  }
  chunks.push(Buffer.from(text, 'utf8'));
  return { text: `copy ${qualifyName(schema, table)} (${list(columns)}) from stdin`, rows: chunks };
};

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (sign) => ESCAPED[sign] ?? sign) : text;

const copyText = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return escapeText(typeof value === 'string' ? value : JSON.stringify(value));
};

const copyJson = (value: unknown): string => escapeText(JSON.stringify(value));

const SPECIAL_IN_ARRAY = /["\\]/g;

/** Quotes each text of an array, so that none can read as null, a comma or the end of the array. */
const copyTexts = (value: unknown): string => {
  const texts = value as readonly string[];
  return escapeText(
    `{${texts.map((text) => `"${text.replace(SPECIAL_IN_ARRAY, '\\$&')}"`).join(',')}}`,
  );
};

const copyTextOf = (type: string): ((value: unknown) => string) => {
  if (type.startsWith('json')) return copyJson;
  return type.startsWith('text[]') ? copyTexts : copyText;
};

const writeRows = (schema: string, table: ReadTable, rows: readonly Row[]): ScriptStatement => {
  const columns = Object.keys(table.columns);
  const others = columns.filter((name) => !table.key.includes(name));
  const onConflict =
    others.length === 0
      ? 'nothing'
      : `update set ${others.map((name) => `${quoteName(name)} = excluded.${quoteName(name)}`).join(', ')}`;
  return {
    text: `insert into ${qualifyName(schema, table)} (${list(columns)})
    select ${list(columns)} from ${recordset(table, columns, rows, 'written')}
    on conflict (${list(table.key)}) do ${onConflict}`,
  };
};

const patchRows = (
  schema: string,
  table: ReadTable,
  patches: readonly { readonly key: Row; readonly set: Row }[],
): readonly ScriptStatement[] => {
  // One statement per set of columns, because columns that are not named must stay unchanged.
  const bySet = new Map<string, (typeof patches)[number][]>();
  for (const one of patches) {
    const columns = Object.keys(one.set).sort().join();
    const group = bySet.get(columns);
    if (group === undefined) bySet.set(columns, [one]);
    else group.push(one);
  }
  return [...bySet.values()].map((group) => {
    const rows = group.map(({ key, set }) => ({ ...key, ...set }));
    const columns = Object.keys(group[0]?.set ?? {});
    return {
      text: `update ${qualifyName(schema, table)} held
      set ${columns.map((name) => `${quoteName(name)} = changed.${quoteName(name)}`).join(', ')}
      from ${recordset(table, [...Object.keys(group[0]?.key ?? {}), ...columns], rows, 'changed')}
      where ${areSame(table.key, 'changed')}`,
    };
  });
};

const deleteRows = (schema: string, table: ReadTable, rows: readonly Row[]): ScriptStatement => {
  const owner = Object.keys(rows[0] ?? {});
  return {
    text: `delete from ${qualifyName(schema, table)} held
    using ${recordset(table, owner, rows, 'gone')}
    where ${areSame(owner, 'gone')}`,
  };
};

const areSame = (columns: readonly string[], other: string): string =>
  columns.map((name) => `held.${quoteName(name)} = ${other}.${quoteName(name)}`).join(' and ');
