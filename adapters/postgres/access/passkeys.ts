import { sql } from 'kysely';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { dropIdleRecoveryCodes } from './second-factors.ts';

export interface Passkey {
  readonly passkeyId: string;
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Buffer;
  readonly transports: readonly string[];
  /** True if this kind of passkey may be synced to other devices of its owner. */
  readonly isSyncedKind: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface NewPasskey
  extends Pick<Passkey, 'credentialId' | 'publicKey' | 'transports' | 'isSyncedKind' | 'name'> {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

export interface PasskeyUse {
  readonly credentialId: string;
  readonly counter: number;
  readonly isBackedUp: boolean;
}

export const createPasskeyStore = (db: Db) => ({
  async list(accountId: string): Promise<readonly Passkey[]> {
    return withCamelCase(db)
      .selectFrom('app.passkey')
      .select(['passkeyId', 'credentialId', 'publicKey', 'transports', 'isSyncedKind', 'name'])
      .select(['createdAt', 'lastUsedAt'])
      .where('accountId', '=', accountId)
      .orderBy('createdAt')
      .execute();
  },

  /** @returns false if an account has it already */
  async add(accountId: string, passkey: NewPasskey): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('app.passkey')
      .values({
        account_id: accountId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: String(passkey.counter),
        transports: [...passkey.transports],
        is_synced_kind: passkey.isSyncedKind,
        is_backed_up: passkey.isBackedUp,
        name: passkey.name,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  },

  /** False if refused or deleted. A counter that does not increase is a clone's; without one, it is 0. */
  async use(accountId: string, { credentialId, counter, isBackedUp }: PasskeyUse) {
    const { numUpdatedRows } = await db
      .updateTable('app.passkey')
      .set({ counter: String(counter), is_backed_up: isBackedUp, last_used_at: new Date() })
      .where('account_id', '=', accountId)
      .where('credential_id', '=', credentialId)
      .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Removing the last second factor also deletes the recovery codes. */
  remove: (accountId: string, passkeyId: string): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('app.passkey')
        .where('account_id', '=', accountId)
        .where('passkey_id', '=', passkeyId)
        .execute();
      await dropIdleRecoveryCodes(transaction, accountId);
    }),
});
