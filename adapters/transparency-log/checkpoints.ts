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
import { isSame, type TreeHead } from '../../transparency-log/merkle-tree.ts';
import { formatNote, parseNote, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { hashRange } from '../../transparency-log/tiles.ts';
import { queryBoolean } from '../postgres/connection/conditions.ts';
import type { Db } from '../postgres/connection/database.ts';
import { ARE_TABLES_OURS } from '../postgres/projector/tables-version.ts';
import { loadTree } from './log-tree.ts';

export class CheckpointDamaged extends Error {
  override readonly name = 'CheckpointDamaged';
}

interface Row {
  readonly origin_number: number;
  readonly note: string;
  readonly size: string;
  readonly signed_at: Date;
}

/** Number of the origin whose checkpoints are in a table of their own. */
const FIRST_ORIGIN = 1;

const CHECKPOINTS = sql`(
  select ${FIRST_ORIGIN}::integer as origin_number, size, note, signed_at from app.log_checkpoint
  union all
  select origin_number, size, note, signed_at from app.later_checkpoint
) checkpoint`;

/** Returns `null` if the row is damaged. */
const toCheckpoint = ({ note, size }: Row): Checkpoint | null => {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  return String(checkpoint?.size) === size ? checkpoint : null;
};

const toStoredCheckpoint = (row: Row): StoredCheckpoint => {
  const checkpoint = toCheckpoint(row);
  if (checkpoint === null)
    throw new CheckpointDamaged(
      `The checkpoint of ${row.size} events in the database is damaged. Restore the database from a backup.`,
    );
  const { note, signed_at: signedAt, origin_number: originNumber } = row;
  return { ...checkpoint, note, signedAt, originNumber };
};

/** Returns `null` if no checkpoint was signed yet. @throws CheckpointDamaged */
export const findLastCheckpoint = async (db: Db): Promise<StoredCheckpoint | null> => {
  const { rows } = await sql<Row>`
    (select origin_number, note, size, signed_at from app.later_checkpoint
      order by origin_number desc, size desc limit 1)
    union all
    (select ${FIRST_ORIGIN}::integer, note, size, signed_at from app.log_checkpoint
      order by size desc limit 1)
    order by origin_number desc limit 1`.execute(db);
  return rows[0] === undefined ? null : toStoredCheckpoint(rows[0]);
};

export const findLastSignedSize = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ size: string | null }>`
    select max(size) as size from ${CHECKPOINTS}
    where origin_number = (select max(origin_number) from ${CHECKPOINTS})`.execute(db);
  return Number(rows[0]?.size ?? 0);
};

const PAGE = 1_000;

interface FormerOrigin {
  readonly originNumber: number;
  readonly keptSize: number;
}

