import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/**
 * A counter that every process in use polls: it goes up when a key, a practice or a partner changes, and
 * processes that keep such facts in memory drop them. A process that could not poll in time must not
 * trust its memory.
 */
export interface AccessVersion {
  /**
   * The counter as of less than {@link FRESH_MS} ago; asks the database if the last poll is older.
   * @throws when the database is away
   */
  current(): Promise<bigint>;
  stop(): void;
}

/** A poll counts for this long. Milliseconds. */
export const FRESH_MS = 250;
const POLL_MS = 100;
/** Nobody asks for longer than this: polling stops until somebody does. */
const IDLE_MS = 5_000;

/** Polls for as long as requests come; a service that nobody uses leaves the database alone. */
export const watchAccessVersion = (db: Db): AccessVersion => {
  let version = 0n;
  let freshUntil = 0;
  let usedAt = 0;
  let asking: Promise<void> | null = null;

  const ask = (): Promise<void> => {
    asking ??= (async () => {
      const asked = performance.now();
      try {
        const row = await db
          .selectFrom('app.access_version')
          .select('version')
          .executeTakeFirstOrThrow();
        version = BigInt(row.version);
        freshUntil = asked + FRESH_MS;
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

/** Raises the counter. In a transaction: for those who look once it is committed. */
export const raiseAccessVersion = async (db: Db): Promise<void> => {
  await sql`update app.access_version set version = version + 1 where id = 1`.execute(db);
};

/**
 * Raises the counter and waits until every process has seen it or must ask: what was changed
 * before this call is in force everywhere when it returns.
 */
export const announceAccessChange = async (db: Db): Promise<void> => {
  await raiseAccessVersion(db);
  await sleep(FRESH_MS + POLL_MS);
};
