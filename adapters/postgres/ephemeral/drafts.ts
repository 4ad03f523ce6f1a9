import { sql } from 'kysely';
import type {
  Draft,
  DraftContent,
  DraftEdition,
  DraftName,
  DraftOwner,
  SavedDraft,
} from '../../../domain/intake/form/drafts.ts';
import { associatedDataFor, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

const TTL_HOURS = 24;
/** Maximum number of open drafts per account. A new one replaces the oldest. */
const MAX_PER_ACCOUNT = 20;

/** Content of a discarded draft. */
const NOTHING: DraftContent = { values: {}, version: null };

/** Drafts in Postgres, encrypted, each bound to its account, practice and form. */
export const createDraftStore = (db: Db, cipher: RowCipher) => ({
  /**
   * Saves a form, unless another form has saved or discarded its draft since.
   * @param edition what the form is based on; `null` for a page of 0.2, which replaces any draft
   */
  async save(
    owner: DraftOwner,
    name: DraftName,
    content: DraftContent,
    edition: DraftEdition | null,
  ): Promise<SavedDraft> {
    const sealed = sealJson(cipher, content, bindingOf(owner, name));
    const { revision = null, editor = null } = edition ?? {};
    const { rows } = await sql<{ saved_at: Date }>`
      insert into app.draft
        (account_id, form, draft_id, practice_id, sealed, editor, expires_at)
      values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
        ${editor}, now() + ${TTL_HOURS} * interval '1 hour')
      on conflict (account_id, form, draft_id) do update
      set practice_id = excluded.practice_id, sealed = excluded.sealed, saved_at = now(),
        expires_at = excluded.expires_at, finished = false, editor = excluded.editor,
        revision = app.draft.revision + 1
      where app.draft.revision = ${revision}::integer or (
        not app.draft.finished and (${editor}::text is null or app.draft.editor = ${editor})
      )
      returning saved_at`.execute(db);
    await sql`
      delete from app.draft where (account_id, form, draft_id) in (
        select account_id, form, draft_id from app.draft
        where account_id = ${owner.accountId} and not finished
        order by saved_at desc offset ${MAX_PER_ACCOUNT}
      )`.execute(db);
    const [saved] = rows;
    if (saved !== undefined) return { kind: 'saved', at: saved.saved_at };
    const draft = await this.find(owner, name);
    return draft === null || draft.savedAs !== undefined || edition === null
      ? { kind: 'finished' }
      : { kind: 'changed', draft };
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
        expires_at = excluded.expires_at, editor = null,
        revision = app.draft.revision + 1`.execute(db);
  },

  /**
   * Discards a draft, saved or not. Its row stays for a day, empty, so that a late request does not
   * save it.
   */
  async discard(owner: DraftOwner, name: DraftName): Promise<void> {
    const sealed = sealJson(cipher, NOTHING, bindingOf(owner, name));
    await sql`
      insert into app.draft as held
        (account_id, form, draft_id, practice_id, sealed, finished, expires_at)
      values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
        true, now() + ${TTL_HOURS} * interval '1 hour')
      on conflict (account_id, form, draft_id) do update
      set sealed = excluded.sealed, finished = true, expires_at = excluded.expires_at,
        editor = null, revision = held.revision + 1
      where held.practice_id = excluded.practice_id and not held.finished`.execute(db);
  },

  /** Deletes the draft of a form that was emptied, unless another form has saved it. */
  async clear(
    owner: DraftOwner,
    name: DraftName,
    { revision, editor }: DraftEdition,
  ): Promise<void> {
    await sql`
      delete from app.draft
      where account_id = ${owner.accountId} and form = ${name.form}
        and draft_id = ${name.draftId} and not finished
        and (revision = ${revision} or editor = ${editor})`.execute(db);
  },
});

/** Deletes drafts that were not saved for a day. */
export const createDropExpiredDrafts = (db: Db) => (): Promise<void> =>
  deleteInSlices(db, 'app.draft', sql`expires_at < now()`);

const openDrafts = (db: Db, { accountId, practiceId }: DraftOwner, form: DraftName['form']) =>
  db
    .selectFrom('app.draft')
    .select(['draft_id', 'sealed', 'finished', 'saved_at', 'revision'])
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
  readonly revision: number;
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
    revision: row.revision,
  };
};

/** A draft moved to another account, practice or form cannot be decrypted. */
const bindingOf = ({ accountId, practiceId }: DraftOwner, { form, draftId }: DraftName) =>
  associatedDataFor(`draft ${draftId} of the form ${form} of ${accountId}`, practiceId);
