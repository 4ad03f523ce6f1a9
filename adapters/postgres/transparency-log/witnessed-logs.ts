import { sql } from 'kysely';
import type { TreeHead } from '../../../transparency-log/merkle-tree.ts';
import {
  formatVerifierKey,
  parseVerifierKey,
  type VerifierKey,
} from '../../../transparency-log/signed-note.ts';
import type { WitnessAnswer, WitnessedLog } from '../../../transparency-log/witness.ts';
import type { Db } from '../connection/database.ts';

/** A log of others that this registry is a witness of. */
export interface ListedLog {
  readonly origin: string;
  readonly keys: readonly string[];
  /** Events under the checkpoint that was signed last; null: none was yet. */
  readonly size: number | null;
  readonly signedAt: Date | null;
}

/** Witnesses a log from now on, by one more of its keys. Safe to repeat. */
export const addWitnessedLogIn = async (db: Db, key: VerifierKey): Promise<void> => {
  const text = formatVerifierKey(key);
  await sql`
    insert into app.witnessed_log as log (origin, keys) values (${key.name}, array[${text}::text])
    on conflict (origin) do update set keys = array_append(log.keys, ${text}::text)
    where not ${text} = any (log.keys)`.execute(db);
};

/**
 * Takes no checkpoint that is signed with a key any more. What was signed last is remembered: a log that comes back
 * has to go on from there.
 * @returns whether there was such a key
 */
export const removeWitnessedKeyIn = async (db: Db, key: VerifierKey): Promise<boolean> => {
  const text = formatVerifierKey(key);
  const { numAffectedRows } = await sql`
    update app.witnessed_log set keys = array_remove(keys, ${text}::text)
    where origin = ${key.name} and ${text} = any (keys)`.execute(db);
  return numAffectedRows === 1n;
};

/** Every log that is witnessed, by its name. */
export const witnessedLogsIn = async (db: Db): Promise<readonly ListedLog[]> => {
  const rows = await db
    .selectFrom('app.witnessed_log')
    .selectAll()
    .where(sql<boolean>`keys <> '{}'`)
    .orderBy('origin')
    .execute();
  return rows.map(({ origin, keys, size, signed_at: signedAt }) => ({
    origin,
    keys,
    size: size === null ? null : Number(size),
    signedAt,
  }));
};

/**
 * Answers for a log, one request after another, and remembers what is signed before the signature goes out: no
 * size of a log is ever signed with two roots.
 * @param decide null: the log is not known
 */
export const witnessIn = (
  db: Db,
  origin: string,
  decide: (log: WitnessedLog | null) => WitnessAnswer,
): Promise<WitnessAnswer> =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('app.witnessed_log')
      .select(['keys', 'size', 'root'])
      .where('origin', '=', origin)
      .forUpdate()
      .executeTakeFirst();
    const answer = decide(row === undefined ? null : knownOf(row));
    if (answer.kind === 'signs')
      await transaction
        .updateTable('app.witnessed_log')
        .set({
          size: `${answer.head.size}`,
          root: Buffer.from(answer.head.root),
          signed_at: sql<Date>`now()`,
        })
        .where('origin', '=', origin)
        .execute();
    return answer;
  });

const knownOf = (row: {
  readonly keys: readonly string[];
  readonly size: string | null;
  readonly root: Buffer | null;
}): WitnessedLog => ({
  keys: row.keys.flatMap((text) => parseVerifierKey(text) ?? []),
  head: headOf(row.size, row.root),
});

const headOf = (size: string | null, root: Buffer | null): TreeHead | null =>
  size === null || root === null ? null : { size: Number(size), root };
