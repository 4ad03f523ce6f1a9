import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  pickChart,
  type SavedChart,
  type SavedPrefill,
} from '../../../domain/mapping/us-core/prefill.ts';
import { isUuid } from '../../../domain/text-input.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

const TTL_MINUTES = 30;
/** Maximum number of pre-fills per browser. A new one replaces the oldest. */
const MAX_PER_BROWSER = 5;

export const createPrefillStore = (db: Db, cipher: RowCipher) => {
  const openPrefill = async (
    browser: string,
    { sealed, ...prefill }: PrefillRow,
    timeZone: string,
  ): Promise<SavedPrefill> => ({
    ...prefill,
    chart: pickChart(
      await openJson<SavedChart>(cipher, sealed, buildBinding(browser, prefill.prefillId)),
      timeZone,
    ),
  });

  return {
    async keep(browser: string, chart: SavedChart): Promise<string> {
      const prefillId = randomUUID();
      const sealed = sealJson(cipher, chart, buildBinding(browser, prefillId));
      await sql`
        insert into app.prefill (prefill_id, browser, sealed, expires_at)
        values (${prefillId}, ${browser}, ${sealed}, now() + ${TTL_MINUTES} * interval '1 minute')
      `.execute(db);
      await sql`
        delete from app.prefill where prefill_id in (
          select prefill_id from app.prefill where browser = ${browser}
          order by kept_at desc offset ${MAX_PER_BROWSER}
        )`.execute(db);
      return prefillId;
    },

    /** @param timeZone of the practice, for calendar days */
    async find(browser: string, prefillId: string, timeZone: string): Promise<SavedPrefill | null> {
      if (!isUuid(prefillId)) return null;
      const row = await selectRows(db, browser)
        .where('prefillId', '=', prefillId)
        .executeTakeFirst();
      return row === undefined ? null : openPrefill(browser, row, timeZone);
    },

    async list(browser: string, timeZone: string): Promise<readonly SavedPrefill[]> {
      const rows = await selectRows(db, browser).orderBy('keptAt', 'desc').execute();
      return Promise.all(rows.map((row) => openPrefill(browser, row, timeZone)));
    },

    async drop(browser: string, prefillId: string): Promise<void> {
      if (!isUuid(prefillId)) return;
      await db
        .deleteFrom('app.prefill')
        .where('browser', '=', browser)
        .where('prefill_id', '=', prefillId)
        .execute();
    },
  };
};

const selectRows = (db: Db, browser: string) =>
  withCamelCase(db)
    .selectFrom('app.prefill')
    .select(['prefillId', 'sealed', 'keptAt as savedAt'])
    .where('browser', '=', browser)
    .where('expiresAt', '>', sql<Date>`now()`);

type PrefillRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** A pre-fill moved to another browser or id cannot be decrypted. */
const buildBinding = (browser: string, prefillId: string) =>
  buildAssociatedData(`prefill ${prefillId} of the browser ${browser}`);
