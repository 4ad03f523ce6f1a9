import { sql } from 'kysely';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import {
  createWakeups,
  type Listening,
  listenForWakeups,
  notifyOthers,
  onEachTopic,
  WAKE_TOPICS,
  type WakeTopic,
} from '../../adapters/postgres/connection/wakeups.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type DatabaseContext, databaseSuite } from '../harness/postgres.ts';

/** How a process that does work hears of what another one has made. */

const waking = databaseSuite('a process that rests') as Test<DatabaseContext>;

const WITHIN_MS = 60_000;
const hears = (listening: Listening): boolean => listening.pollMs() > 5_000;

/** A process that listens, and one that wakes it. */
const withListener = async (
  { db, url }: DatabaseContext,
  work: (seen: {
    readonly listening: Listening;
    readonly heard: WakeTopic[];
    readonly wakeOthers: (topic: WakeTopic) => void;
  }) => Promise<void>,
  through: Db = db,
): Promise<void> => {
  const wakeups = createWakeups();
  const heard: WakeTopic[] = [];
  onEachTopic(wakeups, (topic) => heard.push(topic));
  const listening = await listenForWakeups(url, through, wakeups);
  // As a projector, which makes work for workers.
  notifyOthers(db, wakeups);
  const others = createWakeups();
  notifyOthers(db, others);
  try {
    await work({ listening, heard, wakeOthers: (topic) => others.emit(topic) });
  } finally {
    await listening.stop();
  }
};

const isHearing = (listening: Listening) =>
  eventually('it hears', () => hears(listening), WITHIN_MS);

const pidOf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'wakeups' and datname = current_database()`.execute(
    db,
  );
  return rows[0]?.pid ?? 0;
};

waking('is woken by another process, for each kind of work', (context) =>
  withListener(context, async ({ listening, heard, wakeOthers }) => {
    await isHearing(listening);
    // Something may have been queued before it listened.
    assert.equal(heard, WAKE_TOPICS);
    for (const topic of WAKE_TOPICS) {
      heard.length = 0;
      wakeOthers(topic);
      await eventually('it heard', () => heard.length > 0);
      assert.equal(heard, [topic]);
    }
  }),
);

waking('is woken once by what happens at the same time, and by what happens after', (context) =>
  withListener(context, async ({ listening, heard, wakeOthers }) => {
    await isHearing(listening);
    heard.length = 0;
    for (let n = 0; n < 100; n += 1) wakeOthers('queued');
    await eventually('it heard', () => heard.length > 0);
    wakeOthers('noted');
    await eventually('it heard of the other', () => heard.includes('noted'));
    assert.equal(heard.filter((topic) => topic === 'queued').length <= 2, true);
  }),
);

waking('does not tell again what it has heard', (context) =>
  withListener(context, async ({ listening, heard, wakeOthers }) => {
    await isHearing(listening);
    heard.length = 0;
    for (const topic of WAKE_TOPICS) {
      wakeOthers(topic);
      await eventually('it heard', () => heard.includes(topic));
    }
    assert.equal(heard, WAKE_TOPICS);
  }),
);

waking('polls while its connection is away, and hears again after it', (context) =>
  withListener(context, async ({ listening, heard, wakeOthers }) => {
    await isHearing(listening);
    heard.length = 0;
    await sql`select pg_terminate_backend(${await pidOf(context.db)}::integer)`.execute(context.db);
    await eventually('it knows', () => heard.length > 0);
    // Once for the end, so that it polls, and once for what it missed.
    await isHearing(listening);
    assert.equal(heard, [...WAKE_TOPICS, ...WAKE_TOPICS]);
    heard.length = 0;
    wakeOthers('queued');
    await eventually('it heard', () => heard.length > 0);
  }),
);

waking('does not count on a connection that went silent', (context) =>
  withListener(context, async ({ listening, heard, wakeOthers }) => {
    await isHearing(listening);
    heard.length = 0;
    // What serves it in Postgres stops, as behind a firewall that forgets: the connection stands, and is silent.
    const pid = await pidOf(context.db);
    process.kill(pid, 'SIGSTOP');
    try {
      await eventually('it hears anew', () => heard.length === 2 * WAKE_TOPICS.length, WITHIN_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    heard.length = 0;
    wakeOthers('queued');
    await eventually('it heard', () => heard.length > 0);
  }),
);

waking('polls often where notifications get lost, as behind a pooler', async (context) => {
  // What is sent in another database is not heard in this one.
  const elsewhere = await createTestDatabase();
  const db = openDatabase(elsewhere.url, 1);
  try {
    await withListener(
      context,
      async ({ listening, heard, wakeOthers }) => {
        wakeOthers('queued');
        await eventually('its connection stands', () => heard.length > 0);
        assert.equal(heard, ['queued']);
        assert.not.ok(hears(listening));
      },
      db,
    );
  } finally {
    await db.destroy();
    await elsewhere.stop();
  }
});

waking.run();
