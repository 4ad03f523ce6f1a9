import { type RawBuilder, sql } from 'kysely';
import type { DraftEdition } from '../../../domain/mapping/form/drafts.ts';
import type {
  PrefillName,
  PrefillReview,
  SavedAs,
  SavedReview,
  VersionedReview,
} from '../../../domain/mapping/us-core/prefill.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';

/** Matches the lifetime of a pre-fill. */
const TTL_MINUTES = 30;

/** Content of a row. Rows of 0.2 have no edition. */
interface StoredReview extends PrefillReview {
  readonly edition?: DraftEdition;
}

/** Revision of a review that was saved once, or by 0.2. */
const FIRST_REVISION = 1;

const toReview = ({ edition, ...review }: StoredReview): VersionedReview => ({
  ...review,
  revision: edition?.revision ?? FIRST_REVISION,
});

export const createPrefillReviewStore = (db: Db, cipher: RowCipher) => {
  const seal = (name: PrefillName, content: StoredReview | SavedAs | null): Buffer =>
    sealJson(cipher, content, buildBinding(name));

  const loadContent = async <T>(name: PrefillName, isSaved: boolean): Promise<T | null> => {
    const row = await db
      .selectFrom('app.prefill_review')
      .select('sealed')
      .where('browser', '=', name.browser)
      .where('prefill_id', '=', name.prefillId)
      .where('saved', '=', isSaved)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    return row === undefined ? null : openJson<T>(cipher, row.sealed, buildBinding(name));
  };

  const close = async (name: PrefillName, savedAs: SavedAs | null): Promise<void> => {
    await sql`
      insert into app.prefill_review (browser, prefill_id, sealed, saved, expires_at)
      values (${name.browser}, ${name.prefillId}, ${seal(name, savedAs)}, true,
        now() + ${TTL_MINUTES} * interval '1 minute')
      on conflict (browser, prefill_id) do update
      set sealed = excluded.sealed, saved = true, expires_at = excluded.expires_at`.execute(db);
  };

  return {
    async find(name: PrefillName): Promise<VersionedReview | null> {
      const stored = await loadContent<StoredReview>(name, false);
      return stored === null ? null : toReview(stored);
    },
    findSaved: (name: PrefillName): Promise<SavedAs | null> => loadContent<SavedAs>(name, true),

    /** Does not overwrite another tab's. @param edition `null` for a page of 0.2, which replaces any */
    keep: (
      name: PrefillName,
      review: PrefillReview,
      edition: DraftEdition | null,
    ): Promise<SavedReview> =>
      db.transaction().execute(async (trx): Promise<SavedReview> => {
        const { editor = '', revision = 0, sequence } = edition ?? {};
        const write = async (
          next: number,
          mayReplace: RawBuilder<unknown>,
        ): Promise<SavedReview | null> => {
          const nextEdition = {
            editor,
            revision: next,
            ...(sequence === undefined ? {} : { sequence }),
          };
          const sealed = seal(name, { ...review, edition: nextEdition });
          const { rows } = await sql<{ kept_at: Date }>`
            insert into app.prefill_review as held (browser, prefill_id, sealed, expires_at)
            values (${name.browser}, ${name.prefillId}, ${sealed},
              now() + ${TTL_MINUTES} * interval '1 minute')
            on conflict (browser, prefill_id) do update
            set sealed = excluded.sealed, kept_at = now(), expires_at = excluded.expires_at
            where not held.saved and ${mayReplace}
            returning kept_at`.execute(trx);
          return rows[0] === undefined ? null : { kind: 'saved', at: rows[0].kept_at };
        };
        const first = await write(revision + 1, sql`held.expires_at <= now()`);
        if (first !== null) return first;
        const row = await trx
          .selectFrom('app.prefill_review')
          .select(['sealed', 'saved'])
          .where('browser', '=', name.browser)
          .where('prefill_id', '=', name.prefillId)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined || row.saved) return { kind: 'finished' };
        const stored = await openJson<StoredReview>(cipher, row.sealed, buildBinding(name));
        const current = toReview(stored);
        const isSameForm = edition !== null && stored.edition?.editor === editor;
        if (isSameForm && (stored.edition?.sequence ?? 0) > (sequence ?? Infinity))
          return { kind: 'outdated' };
        const isOurs = edition === null || current.revision === revision || isSameForm;
        if (!isOurs) return { kind: 'changed', review: current };
        return (await write(current.revision + 1, sql`true`)) ?? { kind: 'finished' };
      }),

    /** Replaces the form values with the saved record, so that a second click finds the record. */
    finish: (name: PrefillName, savedAs: SavedAs): Promise<void> => close(name, savedAs),

    /** Discards a review. Its row stays, empty, so that a late request does not save it. */
    drop: (name: PrefillName): Promise<void> => close(name, null),
  };
};

/** A review moved to another browser or pre-fill cannot be decrypted. */
const buildBinding = ({ browser, prefillId }: PrefillName) =>
  buildAssociatedData(`review of the pre-fill ${prefillId} of ${browser}`);
