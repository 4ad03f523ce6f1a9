import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { createIngestionQueue } from '../../adapters/postgres/intake-queue/ingestion-queue.ts';
import { listenForQueued } from '../../adapters/postgres/intake-queue/listen-for-queued.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { within } from '../harness/eventually.ts';
import { type DatabaseContext, databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

/** How a process that works submissions off hears of those that another one has taken. */

const listening = databaseSuite('what one process queues') as Test<DatabaseContext>;

const WITHIN_MS = 60_000;
const UNCONDITIONAL = { requirePermission: async () => undefined, limits: null };

listening.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

const entry = () => ({
  ingestionId: randomUUID(),
  attempt: randomUUID(),
  practiceId: 'cedar',
  keyId: 'key',
  keyKind: 'native' as const,
  correlationId: 'test',
  receivedAt: new Date().toISOString(),
  isKeyed: false,
  courses: 1,
  chunks: [[]],
});

listening(
  'another hears of, again after its connection was lost or went silent',
  async ({ db, url }) => {
    const queue = createIngestionQueue({ db, hotDb: db }, createRowCipher(soleKey()), {
      ttlSeconds: 60,
      announces: true,
    });
    let heard = 0;
    let onHeard: () => void = () => undefined;
    const nextHeard = () =>
      within(
        'it is heard of',
        new Promise<void>((resolve) => {
          onHeard = resolve;
        }),
        WITHIN_MS,
      );
    const hearing = await listenForQueued(url, () => {
      heard += 1;
      onHeard();
    });
    try {
      // Something may have been queued before it listened.
      assert.is(heard, 1);
      const first = nextHeard();
      assert.is(await queue.enqueue(entry(), UNCONDITIONAL), 'queued');
      await first;
      const back = nextHeard();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'queued'`.execute(db);
      await back;
      const second = nextHeard();
      assert.is(await queue.enqueue(entry(), UNCONDITIONAL), 'queued');
      await second;

      // What serves it in Postgres stops, as behind a firewall that forgets: the connection stands, and is silent.
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where application_name = 'queued'`.execute(db);
      const pid = rows[0]?.pid ?? 0;
      const anew = nextHeard();
      process.kill(pid, 'SIGSTOP');
      try {
        await anew;
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const third = nextHeard();
      assert.is(await queue.enqueue(entry(), UNCONDITIONAL), 'queued');
      await third;
    } finally {
      await hearing.stop();
    }
  },
);

listening.run();
