import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { connectEventLog, type EventLog } from '../../adapters/event-log/event-log.ts';
import type { LogBatch } from '../../adapters/event-log/follow-log.ts';
import { openRegistryIdentity } from '../../adapters/event-log/registry-identity.ts';
import type { LogAddress } from '../../adapters/package-internals/event-store-client/log-address.ts';
import { isKnown, type NewEvent } from '../../domain/event-log.ts';
import { EventLogAccessDenied, EventLogUnconfirmed } from '../../domain/event-log-errors.ts';
import { connect } from '../embedded-eventstore/support/log-under-test.ts';
import { eventually, within } from '../harness/eventually.ts';
import { relayTo } from '../harness/ports.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { passTime } from '../harness/real-time.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const eventLog = suite<{
  log: EventLog;
  address: LogAddress;
  /** Another application on the same log. */
  client: EventStoreDBClient;
  stop: () => Promise<void>;
}>('the event log');

eventLog.before(async (context) => {
  const postgres = await startTestPostgres();
  const directory = temporaryDirectory('event-log');
  const node = await hostEventStore({
    databaseUrl: postgres.url,
    dataDir: directory.path,
    hostKind: 'service',
  });
  context.address = node;
  context.log = connectEventLog(node);
  context.client = connect(node);
  context.stop = async () => {
    await context.log.close();
    await context.client.dispose();
    await node.stop();
    await postgres.stop();
    directory.remove();
  };
});
eventLog.after(({ stop }) => stop());

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

eventLog(
  'an append succeeds at its revision, and a repeat answers as the first time',
  async ({ log }) => {
    const stream = aStream();
    const events = [revoked('one'), revoked('two')];
    const first = await log.append(stream, 'no-stream', events, context);
    assert.is(first.kind === 'appended' && first.revision, 1n);
    const third = await log.append(stream, 1n, [revoked('three')], context);
    assert.is(third.kind, 'appended');
    assert.equal(await log.append(stream, 'no-stream', events, context), first);
    const stored = await log.readStream(stream);
    const known = stored.filter(isKnown);
    assert.equal(
      known.map(({ event, revision }) => [revision, (event.data as { keyId: string }).keyId]),
      [
        [0n, 'one'],
        [1n, 'two'],
        [2n, 'three'],
      ],
    );
    assert.is(known[0]?.metadata.correlationId, 'test');
  },
);

eventLog('an append at another revision is told so', async ({ log }) => {
  const stream = aStream();
  assert.is((await log.append(stream, 4n, [revoked('one')], context)).kind, 'wrong-revision');
  await log.append(stream, 'no-stream', [revoked('one')], context);
  const second = await log.append(stream, 'no-stream', [revoked('one')], context);
  assert.is(second.kind, 'wrong-revision');
});

eventLog('an unknown stream is empty', async ({ log }) => {
  assert.equal(await log.readStream(aStream()), []);
});

eventLog('where the log ends, and what is ahead of a position', async ({ log }) => {
  const before = Date.now();
  const stream = aStream();
  const first = await log.append(stream, 'no-stream', [revoked('one')], context);
  const many = Array.from({ length: 150 }, () => revoked('many'));
  const last = await log.append(stream, 0n, many, context);
  if (first.kind !== 'appended' || last.kind !== 'appended') throw new Error('not appended');
  const end = await log.newest();
  assert.is(end.position, last.position);
  assert.is(end.position, await log.head());
  assert.ok(Math.abs((end.recordedAt?.getTime() ?? 0) - before) < 60_000);

  assert.equal(await log.ahead(end.position), {
    events: 0,
    oldestAt: null,
    seenTo: end.position,
    isAll: true,
  });
  const ahead = await log.ahead(first.position);
  assert.is(ahead.events, 100);
  assert.is(ahead.isAll, false);
  assert.ok(ahead.seenTo > first.position && ahead.seenTo < last.position);
  assert.ok((ahead.oldestAt?.getTime() ?? 0) >= before - 60_000);
  const rest = await log.ahead(ahead.seenTo);
  assert.equal([rest.events, rest.seenTo, rest.isAll], [50, last.position, true]);
  assert.is((await log.ahead(-1n)).events, 101, 'from the start none is left out');
});

eventLog('the end of the log is whosever event, and an event is held as itself', async (held) => {
  const stream = aStream();
  const events = [revoked('one'), revoked('two')];
  const appended = await held.log.append(stream, 'no-stream', events, context);
  if (appended.kind !== 'appended') throw new Error('not appended');
  assert.is(await held.log.end(), appended.position);

  const [first, second] = events;
  const holds = (revision: bigint, id: string | undefined, of = stream) =>
    held.log.holds({ stream: of, revision, id: id ?? '' });
  assert.is(await holds(0n, first?.id), true);
  assert.is(await holds(1n, second?.id), true);
  assert.is(await holds(1n, first?.id), false, 'another event stands there');
  assert.is(await holds(2n, second?.id), false, 'behind the end of its stream');
  assert.is(await holds(0n, first?.id, aStream()), false, 'a stream that is not there');

  assert.is(await held.log.lastRevision(stream), 1n);
  assert.is(await held.log.lastRevision(aStream()), -1n);

  await held.client.appendToStream('invoice-7', jsonEvent({ type: 'InvoiceSent', data: {} }));
  assert.ok((await held.log.end()) > appended.position);
  assert.is(await held.log.head(), appended.position);
});

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as Error).name;
  }
  return 'none';
};

