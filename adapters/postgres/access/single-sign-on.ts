import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderLogout } from '../../../domain/account/single-sign-on/ports.ts';
import type { Db } from '../connection/database.ts';

/** Longer than any session lasts that began before. */
const KEPT_HOURS = 24;

/** What is kept of sessions at identity providers. */
export const singleSignOnIn = (db: Db) => ({
  /**
   * Ends the sessions here that belong to one, or to all of a person, at a provider: in every process, also
   * of a sign-in that is under way.
   * @returns false if the same token has come before
   */
  async endSessions({ issuer, tokenId, sid, subject, issuedAt }: ProviderLogout): Promise<boolean> {
    await sql`
      delete from app.sso_logout where kept_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(
      db,
    );
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('app.sso_logout')
      .values({
        issuer,
        token_digest: createHash('sha256').update(tokenId).digest('base64url'),
        sid,
        subject,
        issued_at: issuedAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  },

  /** The account that belongs to a person at a provider; null: none. */
  async accountOf(issuer: string, subject: string): Promise<string | null> {
    const held = await db
      .selectFrom('app.sso_identity')
      .select('account_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return held?.account_id ?? null;
  },
});
