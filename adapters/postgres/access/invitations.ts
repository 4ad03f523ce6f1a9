import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** An invitation that somebody knows the password of. It may have ended. */
export interface StoredInvitation {
  readonly practiceId: string;
  readonly endsAt: Date;
}

/** So long it is told that an invitation has ended. */
const KEPT_DAYS = 30;

/** What invitations are accepted with, in `app.invitation`; each practice has one for an account. */
export const createInvitationStore = (db: Db) => ({
  /** Puts one in the place of an earlier one. @param digest of its one-time password */
  async put(accountId: string, practiceId: string, digest: string, endsAt: Date): Promise<void> {
    await sql`
      delete from app.invitation
      where ends_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
    const invitation = { password_digest: digest, ends_at: endsAt };
    await db
      .insertInto('app.invitation')
      .values({ account_id: accountId, practice_id: practiceId, ...invitation })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'practice_id']).doUpdateSet(invitation),
      )
      .execute();
  },

  /** The invitation of an account that a one-time password is for; null: none. */
  async find(accountId: string, digest: string): Promise<StoredInvitation | null> {
    const held = await db
      .selectFrom('app.invitation')
      .select(['practice_id', 'ends_at'])
      .where('account_id', '=', accountId)
      .where('password_digest', '=', digest)
      .executeTakeFirst();
    return held === undefined ? null : { practiceId: held.practice_id, endsAt: held.ends_at };
  },

  async drop(accountId: string, practiceId: string): Promise<void> {
    await db
      .deleteFrom('app.invitation')
      .where('account_id', '=', accountId)
      .where('practice_id', '=', practiceId)
      .execute();
  },
});
