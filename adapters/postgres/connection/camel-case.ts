import { CamelCasePlugin, type Kysely } from 'kysely';
import type { CamelKeys } from '../../../projections/projection.ts';
import type { Db } from './database.ts';
import type { Database } from './row-types.ts';

/** @see withCamelCase */
export type CamelDb = Kysely<CamelKeys<{ [Table in keyof Database]: CamelKeys<Database[Table]> }>>;

// Names inside of JSON are data.
const PLUGIN = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/**
 * Renames tables, columns, and the columns of results, on the same connections. Raw SQL keeps its
 * names, but its results are renamed. Copies each row, so requests of programs and batches do
 * without it.
 */
export const withCamelCase = (db: Db): CamelDb => db.withPlugin(PLUGIN) as unknown as CamelDb;