/** In order of size. @param formerOrigins those of others are all returned */
export async function* streamCheckpoints(
  db: Db,
  upTo: number,
  formerOrigins: readonly FormerOrigin[] = [],
): AsyncGenerator<SignedSize> {
  let after = { size: '-1', origin_number: 0 };
  for (;;) {
    const { rows } = await sql<Row>`
      select origin_number, size, note, signed_at from ${CHECKPOINTS}
      left join unnest(${formerOrigins.map(({ originNumber }) => originNumber)}::integer[],
        ${formerOrigins.map(({ keptSize }) => `${keptSize}`)}::bigint[]) as kept (origin_number, up_to)
        using (origin_number)
      where (size, origin_number) > (${after.size}::bigint, ${after.origin_number}::integer)
        and size <= coalesce(up_to, ${`${upTo}`}::bigint)
      order by size, origin_number limit ${PAGE}`.execute(db);
    for (const row of rows)
      yield {
        size: Number(row.size),
        signedAt: row.signed_at,
        note: row.note,
        root: toCheckpoint(row)?.root ?? null,
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/** If one is due. Concurrent processes run one after the other. @throws CheckpointDamaged */
export const signNextCheckpoint = (
  db: Db,
  sign: (head: TreeHead) => string,
  originNumber: number = FIRST_ORIGIN,
): Promise<NextCheckpoint> =>
  db.transaction().execute(async (transaction) => {
    await sql`
      select pg_advisory_xact_lock(hashtext('birth-registry checkpoint'))`.execute(transaction);
    // Another version may keep its tree in another way.
    if (!(await queryBoolean(transaction, ARE_TABLES_OURS))) return { kind: 'nothing-new' };
    const last = await findLastCheckpoint(transaction);
    // The log has lost the event that began the origin.
    if (last !== null && last.originNumber > originNumber)
      return { kind: 'refused', why: 'rewritten' };
    const next = await buildNextCheckpoint(
      last?.originNumber === originNumber ? last : null,
      await loadTree(transaction),
    );
    if (next.kind === 'sign') {
      const signed = { size: `${next.head.size}`, note: sign(next.head) };
      await (originNumber === FIRST_ORIGIN
        ? transaction.insertInto('app.log_checkpoint').values(signed)
        : transaction
            .insertInto('app.later_checkpoint')
            .values({ ...signed, origin_number: originNumber })
      ).execute();
    }
    if (next.kind !== 'refused') await noteRefusal(transaction, false);
    return next;
  });

/** Stores for readiness whether the log does not extend its last checkpoint. */
export const noteRefusal = async (db: Db, isRefused: boolean): Promise<void> => {
  if (isRefused)
    await db
      .insertInto('app.checkpoint_refusal')
      .values({ id: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom('app.checkpoint_refusal').execute();
};

/** 0 if there is none. A tree that extends one checkpoint extends all smaller ones. */
export const findKeptSize = async (db: Db, originNumber: number): Promise<number> => {
  const tree = await loadTree(db);
  const find = async (low: number, high: number, order: 'asc' | 'desc') => {
    const { rows } = await sql<Row>`
      select origin_number, size, note, signed_at from ${CHECKPOINTS}
      where origin_number = ${originNumber} and size > ${low} and size < ${high}
      order by size ${sql.raw(order)} limit 1`.execute(db);
    return rows[0];
  };
  let [low, high] = [0, tree.size + 1];
  for (;;) {
    const middle = Math.floor((low + high) / 2);
    const row = (await find(low, middle + 1, 'desc')) ?? (await find(middle, high, 'asc'));
    if (row === undefined) return low;
    const size = Number(row.size);
    const root = toCheckpoint(row)?.root;
    const isMatch = root && isSame(await hashRange({ from: 0, to: size }, tree.readTile), root);
    if (isMatch) low = size;
    else high = size;
  }
};

/** If it is valid and the witness has not signed yet. @throws CheckpointDamaged */
export const addCosignature = (
  db: Db,
  { originNumber, size }: Pick<StoredCheckpoint, 'originNumber' | 'size'>,
  witness: VerifierKey,
  cosignature: Cosignature,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const isFirst = originNumber === FIRST_ORIGIN;
    const table = sql.table(isFirst ? 'app.log_checkpoint' : 'app.later_checkpoint');
    const isMeant = isFirst
      ? sql<boolean>`size = ${`${size}`}`
      : sql<boolean>`size = ${`${size}`} and origin_number = ${originNumber}`;
    const { rows } = await sql<Row>`
      select ${originNumber}::integer as origin_number, note, size, signed_at
      from ${table} where ${isMeant} for update`.execute(transaction);
    const [row] = rows;
    if (row === undefined) throw new TypeError('A cosignature is for a stored checkpoint.');
    const note = parseNote(toStoredCheckpoint(row).note);
    if (note === null || findCosignature(note, witness) !== null) return;
    if (findCosignature({ ...note, signatures: [cosignature] }, witness) === null) return;
    const signatures = [...note.signatures, cosignature];
    await sql`
      update ${table} set note = ${formatNote({ ...note, signatures })}
      where ${isMeant}`.execute(transaction);
  });
