import { sql } from 'kysely';
import type { HandoffDraft } from '../../../domain/mapping/form/drafts.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

export const HANDOFF_TTL_DAYS = 30;

/** Births that wait for an Admin or Provider, encrypted like drafts. */
export const createHandoffStore = (db: Db, cipher: RowCipher) => ({
  async save(
    practiceId: string,
    { id, memberId, isFromFile, values }: Omit<HandoffDraft, 'handedAt' | 'expiresAt'>,
  ): Promise<void> {
    const sealed = sealJson(cipher, values, buildBinding(practiceId, id));
    await sql`
      insert into app.handed_over (id, practice_id, member_id, from_file, sealed, expires_at)
      values (${id}, ${practiceId}, ${memberId}, ${isFromFile}, ${sealed},
        now() + ${HANDOFF_TTL_DAYS} * interval '1 day')
      on conflict (id) do update
      set sealed = excluded.sealed, handed_at = now(), expires_at = excluded.expires_at
      where app.handed_over.practice_id = excluded.practice_id
        and app.handed_over.member_id = excluded.member_id`.execute(db);
  },

  async births(practiceId: string): Promise<readonly HandoffDraft[]> {
    const rows = await waiting(db, practiceId).execute();
    return Promise.all(rows.map((row) => openHandoff(row, cipher)));
  },

  async find(practiceId: string, id: string): Promise<HandoffDraft | null> {
    const row = await waiting(db, practiceId).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : openHandoff(row, cipher);
  },

  /** Deletes a handoff after its decision. @returns false if it no longer existed */
  async drop(practiceId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('app.handed_over')
      .where('practice_id', '=', practiceId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

export const createDropExpiredHandoffs = (db: Db) => (): Promise<void> =>
  deleteInSlices(db, 'app.handed_over', sql`expires_at < now()`);

const waiting = (db: Db, practiceId: string) =>
  withCamelCase(db)
    .selectFrom('app.handedOver')
    .select(['id', 'memberId', 'fromFile as isFromFile', 'handedAt', 'expiresAt'])
    .select(['practiceId', 'sealed'])
    .where('practiceId', '=', practiceId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('handedAt');

type HandoffRow = Awaited<ReturnType<ReturnType<typeof waiting>['execute']>>[number];

const openHandoff = async (
  { practiceId, sealed, ...handoff }: HandoffRow,
  cipher: RowCipher,
): Promise<HandoffDraft> => ({
  ...handoff,
  values: await openJson<FormValues>(cipher, sealed, buildBinding(practiceId, handoff.id)),
});

/** A handoff moved to another practice cannot be decrypted. */
const buildBinding = (practiceId: string, id: string) =>
  buildAssociatedData(`handed over ${id}`, practiceId);
