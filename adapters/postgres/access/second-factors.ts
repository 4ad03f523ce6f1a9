import { sql } from 'kysely';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';

export type SecondFactorKind = 'passkey' | 'totp';

export interface SecondFactors {
  readonly kinds: readonly SecondFactorKind[];
  readonly recoveryCodes: number;
}

/** Second factors in Postgres. Secrets are encrypted, each bound to its account. */
export const createSecondFactorStore = (db: Db, cipher: RowCipher) => {
  const findSecret = async (accountId: string, isConfirmed: boolean): Promise<string | null> => {
    const row = await db
      .selectFrom('app.time_code')
      .select('sealed')
      .where('account_id', '=', accountId)
      .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
      .executeTakeFirst();
    return row === undefined
      ? null
      : openJson<string>(cipher, row.sealed, getTimeCodeAssociatedData(accountId));
  };

  return {
    async find(accountId: string): Promise<SecondFactors> {
      const { rows } = await sql<{ has_passkey: boolean; has_app: boolean; codes: string }>`
        select
          exists (select from app.passkey where account_id = ${accountId}) as has_passkey,
          exists (
            select from app.time_code where account_id = ${accountId} and confirmed_at is not null
          ) as has_app,
          (select count(*) from app.recovery_code where account_id = ${accountId}) as codes`.execute(
        db,
      );
      const [found] = rows;
      return {
        kinds: [
          ...(found?.has_passkey === true ? (['passkey'] as const) : []),
          ...(found?.has_app === true ? (['totp'] as const) : []),
        ],
        recoveryCodes: Number(found?.codes ?? 0),
      };
    },

    pendingSecret: (accountId: string) => findSecret(accountId, false),

    secret: (accountId: string) => findSecret(accountId, true),

    /** Starts to set up an authenticator app. Does nothing if one is in use. */
    async begin(accountId: string, secret: string): Promise<void> {
      const sealed = sealJson(cipher, secret, getTimeCodeAssociatedData(accountId));
      await sql`
        insert into app.time_code (account_id, sealed) values (${accountId}, ${sealed})
        on conflict (account_id) do update set sealed = excluded.sealed, last_step = 0
        where app.time_code.confirmed_at is null`.execute(db);
    },

    async confirm(accountId: string, step: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.time_code')
        .set({ confirmed_at: new Date(), last_step: String(step) })
        .where('account_id', '=', accountId)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Consumes a time step. @returns false if it or a later one was used before */
    async useStep(accountId: string, step: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.time_code')
        .set({ last_step: String(step) })
        .where('account_id', '=', accountId)
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', String(step))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Removing the last second factor also deletes the recovery codes. */
    removeApp: (accountId: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('app.time_code').where('account_id', '=', accountId).execute();
        await dropIdleRecoveryCodes(transaction, accountId);
      }),

    /** Consumes a recovery code. @returns false if it does not match */
    async useRecoveryCode(accountId: string, digest: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('app.recovery_code')
        .where('account_id', '=', accountId)
        .where('digest', '=', digest)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    replaceRecoveryCodes: (accountId: string, digests: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('app.recovery_code')
          .where('account_id', '=', accountId)
          .execute();
        await transaction
          .insertInto('app.recovery_code')
          .values(digests.map((digest) => ({ account_id: accountId, digest })))
          .execute();
      }),
  };
};

export const dropIdleRecoveryCodes = async (db: Db, accountId: string): Promise<void> => {
  await sql`
    delete from app.recovery_code where account_id = ${accountId}
      and not exists (select from app.passkey where account_id = ${accountId})
      and not exists (
        select from app.time_code where account_id = ${accountId} and confirmed_at is not null
      )`.execute(db);
};

/** A secret moved to another account cannot be decrypted. */
export const getTimeCodeAssociatedData = (accountId: string) =>
  buildAssociatedData(`time code of ${accountId}`);

export const createDropSecondFactors =
  (db: Db) =>
  async (accountId: string): Promise<void> => {
    await db.deleteFrom('app.passkey').where('account_id', '=', accountId).execute();
    await db.deleteFrom('app.time_code').where('account_id', '=', accountId).execute();
    await db.deleteFrom('app.recovery_code').where('account_id', '=', accountId).execute();
  };
