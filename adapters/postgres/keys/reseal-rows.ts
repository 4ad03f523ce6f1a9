import { sql } from 'kysely';
import { type AssociatedData, type RowCipher, SealedRowUnreadable } from '../../crypto/sealing.ts';
import { getTimeCodeAssociatedData } from '../access/second-factors.ts';
import { getClientSecretAssociatedData } from '../access/single-sign-on.ts';
import type { Db } from '../connection/database.ts';

/** Long-lived rows, each with an id and an encrypted value in the column `sealed`. */
interface LastingRows {
  readonly table: string;
  readonly id: string;
  readonly bindingOf: (id: string) => AssociatedData;
}

const LASTING: readonly LastingRows[] = [
  { table: 'app.time_code', id: 'account_id', bindingOf: getTimeCodeAssociatedData },
  { table: 'app.sso_secret', id: 'practice_id', bindingOf: getClientSecretAssociatedData },
];

const ROWS_PER_SLICE = 200;

/** Values that change in the meantime, or cannot be decrypted, stay. @param onSlice gets rows done and total */
export const resealLastingRows = async (
  db: Db,
  cipher: RowCipher,
  onSlice: (done: number, total: number) => void = () => undefined,
): Promise<void> => {
  const counts = await Promise.all(LASTING.map(({ table }) => countIn(db, table)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const rows of LASTING)
    await resealRows(db, cipher, rows, (looked) => {
      done += looked;
      onSlice(done, Math.max(done, total));
    });
};

const countIn = async (db: Db, table: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
};

const resealRows = async (
  db: Db,
  cipher: RowCipher,
  { table, id, bindingOf }: LastingRows,
  onSlice: (looked: number) => void,
): Promise<void> => {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select ${sql.ref(id)} as id, sealed from ${sql.table(table)}
      where ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${ROWS_PER_SLICE}`.execute(db);
    for (const row of rows) {
      after = row.id;
      if (cipher.isSealedWithNewestKey(row.sealed)) continue;
      const binding = bindingOf(row.id);
      const plain = await cipher.open(row.sealed, binding).catch(unlessUnreadable);
      if (plain === null) continue;
      await sql`
        update ${sql.table(table)} set sealed = ${cipher.seal(plain, binding)}
        where ${sql.ref(id)} = ${row.id} and sealed = ${row.sealed}`.execute(db);
    }
    onSlice(rows.length);
    if (rows.length < ROWS_PER_SLICE) return;
  }
};

const unlessUnreadable = (error: unknown): null => {
  if (error instanceof SealedRowUnreadable) return null;
  throw error;
};
