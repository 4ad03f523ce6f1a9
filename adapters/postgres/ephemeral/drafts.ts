import { sql } from 'kysely';
import type {
  Draft,
  DraftContent,
  DraftName,
  DraftOwner,
} from '../../../domain/intake/form/drafts.ts';
import { associatedDataFor, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

const TTL_HOURS = 24;
/** Maximum number of open drafts per account. A new one replaces the oldest. */
const MAX_PER_ACCOUNT = 20;

/** Drafts in Postgres, encrypted, each bound to its account, practice and form. */
export const createDraftStore = (db: Db, cipher: RowCipher) => ({
  /** @returns the time of saving, or `null` if the form was already saved as a record */
  async save(owner: DraftOwner, name: DraftName, content: DraftContent): Promise<Date | null> {
    const sealed = sealJson(cipher, content, bindingOf(owner, name));
    const { rows } = await sql<{ saved_at: Date }>`
      insert into app.draft (account_id, form, draft_id, practice_id, sealed, expires_at)
      values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
        now() + ${TTL_HOURS} * interval '1 hour')
      on conflict (account_id, form, draft_id) do update
      set practice_id = excluded.practice_id, sealed = excluded.sealed, saved_at = now(),
        expires_at = excluded.expires_at
      where not app.draft.finished
      returning saved_at`.execute(db);
    await sql`
      delete from app.draft where (account_id, form, draft_id) in (
        select account_id, form, draft_id from app.draft
        where account_id = ${owner.accountId} and not finished
        order by saved_at desc offset ${MAX_PER_ACCOUNT}
      )`.execute(db);
    return rows[0]?.saved_at ?? null;
  },

  async find(owner: DraftOwner, name: DraftName): Promise<Draft | null> {
    const row = await openDrafts(db, owner, name.form)
      .where('draft_id', '=', name.draftId)
      .executeTakeFirst();
    return row === undefined ? null : draftOf(row, owner, name.form, cipher);
  },

  /** Unfinished drafts, latest first. */
  async begun(owner: DraftOwner, form: DraftName['form']): Promise<readonly Draft[]> {
    const rows = await openDrafts(db, owner, form)
      .where('finished', '=', false)
      .orderBy('saved_at', 'desc')
      .execute();
    return Promise.all(rows.map((row) => draftOf(row, owner, form, cipher)));
  },

  /** Marks the form as saved as a record, so that late requests do not create a draft. */
  async finish(owner: DraftOwner, name: DraftName, content: DraftContent): Promise<void> {
    const sealed = sealJson(cipher, content, bindingOf(owner, name));
    await sql`
      insert into app.draft (account_id, form, draft_id, practice_id, sealed, finished, expires_at)
      values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
        true, now() + ${TTL_HOURS} * interval '1 hour')
      on conflict (account_id, form, draft_id) do update
      set practice_id = excluded.practice_id, sealed = excluded.sealed, finished = true,
        expires_at = excluded.expires_at`.execute(db);
  },

  async discard(owner: DraftOwner, name: DraftName): Promise<void> {
    await db
      .deleteFrom('app.draft')
      .where('account_id', '=', owner.accountId)
      .where('form', '=', name.form)
      .where('draft_id', '=', name.draftId)
      .where('finished', '=', false)
      .execute();
  },
});

/** Deletes drafts that were not saved for a day. */
export const createDropExpiredDrafts = (db: Db) => (): Promise<void> =>
  deleteInSlices(db, 'app.draft', sql`expires_at < now()`);

const openDrafts = (db: Db, { accountId, practiceId }: DraftOwner, form: DraftName['form']) =>
  db
    .selectFrom('app.draft')
    .select(['draft_id', 'sealed', 'finished', 'saved_at'])
    .where('account_id', '=', accountId)
    // An account that moves to another practice must not take births along.
    .where('practice_id', '=', practiceId)
    .where('form', '=', form)
    .where('expires_at', '>', sql<Date>`now()`);

interface OpenRow {
  readonly draft_id: string;
  readonly sealed: Buffer;
  readonly finished: boolean;
  readonly saved_at: Date;
}

const draftOf = async (
  row: OpenRow,
  owner: DraftOwner,
  form: DraftName['form'],
  cipher: RowCipher,
): Promise<Draft> => {
  const draftId = row.draft_id;
  return {
    ...(await openJson<DraftContent>(cipher, row.sealed, bindingOf(owner, { form, draftId }))),
    draftId,
    isFinished: row.finished,
    savedAt: row.saved_at,
  };
};

/** A draft moved to another account, practice or form cannot be decrypted. */
const bindingOf = ({ accountId, practiceId }: DraftOwner, { form, draftId }: DraftName) =>
  associatedDataFor(`draft ${draftId} of the form ${form} of ${accountId}`, practiceId);