eventLog('an event that does not fit its schema is not appended', async ({ log }) => {
  const stream = aStream();
  const misfit = { id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: 7 } } };
  assert.is(await refusal(log.append(stream, 'no-stream', [misfit], context)), 'EventInvalid');
  const unknown = { id: randomUUID(), event: { type: 'SomethingElse', data: {} } };
  assert.is(await refusal(log.append(stream, 'no-stream', [unknown], context)), 'EventInvalid');
  assert.equal(await log.readStream(stream), []);
});

/** Counts how often an append asks whether it may be sent once more. */
const countTries = () => {
  let tries = 0;
  const mayTryAgain = () => {
    tries += 1;
    return true;
  };
  return { tries: () => tries, mayTryAgain };
};

eventLog('an append over 1 MiB is refused for good, not tried again', async ({ log }) => {
  const large = revoked('x'.repeat(1_100_000));
  const { tries, mayTryAgain } = countTries();
  const append = log.append(aStream(), 'no-stream', [large], context, 60_000, mayTryAgain);
  assert.is(await refusal(append), 'EventLogRefused');
  assert.is(tries(), 0, 'nobody is asked for another try');
});

eventLog('a log that is away is unavailable after the time that the caller gives', async () => {
  const nobody = connectEventLog({ connectionString: 'esdb://127.0.0.1:1?tls=false' });
  const append = nobody.append(aStream(), 'no-stream', [revoked('x')], context, 500);
  assert.is(await within('it gives up', refusal(append)), 'EventLogUnavailable');
  assert.is(await refusal(nobody.readStream('registry')), 'EventLogUnavailable');
  await nobody.close();
});

eventLog('an account that is refused is told by the name of its setting', async (held) => {
  const { connectionString } = held.address;
  for (const authorization of [null, 'Basic cmVnaXN0cnk6d3Jvbmc=']) {
    const stranger = connectEventLog(
      authorization === null ? { connectionString } : { connectionString, authorization },
    );
    const { signal } = new AbortController();
    const { tries, mayTryAgain } = countTries();
    const outcomes = await Promise.allSettled([
      stranger.readStream('registry'),
      stranger.append(aStream(), 'no-stream', [revoked('x')], context, 60_000, mayTryAgain),
      stranger.follow(
        null,
        async () => undefined,
        () => undefined,
        signal,
      ),
    ]);
    assert.is(tries(), 0, 'the append was not tried again');
    for (const outcome of outcomes) {
      const error = outcome.status === 'rejected' ? outcome.reason : null;
      assert.instance(error, EventLogAccessDenied);
      assert.match(error.message, 'user name or password in EVENTSTORE_URL is missing or wrong');
    }
    await stranger.close();
  }
});

eventLog('an append is tried again only while its writer says so', async () => {
  const nobody = connectEventLog({ connectionString: 'esdb://127.0.0.1:1?tls=false' });
  let asked = 0;
  const untilThirdTry = () => {
    asked += 1;
    return asked < 3;
  };
  const events = [revoked('x')];
  const append = nobody.append(aStream(), 'no-stream', events, context, 60_000, untilThirdTry);
  assert.is(await refusal(append), 'EventLogUnavailable');
  assert.is(asked, 3);
  await nobody.close();
});

eventLog(
  'who follows sees each event once, in order, from just behind a position',
  async ({ log }) => {
    const streams = Array.from({ length: 20 }, aStream);
    const appends = Promise.all(
      streams.map((stream) => log.append(stream, 'no-stream', [revoked(stream)], context)),
    );
    const seen: string[] = [];
    let last = await log.head();
    const follow = async (enough: () => boolean, from: bigint | null) => {
      const ending = new AbortController();
      let caughtUp = 0;
      await log.follow(
        from,
        async (batch: LogBatch) => {
          for (const entry of batch.entries)
            if (entry.kind === 'event' && streams.includes(entry.stored.stream)) {
              assert.ok(entry.stored.position > last || seen.length === 0 || from === null);
              seen.push(entry.stored.stream);
            }
          last = batch.position;
          if (enough()) ending.abort();
        },
        () => {
          caughtUp += 1;
        },
        ending.signal,
      );
      return caughtUp;
    };
    await follow(() => streams.every((stream) => seen.includes(stream)), null);
    await appends;
    assert.is(seen.length, streams.length);

    const more = aStream();
    streams.push(more);
    const from = last;
    await log.append(more, 'no-stream', [revoked(more)], context);
    await follow(() => seen.includes(more), from);
    assert.is(seen.length, streams.length);
  },
);

