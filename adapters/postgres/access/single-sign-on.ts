import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderLogout } from '../../../domain/account/single-sign-on/ports.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';

export interface ProviderSecret {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A secret moved to another practice cannot be decrypted. */
export const getClientSecretAssociatedData = (practiceId: string) =>
  buildAssociatedData('single sign-on', practiceId);

/** Longer than the longest session. */
const RETENTION_HOURS = 24;

/** Data that must not be in the log. Secrets are encrypted, each bound to its practice. */
export const createSingleSignOnStore = (db: Db, cipher: RowCipher) => ({
  async secretOf(practiceId: string): Promise<ProviderSecret | null> {
    const row = await db
      .selectFrom('app.sso_secret')
      .select('sealed')
      .where('practice_id', '=', practiceId)
      .executeTakeFirst();
    return row === undefined
      ? null
      : openJson<ProviderSecret>(cipher, row.sealed, getClientSecretAssociatedData(practiceId));
  },

  async keepSecret(practiceId: string, secret: ProviderSecret): Promise<void> {
    const sealed = sealJson(cipher, secret, getClientSecretAssociatedData(practiceId));
    await db
      .insertInto('app.sso_secret')
      .values({ practice_id: practiceId, sealed })
      .onConflict((conflict) => conflict.column('practice_id').doUpdateSet({ sealed }))
      .execute();
  },

  async dropSecret(practiceId: string): Promise<void> {
    await db.deleteFrom('app.sso_secret').where('practice_id', '=', practiceId).execute();
  },

  /** In every process, also sign-ins in progress. @returns false if the same token was received before */
  async endSessions({ issuer, tokenId, sid, subject, issuedAt }: ProviderLogout): Promise<boolean> {
    await sql`
      delete from app.sso_logout where kept_at < now() - make_interval(hours => ${RETENTION_HOURS})`.execute(
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

  async accountOf(issuer: string, subject: string): Promise<string | null> {
    const row = await db
      .selectFrom('app.sso_identity')
      .select('account_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.account_id ?? null;
  },
});
