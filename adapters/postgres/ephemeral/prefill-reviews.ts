import { sql } from 'kysely';
import type {
  PrefillName,
  PrefillReview,
  SavedAs,
} from '../../../domain/intake/us-core/prefill.ts';
import { associatedDataFor, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';

/** Matches the lifetime of a pre-fill. */
const TTL_MINUTES = 30;

/** Reviews of pre-fills in Postgres, encrypted. */
export const createPrefillReviewStore = (db: Db, cipher: RowCipher) => {
  const seal = (name: PrefillName, content: PrefillReview | SavedAs): Buffer =>
    sealJson(cipher, content, bindingOf(name));

  const contentOf = async <T>(name: PrefillName, isSaved: boolean): Promise<T | null> => {
    const row = await db
      .selectFrom('app.prefill_review')
      .select('sealed')
      .where('browser', '=', name.browser)
      .where('prefill_id', '=', name.prefillId)
      .where('saved', '=', isSaved)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    return row === undefined ? null : openJson<T>(cipher, row.sealed, bindingOf(name));
  };

  return {
    find: (name: PrefillName): Promise<PrefillReview | null> =>
      contentOf<PrefillReview>(name, false),
    findSaved: (name: PrefillName): Promise<SavedAs | null> => contentOf<SavedAs>(name, true),

    /**
     * Saves the form for half an hour.
     * @returns the time of saving, or `null` if it was already saved as a record
     */
    async keep(name: PrefillName, review: PrefillReview): Promise<Date | null> {
      const { rows } = await sql<{ kept_at: Date }>`
        insert into app.prefill_review (browser, prefill_id, sealed, expires_at)
        values (${name.browser}, ${name.prefillId}, ${seal(name, review)},
          now() + ${TTL_MINUTES} * interval '1 minute')
        on conflict (browser, prefill_id) do update
        set sealed = excluded.sealed, kept_at = now(), expires_at = excluded.expires_at
        where not app.prefill_review.saved
        returning kept_at`.execute(db);
      return rows[0]?.kept_at ?? null;
    },

    /** Replaces the form values with the saved record, so that a second click finds the record. */
    async finish(name: PrefillName, savedAs: SavedAs): Promise<void> {
      await sql`
        insert into app.prefill_review (browser, prefill_id, sealed, saved, expires_at)
        values (${name.browser}, ${name.prefillId}, ${seal(name, savedAs)}, true,
          now() + ${TTL_MINUTES} * interval '1 minute')
        on conflict (browser, prefill_id) do update
        set sealed = excluded.sealed, saved = true, expires_at = excluded.expires_at`.execute(db);
    },

    async drop({ browser, prefillId }: PrefillName): Promise<void> {
      await db
        .deleteFrom('app.prefill_review')
        .where('browser', '=', browser)
        .where('prefill_id', '=', prefillId)
        .execute();
    },
  };
};

/** A review moved to another browser or pre-fill cannot be decrypted. */
const bindingOf = ({ browser, prefillId }: PrefillName) =>
  associatedDataFor(`review of the pre-fill ${prefillId} of ${browser}`);
