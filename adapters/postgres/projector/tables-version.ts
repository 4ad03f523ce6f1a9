import { sql } from 'kysely';
import { STREAM_PREFIXES } from '../../../domain/stream-names.ts';
import { READ_MODEL_PARTS } from '../../../projections/read-model.ts';
import { EVENT_SCHEMAS } from '../../event-log/schemas/event-schemas.ts';
import type { Db } from '../connection/database.ts';

interface Part {
  readonly name: string;
  readonly version: number;
}

/** Read tables leave out events of a later version's types, so a version that adds one rebuilds them. */
const EVENT_PARTS: readonly Part[] = [
  { name: 'streams', version: STREAM_PREFIXES.length },
  ...Object.entries(EVENT_SCHEMAS).map(([name, { version }]) => ({ name, version })),
];

const formatParts = (parts: readonly Part[]): string =>
  parts
    .map(({ name, version }) => `${name}:${version}`)
    .sort()
    .join(' ');

/** Names and versions of all parts of the read tables and the log. Tables are rebuilt if this changes. */
export const READ_MODEL_VERSION = formatParts([...READ_MODEL_PARTS, ...EVENT_PARTS]);

/** `newer` has parts that are added or higher, and none that are missing or lower. `other` is the rest. */
export type TablesVersion = 'same' | 'newer' | 'other';

const PART = /^(\w+):([1-9]\d{0,8})$/;

/** @returns `null` if the text is no version */
const parseParts = (text: string): ReadonlyMap<string, number> | null => {
  const parts = new Map<string, number>();
  for (const token of text.split(' ')) {
    const [, name, version] = PART.exec(token) ?? [];
    if (name === undefined || parts.has(name)) return null;
    parts.set(name, Number(version));
  }
  return parts;
};

export const compareVersions = (
  tables: string,
  own: string = READ_MODEL_VERSION,
): TablesVersion => {
  if (tables === own) return 'same';
  const theirs = parseParts(tables);
  const ours = [...(parseParts(own) ?? [])];
  if (theirs === null || ours.some(([name, version]) => (theirs.get(name) ?? 0) < version))
    return 'other';
  const isHigher = ours.some(([name, version]) => (theirs.get(name) ?? 0) > version);
  return isHigher || theirs.size > ours.length ? 'newer' : 'other';
};

/** SQL condition: the live read tables are of this version. */
export const ARE_TABLES_OURS = sql<boolean>`exists (
  select from read.checkpoint where model_version = ${READ_MODEL_VERSION}
)`;

/** Version of the live read tables; `other` if there are none. */
export const createFindTablesVersion = (db: Db) => async (): Promise<TablesVersion> => {
  const row = await db.selectFrom('read.checkpoint').select('model_version').executeTakeFirst();
  return compareVersions(row?.model_version ?? '');
};
