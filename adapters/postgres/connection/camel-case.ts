import { CamelCasePlugin, type Kysely } from 'kysely';
import type { CamelKeys } from '../../../projections/projection.ts';
import type { Db } from './database.ts';
import type { Database } from './row-types.ts';

/** @see withCamelCase */
export type CamelDb = Kysely<CamelKeys<{ [Table in keyof Database]: CamelKeys<Database[Table]> }>>;

// Names inside of JSON are data.
const PLUGIN = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** Copies each row, so requests of programs and batches do without it. Raw SQL keeps its names. */
export const withCamelCase = (db: Db): CamelDb => db.withPlugin(PLUGIN) as unknown as CamelDb;
