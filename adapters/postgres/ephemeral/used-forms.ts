import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Longer than any session: by then, no page can submit the form. */
const RETENTION_HOURS = 24;

/** Passkey responses, and forms that show a secret which is not stored. New rows replace expired ones. */
export const createUsedForms = (db: Db) => ({
  async take(accountId: string, formId: string): Promise<boolean> {
    await db
      .deleteFrom('app.used_form')
      .where('used_at', '<', sql<Date>`now() - make_interval(hours => ${RETENTION_HOURS})`)
      .execute();
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('app.used_form')
      .values({ account_id: accountId, form_id: formId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },

  /** Makes the form usable again, because its action did not happen. */
  async release(accountId: string, formId: string): Promise<void> {
    await db
      .deleteFrom('app.used_form')
      .where('account_id', '=', accountId)
      .where('form_id', '=', formId)
      .execute();
  },
});
