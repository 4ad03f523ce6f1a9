import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { connectEventLog, type EventLog } from '../../adapters/event-log/event-log.ts';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { NewEvent } from '../../domain/event-log.ts';
import { EventLogUnavailable } from '../../domain/event-log-errors.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultyLog } from '../harness/faulty-log.ts';
import { relayTo } from '../harness/ports.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

const context = {
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'service', id: 'test' },
} as const;

const revoked = (keyId: string): NewEvent => ({
  id: randomUUID(),
  event: { type: 'ApiKeyRevoked', data: { keyId } },
});

const aStream = () => `key-${randomUUID()}`;

/** Keeps what is appended from being committed until it is let go. */
const blockCommits = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin; lock table eventstore.event in share mode');
  return {
    isAnyWaiting: async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity
         where application_name = 'eventstore-writer' and wait_event_type = 'Lock'
           and datname = current_database()`,
      );
      return rowCount === 1;
    },
    letGo: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
};

test('an append that is sent again while the first is in flight is stored once', async () => {
  let drops = 0;
  const repeatAnsweredAfterMs = 3_000; // the longest that was seen of EventStoreDB
  const faulty = await startFaultyLog({
    repeatAnsweredAfterMs,
    onFault: () => {
      drops += 1;
    },
  });
  const relay = await relayTo(faulty.port);
  const log = connectEventLog({ connectionString: `esdb://127.0.0.1:${relay.port}?tls=false` });
  try {
    await log.append(aStream(), 'no-stream', [revoked('first of all')], context);
    const commits = await blockCommits(faulty.databaseUrl);
    const stream = aStream();
    const began = performance.now();
    const appending = log.append(stream, 'no-stream', [revoked('once')], context);
    await eventually('it is in flight', commits.isAnyWaiting);
    await relay.cut();
    await relay.mend();
    await eventually('it was sent again', () => drops > 0);
    await commits.letGo();

    assert.is((await appending).kind, 'appended');
    // From its first try on: when the repeated one was received is known only in the log's process.
    const elapsedMs = performance.now() - began;
    assert.ok(elapsedMs >= repeatAnsweredAfterMs, 'its answer was waited for, not given up');
    assert.is((await log.readStream(stream)).length, 1);
    assert.is(drops, 1);
  } finally {
    await log.close();
    await relay.close();
    await faulty.stop();
  }
});

/** Follows until a subscription ends, and says how. */
const followUntilEnd = async (
  log: EventLog,
  from: bigint | null,
  onEvent: (stream: string, position: bigint) => Promise<void>,
  signal: AbortSignal,
): Promise<unknown> => {
  try {
    await log.follow(
      from,
      async ({ entries }) => {
        for (const entry of entries)
          if (entry.kind === 'event') await onEvent(entry.stored.stream, entry.stored.position);
      },
      () => undefined,
      signal,
    );
    return null;
  } catch (error) {
    return error;
  }
};

test('a subscriber that is dropped for being slow follows again from where it was', async () => {
  const faulty = await startFaultyLog({ mostWaiting: 32 });
  const log = connectEventLog(faulty);
  try {
    const first = aStream();
    await log.append(first, 'no-stream', [revoked('first')], context);
    const seen: string[] = [];
    const streams = Array.from({ length: 40 }, aStream);
    const done = new AbortController();
    let last: bigint | null = null;
    const see = async (stream: string, position: bigint) => {
      seen.push(stream);
      last = position;
      if (seen.length === 1)
        // In one group: more than may wait for a live subscriber.
        await log.append('key-many', 'no-stream', streams.map(revoked), context);
      if (seen.length === 1 + streams.length) done.abort();
    };
    const ends: unknown[] = [];
    while (!done.signal.aborted) {
      const end = await followUntilEnd(log, last, see, done.signal);
      if (end !== null) ends.push(end);
    }
    assert.is(seen.length, 41);
    assert.ok(ends.length > 0);
    for (const end of ends) {
      assert.instance(end, EventLogUnavailable);
      assert.is(((end as Error).cause as { code?: unknown }).code, 10);
    }
  } finally {
    await log.close();
    await faulty.stop();
  }
});

test('a projector that is dropped for being slow recovers by itself', async () => {
  let drops = 0;
  const faulty = await startFaultyLog({
    mostWaiting: 2,
    onFault: () => {
      drops += 1;
    },
  });
  const directory = temporaryDirectory('bad-days');
  const settings = testSettings(directory.path, {
    DATABASE_URL: faulty.databaseUrl,
    EVENTSTORE_URL: faulty.connectionString,
    REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
  });
  const silent = openServiceLog('silent');
  const service = await startService(settings, silent);
  await service.started;
  const commands = await openCommands(settings, silent);
  try {
    const { token } = await newPractice(commands);
    for (let batch = 0; batch < 5; batch += 1) {
      const births = Array.from({ length: 100 }, (_, n) =>
        birthBundle({ chartNumber: `B-${batch}-${n}` }),
      );
      const receipt = await push(service.url, token, batchOf(births));
      assert.is(receipt.status === 'completed' && receipt.accepted, 100);
    }
    assert.ok(drops > 0, 'it was dropped');
    assert.equal((await commands.verify()).problems, []);
    assert.equal((await commands.rebuild('compare')).differences, []);
  } finally {
    await commands.close();
    await service.stop();
    await faulty.stop();
    directory.remove();
  }
});

test.run();
