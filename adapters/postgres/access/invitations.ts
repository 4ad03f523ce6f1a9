import { sql } from 'kysely';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

export interface StoredInvitation {
  readonly practiceId: string;
  readonly endsAt: Date;
}

/** Days for which an expired invitation is still reported as expired. */
const RETENTION_DAYS = 30;

export const createInvitationStore = (db: Db) => ({
  async put(accountId: string, practiceId: string, digest: string, endsAt: Date): Promise<void> {
    await sql`
      delete from app.invitation
      where ends_at < now() - make_interval(days => ${RETENTION_DAYS})`.execute(db);
    const invitation = { password_digest: digest, ends_at: endsAt };
    await db
      .insertInto('app.invitation')
      .values({ account_id: accountId, practice_id: practiceId, ...invitation })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'practice_id']).doUpdateSet(invitation),
      )
      .execute();
  },

  async find(accountId: string, digest: string): Promise<StoredInvitation | null> {
    const invitation = await withCamelCase(db)
      .selectFrom('app.invitation')
      .select(['practiceId', 'endsAt'])
      .where('accountId', '=', accountId)
      .where('passwordDigest', '=', digest)
      .executeTakeFirst();
    return invitation ?? null;
  },

  async drop(accountId: string, practiceId: string): Promise<void> {
    await db
      .deleteFrom('app.invitation')
      .where('account_id', '=', accountId)
      .where('practice_id', '=', practiceId)
      .execute();
  },
});
