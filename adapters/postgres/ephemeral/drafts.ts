import { sql } from 'kysely';
import type {
  Draft,
  DraftContent,
  DraftEdition,
  DraftName,
  DraftOwner,
  SavedDraft,
} from '../../../domain/mapping/form/drafts.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

const TTL_HOURS = 24;
const MAX_PER_ACCOUNT = 20;

const NOTHING: DraftContent = { values: {}, version: null };

/** Drafts in Postgres, encrypted, each bound to its account, practice and form. */
export const createDraftStore = (db: Db, cipher: RowCipher) => ({
  /** Does not overwrite another form's draft. @param edition `null` for a page of 0.2, which replaces any */
  async save(
    owner: DraftOwner,
    name: DraftName,
    content: DraftContent,
    edition: DraftEdition | null,
  ): Promise<SavedDraft> {
    const savedAt = await write(db, cipher, { owner, name, content, edition });
    await sql`
      delete from app.draft where (account_id, form, draft_id) in (
        select account_id, form, draft_id from app.draft
        where account_id = ${owner.accountId} and not finished
        order by saved_at desc offset ${MAX_PER_ACCOUNT}
      )`.execute(db);
    if (savedAt !== null) return { kind: 'saved', at: savedAt };
    const row = await openDrafts(db, owner, name.form)
      .where('draftId', '=', name.draftId)
      .executeTakeFirst();
    if (row === undefined || edition === null) return { kind: 'finished' };
    if (row.editor === edition.editor) return { kind: 'outdated' };
    const draft = await openDraft(row, owner, name.form, cipher);
    return draft.savedAs === undefined ? { kind: 'changed', draft } : { kind: 'finished' };
  },

  async find(owner: DraftOwner, name: DraftName): Promise<Draft | null> {
    const row = await openDrafts(db, owner, name.form)
      .where('draftId', '=', name.draftId)
      .executeTakeFirst();
    return row === undefined ? null : openDraft(row, owner, name.form, cipher);
  },

  async begun(owner: DraftOwner, form: DraftName['form']): Promise<readonly Draft[]> {
    const rows = await openDrafts(db, owner, form)
      .where('finished', '=', false)
      .orderBy('savedAt', 'desc')
      .execute();
    return Promise.all(rows.map((row) => openDraft(row, owner, form, cipher)));
  },

  /** Marks the form as saved as a record, so that late requests do not create a draft. */
  async finish(owner: DraftOwner, name: DraftName, content: DraftContent): Promise<void> {
    const sealed = sealJson(cipher, content, buildBinding(owner, name));
    await sql`
      insert into app.draft (account_id, form, draft_id, practice_id, sealed, finished, expires_at)
      values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
        true, now() + ${TTL_HOURS} * interval '1 hour')
      on conflict (account_id, form, draft_id) do update
      set practice_id = excluded.practice_id, sealed = excluded.sealed, finished = true,
        expires_at = excluded.expires_at, editor = null,
        revision = app.draft.revision + 1`.execute(db);
  },

  /** Its row stays for a day, empty, so that a late request does not save it. */
  async discard(owner: DraftOwner, name: DraftName): Promise<void> {
    const sealed = sealJson(cipher, NOTHING, buildBinding(owner, name));
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

  /** Its row stays for a day, so that an earlier request of the form does not save it. */
  async clear(owner: DraftOwner, name: DraftName, edition: DraftEdition): Promise<void> {
    await write(db, cipher, { owner, name, content: null, edition });
  },
});

/** `null` if it is not this form's to write. */
const write = async (
  db: Db,
  cipher: RowCipher,
  { owner, name, content, edition }: WrittenDraft,
): Promise<Date | null> => {
  const sealed = sealJson(cipher, content ?? NOTHING, buildBinding(owner, name));
  const { revision = null, editor = null, sequence = null } = edition ?? {};
  const { rows } = await sql<{ saved_at: Date }>`
    insert into app.draft as held
      (account_id, form, draft_id, practice_id, sealed, finished, editor, sequence, expires_at)
    values (${owner.accountId}, ${name.form}, ${name.draftId}, ${owner.practiceId}, ${sealed},
      ${content === null}, ${editor}, ${sequence}::bigint,
      now() + ${TTL_HOURS} * interval '1 hour')
    on conflict (account_id, form, draft_id) do update
    set practice_id = excluded.practice_id, sealed = excluded.sealed, saved_at = now(),
      expires_at = excluded.expires_at, finished = excluded.finished, editor = excluded.editor,
      sequence = excluded.sequence, revision = held.revision + 1
    where case
      when held.editor = excluded.editor
        then coalesce(held.sequence <= excluded.sequence, true)
      -- a finished one with an editor was emptied
      else held.revision = ${revision}::integer
        or (held.finished and held.editor is not null)
        or (not held.finished and excluded.editor is null)
    end
    returning saved_at`.execute(db);
  return rows[0]?.saved_at ?? null;
};

interface WrittenDraft {
  readonly owner: DraftOwner;
  readonly name: DraftName;
  /** `null` for a form that was emptied. */
  readonly content: DraftContent | null;
  readonly edition: DraftEdition | null;
}

export const createDropExpiredDrafts = (db: Db) => (): Promise<void> =>
  deleteInSlices(db, 'app.draft', sql`expires_at < now()`);

const openDrafts = (db: Db, { accountId, practiceId }: DraftOwner, form: DraftName['form']) =>
  withCamelCase(db)
    .selectFrom('app.draft')
    .select(['draftId', 'sealed', 'finished as isFinished', 'savedAt', 'revision', 'editor'])
    .where('accountId', '=', accountId)
    // An account that moves to another practice must not take births along.
    .where('practiceId', '=', practiceId)
    .where('form', '=', form)
    .where('expiresAt', '>', sql<Date>`now()`);

type OpenRow = Awaited<ReturnType<ReturnType<typeof openDrafts>['execute']>>[number];

const openDraft = async (
  { sealed, editor: _, ...draft }: OpenRow,
  owner: DraftOwner,
  form: DraftName['form'],
  cipher: RowCipher,
): Promise<Draft> => {
  const binding = buildBinding(owner, { form, draftId: draft.draftId });
  return { ...(await openJson<DraftContent>(cipher, sealed, binding)), ...draft };
};

/** A draft moved to another account, practice or form cannot be decrypted. */
const buildBinding = ({ accountId, practiceId }: DraftOwner, { form, draftId }: DraftName) =>
  buildAssociatedData(`draft ${draftId} of the form ${form} of ${accountId}`, practiceId);
