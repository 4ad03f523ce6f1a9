import { sql } from 'kysely';
import {
  buildNextCheckpoint,
  type Checkpoint,
  type NextCheckpoint,
  parseCheckpoint,
  type SignedSize,
  type StoredCheckpoint,
} from '../../transparency-log/checkpoint.ts';
import { type Cosignature, findCosignature } from '../../transparency-log/cosignature.ts';
import type { TreeHead } from '../../transparency-log/merkle-tree.ts';
import { formatNote, parseNote, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { isTrue } from '../postgres/connection/conditions.ts';
import type { Db } from '../postgres/connection/database.ts';
import { ARE_TABLES_OURS } from '../postgres/projector/tables-version.ts';
import { loadTree } from './log-tree.ts';

/** A stored checkpoint is not what was signed. */
export class CheckpointDamaged extends Error {
  override readonly name = 'CheckpointDamaged';
}

const COLUMNS = ['note', 'size', 'signed_at'] as const;

interface Row {
  readonly note: string;
  readonly size: string;
  readonly signed_at: Date;
}

/** Returns `null` if the row is damaged. */
const checkpointOf = ({ note, size }: Row): Checkpoint | null => {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  return String(checkpoint?.size) === size ? checkpoint : null;
};

const keptOf = (row: Row): StoredCheckpoint => {
  const checkpoint = checkpointOf(row);
  if (checkpoint === null)
    throw new CheckpointDamaged(
      `The checkpoint of ${row.size} events in the database is damaged. Restore the database from a backup.`,
    );
  return { ...checkpoint, note: row.note, signedAt: row.signed_at };
};

/** Returns `null` if no checkpoint was signed yet. @throws CheckpointDamaged */
export const findLastCheckpoint = async (db: Db): Promise<StoredCheckpoint | null> => {
  const row = await db
    .selectFrom('app.log_checkpoint')
    .select(COLUMNS)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : keptOf(row);
};

/** Number of events in the last signed checkpoint. */
export const findLastSignedSize = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('app.log_checkpoint')
    .select(({ fn }) => fn.max('size').as('size'))
    .executeTakeFirst();
  return Number(row?.size ?? 0);
};

const PAGE = 1_000;

/** Signed checkpoints up to a size, in order of size. */
export async function* streamCheckpoints(db: Db, upTo: number): AsyncGenerator<SignedSize> {
  let after = -1;
  for (;;) {
    const rows = await db
      .selectFrom('app.log_checkpoint')
      .select(COLUMNS)
      .where('size', '>', `${after}`)
      .where('size', '<=', `${upTo}`)
      .orderBy('size')
      .limit(PAGE)
      .execute();
    for (const row of rows)
      yield {
        size: Number(row.size),
        signedAt: row.signed_at,
        note: row.note,
        root: checkpointOf(row)?.root ?? null,
      };
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.size);
  }
}

/**
 * Signs and stores the next checkpoint of the tree in the read tables, if one is due. Concurrent
 * processes run one after the other.
 * @throws CheckpointDamaged
 */
export const createSignNext = (db: Db, sign: (head: TreeHead) => string): Promise<NextCheckpoint> =>
  db.transaction().execute(async (transaction) => {
    await sql`
      select pg_advisory_xact_lock(hashtext('birth-registry checkpoint'))`.execute(transaction);
    // Another version may keep its tree in another way.
    if (!(await isTrue(transaction, ARE_TABLES_OURS))) return { kind: 'nothing-new' };
    const last = await findLastCheckpoint(transaction);
    const next = await buildNextCheckpoint(last, await loadTree(transaction));
    if (next.kind === 'sign')
      await transaction
        .insertInto('app.log_checkpoint')
        .values({ size: `${next.head.size}`, note: sign(next.head) })
        .execute();
    return next;
  });

/**
 * Adds a witness's signature to a stored checkpoint if it is valid and the witness has not signed
 * yet.
 * @param witness signer of the cosignature
 * @throws CheckpointDamaged
 */
export const addCosignature = (
  db: Db,
  size: number,
  witness: VerifierKey,
  cosignature: Cosignature,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('app.log_checkpoint')
      .select(COLUMNS)
      .where('size', '=', `${size}`)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const note = parseNote(keptOf(row).note);
    if (note === null || findCosignature(note, witness) !== null) return;
    if (findCosignature({ ...note, signatures: [cosignature] }, witness) === null) return;
    const signatures = [...note.signatures, cosignature];
    await transaction
      .updateTable('app.log_checkpoint')
      .set({ note: formatNote({ ...note, signatures }) })
      .where('size', '=', `${size}`)
      .execute();
  });
