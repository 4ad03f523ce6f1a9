import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Longer than any session: by then the page that holds the form cannot send it any more. */
const KEPT_HOURS = 24;

/**
 * What may be sent once: forms whose answer shows a secret that is kept nowhere, and answers of passkeys. They are in
 * `app.used_form`, for all processes; old ones go as new ones come.
 */
export const createConsumedFormTokens = (db: Db) => ({
  /** Takes a form for an account. False: it was taken before. */
  async take(accountId: string, formId: string): Promise<boolean> {
    await db
      .deleteFrom('app.used_form')
      .where('used_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
      .execute();
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('app.used_form')
      .values({ account_id: accountId, form_id: formId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },

  /** Gives it back: what it was taken for did not happen. */
  async giveBack(accountId: string, formId: string): Promise<void> {
    await db
      .deleteFrom('app.used_form')
      .where('account_id', '=', accountId)
      .where('form_id', '=', formId)
      .execute();
  },
});
