import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PendingLaunch } from '../../../domain/mapping/us-core/ports.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

const TTL_MINUTES = 10;
/** Maximum number of pending launches per browser, one per tab. A new one replaces the oldest. */
const MAX_PER_BROWSER = 5;

/** Stored as `issuer`, which processes of other versions read. */
interface StoredLaunch extends Omit<PendingLaunch, 'fhirBaseUrl'> {
  readonly issuer: string;
}

/** Encrypted. Taking one deletes it, so a state works only once across all processes. */
export const createPendingLaunches = (db: Db, cipher: RowCipher) => ({
  async keep(browser: string, state: string, launch: PendingLaunch): Promise<void> {
    const stateHash = hashOf(state);
    const { fhirBaseUrl: issuer, server, verifier } = launch;
    const stored: StoredLaunch = { issuer, server, verifier };
    const sealed = sealJson(cipher, stored, buildBinding(browser, stateHash));
    await sql`
      insert into app.ehr_launch (state_hash, browser, sealed, expires_at)
      values (${stateHash}, ${browser}, ${sealed}, now() + ${TTL_MINUTES} * interval '1 minute')
    `.execute(db);
    await sql`
      delete from app.ehr_launch where state_hash in (
        select state_hash from app.ehr_launch where browser = ${browser}
        order by begun_at desc offset ${MAX_PER_BROWSER}
      )`.execute(db);
  },

  /** `null` if it is unknown, used, expired, or from another browser. */
  async take(browser: string, state: string): Promise<PendingLaunch | null> {
    const stateHash = hashOf(state);
    const taken = await db
      .deleteFrom('app.ehr_launch')
      .where('state_hash', '=', stateHash)
      .where('browser', '=', browser)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('sealed')
      .executeTakeFirst();
    if (taken === undefined) return null;
    const binding = buildBinding(browser, stateHash);
    const { issuer, ...launch } = await openJson<StoredLaunch>(cipher, taken.sealed, binding);
    return { ...launch, fhirBaseUrl: issuer };
  },
});

export const createDropExpiredLaunches = (db: Db) => async (): Promise<void> => {
  for (const table of ['app.ehr_launch', 'app.prefill', 'app.prefill_review'])
    await deleteInSlices(db, table, sql`expires_at < now()`);
};

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url');

/** A launch moved to another browser or state cannot be decrypted. */
const buildBinding = (browser: string, stateHash: string) =>
  buildAssociatedData(`launch ${stateHash} of the browser ${browser}`);