eventLog('its head is the last event of ours, whatever shares the log', async ({ log }) => {
  const mine = await log.append(aStream(), 'no-stream', [revoked('mine')], context);
  const position = mine.kind === 'appended' ? mine.position : -1n;
  assert.is(await log.head(), position);
  const addOthers = (count: number) =>
    log.append(
      `somebody-else-${randomUUID()}`,
      'no-stream',
      Array.from({ length: count }, () => revoked('other')),
      context,
    );
  await addOthers(3);
  assert.is(await log.head(), position);
  for (let others = 0; others < 5_000; others += 1_000) await addOthers(1_000);
  const last = await addOthers(1);
  const head = await log.head();
  // Not the end of the log, which a follower of our streams need not get to see.
  assert.ok(head > position && last.kind === 'appended' && head < last.position);
});

eventLog('a registry is founded once, and opened with its secret only', async ({ log }) => {
  const opened = await Promise.all(
    [1, 2, 3].map(() => openRegistryIdentity(log, 'the secret', async () => false)),
  );
  assert.is(new Set(opened.map(({ registryId }) => registryId)).size, 1);
  assert.is(new Set(opened.map(({ identity }) => identity.checkValue)).size, 1);
  assert.is(
    await refusal(openRegistryIdentity(log, 'another secret', async () => true)),
    'WrongRegistrySecret',
  );
});

/** Runs with the clock of this process off; the node has a process, and a clock, of its own. */
const withClockOff = async (byMs: number, work: () => Promise<void>): Promise<void> => {
  const now = Date.now;
  Date.now = () => now() + byMs;
  try {
    await work();
  } finally {
    Date.now = now;
  }
};

for (const seconds of [-60, -10, -2, -1, 1, 2, 10, 60])
  eventLog(`${seconds} s off the clock of the log, appends succeed and say so`, ({ address }) =>
    withClockOff(seconds * 1_000, async () => {
      const log = connectEventLog(address);
      const stream = aStream();
      const appended = await log.append(stream, 'no-stream', [revoked('one')], context);
      assert.is(appended.kind, 'appended');
      await log.close();
      const { clock, failingSince } = log.appendHealth();
      assert.is(failingSince, null);
      assert.ok(clock !== null);
      assert.ok(
        Math.abs(clock.aheadMs - seconds * 1_000) <= clock.uncertaintyMs + 1,
        JSON.stringify(clock),
      );
    }),
  );

eventLog(
  'a repeat of an append from before a crash tells nothing of the clocks',
  async ({ log, address }) => {
    const stream = aStream();
    const events = [revoked('one')];
    await log.append(stream, 'no-stream', events, context);
    await withClockOff(60_000, async () => {
      const restarted = connectEventLog(address);
      // Two appends of one event are told apart by the millisecond that each names.
      await passTime(5);
      assert.is((await restarted.append(stream, 'no-stream', events, context)).kind, 'appended');
      await restarted.close();
      assert.is(restarted.appendHealth().clock, null);
    });
  },
);

eventLog(
  'nothing is appended over a connection that is not confirmed, nor read by those who decide',
  async ({ log, address }) => {
    const relay = await relayTo(Number(new URL(address.connectionString).port));
    const connectionString = `esdb://127.0.0.1:${relay.port}?tls=false`;
    let asked = 0;
    let isRight = true;
    const own = connectEventLog({ ...address, connectionString }, undefined, async ({ end }) => {
      asked += 1;
      await end();
      if (!isRight) throw new EventLogUnconfirmed('This is another log.');
    });
    const batches: LogBatch[] = [];
    const following = new AbortController();
    const followed = (): Promise<void> =>
      own.confirmed.follow(
        null,
        async (batch) => void batches.push(batch),
        () => undefined,
        following.signal,
      );
    const unconfirmed = 'EventLogUnconfirmed';
    try {
      const stream = aStream();
      const append = (one: string, expected: bigint | 'no-stream') =>
        own.append(stream, expected, [revoked(one)], context);
      await Promise.all(
        Array.from({ length: 20 }, () =>
          own.append(aStream(), 'no-stream', [revoked('one')], context),
        ),
      );
      await append('first', 'no-stream');
      assert.is(asked, 1, 'once for a connection');

      isRight = false;
      await relay.cut();
      await relay.mend();
      assert.is(await refusal(append('second', 0n)), unconfirmed);
      assert.is(await refusal(own.confirmed.readStream(stream)), unconfirmed);
      assert.is(await refusal(own.confirmed.head()), unconfirmed);
      assert.is(await refusal(followed()), unconfirmed);
      assert.is(own.appendHealth().cause, 'unconfirmed');
      assert.is(batches.length, 0);
      assert.is((await own.readStream(stream)).length, 1, 'whoever verifies it reads it');
      assert.is((await log.readStream(stream)).length, 1, 'nothing was appended');

      isRight = true;
      await own.confirmed.readStream(stream);
      assert.is(own.appendHealth().failingSince, null);
      await append('second', 0n);
      const running = followed();
      await eventually('it follows', () => batches.length > 0);
      following.abort();
      await running;
      assert.is((await own.confirmed.readStream(stream)).length, 2);
    } finally {
      await own.close();
      await relay.close();
    }
  },
);

eventLog.run();
