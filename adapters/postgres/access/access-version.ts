import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Polled by every active process. A process that could not poll in time must not trust its cache. */
export interface AccessVersion {
  /** At most {@link FRESH_MS} old. @throws if the database is unavailable */
  current(): Promise<bigint>;
  stop(): void;
}

export const FRESH_MS = 250;
const POLL_MS = 100;
/** Polling pauses if no request has asked for this long. */
const IDLE_MS = 5_000;

/** Polls only while requests come in, so that an idle service puts no load on the database. */
export const watchAccessVersion = (db: Db): AccessVersion => {
  let version = 0n;
  let freshUntil = 0;
  let usedAt = 0;
  let asking: Promise<void> | null = null;

  const ask = (): Promise<void> => {
    asking ??= (async () => {
      const startedAt = performance.now();
      try {
        const row = await db
          .selectFrom('app.access_version')
          .select('version')
          .executeTakeFirstOrThrow();
        version = BigInt(row.version);
        freshUntil = startedAt + FRESH_MS;
      } finally {
        asking = null;
      }
    })();
    return asking;
  };
  const timer = setInterval(() => {
    if (performance.now() - usedAt < IDLE_MS) void ask().catch(() => undefined);
  }, POLL_MS);

  return {
    async current() {
      usedAt = performance.now();
      if (usedAt >= freshUntil) await ask();
      return version;
    },
    stop: () => clearInterval(timer),
  };
};

/** In a transaction, others see it after the commit. */
export const raiseAccessVersion = async (db: Db): Promise<void> => {
  await sql`update app.access_version set version = version + 1 where id = 1`.execute(db);
};

/** On return, every process has seen the change or must query the counter. */
export const announceAccessChange = async (db: Db): Promise<void> => {
  await raiseAccessVersion(db);
  await sleep(FRESH_MS + POLL_MS);
};
