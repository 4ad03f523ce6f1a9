import { sql } from 'kysely';
import type { ReadTable } from '../../../projections/projection.ts';
import { READ_TABLES } from '../../../projections/read-model.ts';
import type { Db } from '../connection/database.ts';

export interface TableDifference {
  readonly table: string;
  /** Key columns, which are ids. */
  readonly key: Readonly<Record<string, unknown>>;
  /** `missing` and `extra` describe the live tables, compared with the rebuilt ones. */
  readonly kind: 'missing' | 'extra' | 'different';
  /** Columns that differ. Empty if the row is missing or extra. */
  readonly columns: readonly string[];
}

export interface TableDifferences {
  readonly table: string;
  readonly rows: number;
  /** Number of distinct values of the first key column among them. */
  readonly firstKeys: number;
  readonly first: readonly TableDifference[];
}

export type ComparedTable = Pick<ReadTable, 'name' | 'key'> & {
  readonly columns: readonly string[];
  /** Columns whose types have no equality or hash, compared as text. */
  readonly asText: readonly string[];
};

const COMPARED: readonly ComparedTable[] = [
  ...READ_TABLES.map(({ name, key, columns: types }) => {
    const columns = Object.keys(types);
    const asText = columns.filter((column) => /^(?:json|tsvector)\b/.test(types[column] ?? ''));
    return { name, key, columns, asText };
  }),
  {
    name: 'parked_stream',
    key: ['stream'],
    asText: [],
    columns: ['stream', 'revision', 'event_type'],
  },
];

/** Maximum number of listed rows. A longer list helps no one. */
export const MAX_DIFFERENCES = 100_000;

/** In one snapshot; row by row only if checksums differ. @param db has both at the same log position */
export const findDifferences = async (
  db: Db,
  live: string,
  rebuilt: string,
  tables: readonly ComparedTable[] = COMPARED,
  most = MAX_DIFFERENCES,
): Promise<readonly TableDifferences[]> => {
  const differences: TableDifferences[] = [];
  for (const table of tables) {
    const liveChecksum = await computeChecksum(db, live, table);
    if (liveChecksum !== (await computeChecksum(db, rebuilt, table)))
      differences.push(await findDifferingRows(db, live, rebuilt, table, most));
  }
  return differences;
};

/** From the catalog of Postgres, because another build may have created one of them. */
export const listCommonTables = async (
  db: Db,
  live: string,
  rebuilt: string,
): Promise<readonly ComparedTable[]> => {
  const { rows } = await sql<{ table_name: string; column_name: string; is_same_type: boolean }>`
    select held.table_name, held.column_name, held.udt_name = built.udt_name as is_same_type
    from information_schema.columns held
    join information_schema.columns built using (table_name, column_name)
    where held.table_schema = ${live} and built.table_schema = ${rebuilt}`.execute(db);
  return COMPARED.flatMap((table) => {
    const tableColumns = rows.filter(({ table_name }) => table_name === table.name);
    const names = tableColumns.map(({ column_name }) => column_name);
    if (!table.key.every((column) => names.includes(column))) return [];
    const changed = tableColumns.filter((one) => !one.is_same_type).map((one) => one.column_name);
    return [
      {
        ...table,
        columns: table.columns.filter((column) => names.includes(column)),
        asText: [...table.asText, ...changed],
      },
    ];
  });
};

// Hashes rows directly, because converting them to text is slower than the hash.
const computeChecksum = async (
  db: Db,
  schema: string,
  { name, columns, asText }: ComparedTable,
): Promise<string> => {
  const values = columns.map((column) =>
    asText.includes(column) ? sql`${sql.id(column)}::text` : sql.id(column),
  );
  const { rows } = await sql<{ checksum: string }>`
    select count(*) || ' ' || coalesce(sum(hash_record_extended(row(${sql.join(values)}), 0)), 0)
      as checksum
    from ${sql.id(schema, name)}`.execute(db);
  return rows[0]?.checksum ?? '';
};

const findDifferingRows = async (
  db: Db,
  live: string,
  rebuilt: string,
  { name, key, columns, asText }: ComparedTable,
  most: number,
): Promise<TableDifferences> => {
  const firstKey = sql.id(key[0] ?? '');
  const others = columns.filter((column) => !key.includes(column));
  const buildComparison = (column: string) => {
    const type = asText.includes(column) ? sql`::text` : sql``;
    return sql`held.${sql.id(column)}${type} is distinct from built.${sql.id(column)}${type}`;
  };
  const isOneMissing = sql`held.${firstKey} is null or built.${firstKey} is null`;
  const { rows } = await sql<
    Omit<TableDifference, 'table'> & { readonly total: string; readonly firsts: string }
  >`
    with difference as materialized (select
      jsonb_build_object(${sql.join(
        key.map(
          (column) =>
            sql`${sql.lit(column)}, coalesce(held.${sql.id(column)}, built.${sql.id(column)})`,
        ),
      )}) as key,
      case when held.${firstKey} is null then 'missing'
        when built.${firstKey} is null then 'extra' else 'different' end as kind,
      case when ${isOneMissing} then '{}'::text[]
        else array_remove(array[${sql.join([
          sql`null::text`,
          ...others.map(
            (column) => sql`case when ${buildComparison(column)} then ${sql.lit(column)} end`,
          ),
        ])}]::text[], null) end as columns
    from ${sql.id(live, name)} held
    full join ${sql.id(rebuilt, name)} built on ${sql.join(
      key.map((column) => sql`held.${sql.id(column)} = built.${sql.id(column)}`),
      sql` and `,
    )}
    where ${sql.join([isOneMissing, ...others.map(buildComparison)], sql` or `)})
    select key, kind, columns, total, firsts
    from difference, (
      select count(*) as total, count(distinct key ->> ${key[0]}) as firsts from difference
    ) counted
    order by key
    limit ${most}`.execute(db);
  return {
    table: name,
    rows: Number(rows[0]?.total ?? 0),
    firstKeys: Number(rows[0]?.firsts ?? 0),
    first: rows.map(({ key, kind, columns }) => ({ table: name, key, kind, columns })),
  };
};
