import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectEventLog } from '../../adapters/event-log/event-log.ts';
import { isAheadOfLog } from '../../adapters/postgres/projector/ahead-of-log.ts';
import { loadCheckpoint } from '../../adapters/postgres/projector/read-schema.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import type { Settings } from '../../api/settings/settings.ts';
import type { Stores } from '../../api/stores/stores.ts';
import { eventually } from '../harness/eventually.ts';
import {
  metricsAt,
  newPractice,
  post,
  push,
  pushAddress,
  receiptAddress,
  receiptAt,
  seriesValue,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  type HeldStores,
  holdStores,
  loseEvents,
  loseLastEvents,
  whileServing,
  withCommands,
} from './support/lost-events.ts';
import { findTables } from './support/rebuilds.ts';

const context = {
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'service', id: 'test' },
} as const;

interface Ready {
  readonly reasons: readonly { readonly code: string }[];
}

const reasonsAt = async (url: string): Promise<readonly string[]> => {
  const response = await fetch(`${url}/health/ready`);
  const { reasons } = (await response.json()) as Ready;
  assert.is(response.status, reasons.length === 0 ? 200 : 503);
  return reasons.map(({ code }) => code);
};

const saysAhead = async (url: string) => (await reasonsAt(url)).includes('tables-ahead-of-log');
const isReadyAt = async (url: string) => (await reasonsAt(url)).length === 0;

const isQueued = async ({ db }: Stores, address: string) => {
  const { rows } = await sql`
    select from app.submission where ingestion_id = ${address.split('/').at(-1)}`.execute(db);
  return rows.length === 1;
};

/** Much sooner than the end of a push that nobody processes. */
const SOON_MS = 30_000;

/** The same receipt at a service that listens elsewhere. */
const receiptAddressAt = (url: string, address: string): string =>
  `${url}${new URL(address).pathname}`;

const isWhole = (settings: Settings): Promise<void> =>
  withCommands(settings, async (commands) => {
    assert.equal((await commands.rebuild('compare')).differences, []);
  });

const ahead = suite<HeldStores>('tables ahead of the log');

ahead.before((held) => holdStores(held));
ahead.after(({ stop }) => stop());

ahead('a place that the log holds is no false alarm', async ({ stores: { log, logAddress } }) => {
  const stream = `key-${randomUUID()}`;
  const id = randomUUID();
  const revoked = { id, event: { type: 'ApiKeyRevoked', data: { keyId: 'one' } } };
  const appended = await log.append(stream, 'no-stream', [revoked], context);
  if (appended.kind !== 'appended') throw new Error('not appended');
  const lastApplied = { stream, revision: 0n, id };
  const { position } = appended;
  const isAhead = (place: Partial<Parameters<typeof isAheadOfLog>[1]>) =>
    isAheadOfLog(log, { position, lastApplied, ...place });

  assert.is(await isAhead({}), false);
  assert.is(await isAhead({ position: -1n, lastApplied: null }), false, 'nothing applied yet');
  assert.is(await isAhead({ position: position + 1n }), true, 'behind the end');
  assert.is(await isAhead({ lastApplied: { ...lastApplied, revision: 1n } }), true, 'lost');
  assert.is(await isAhead({ lastApplied: { ...lastApplied, id: randomUUID() } }), true, 'other');

  // Positions move over events of others and have gaps: both are behind our last event.
  const client = EventStoreDBClient.connectionString(logAddress.connectionString);
  await client.appendToStream('invoice-7', [
    jsonEvent({ type: 'InvoiceSent', data: {} }),
    jsonEvent({ type: 'InvoiceSent', data: {} }),
  ]);
  await client.dispose();
  const end = await log.end();
  assert.ok(end > position + 1n && (await log.head()) === position);
  assert.is(await isAhead({ position: end }), false, 'of another');
  assert.is(await isAhead({ position: position + 1n }), false, 'between two events');
  assert.is(await isAhead({ position: end + 1n }), true);

  // The leader may show an event later than the node that is followed.
  const later = randomUUID();
  const looking = isAhead({ lastApplied: { stream, revision: 1n, id: later } });
  const next = { ...revoked, id: later };
  assert.is((await log.append(stream, 0n, [next], context)).kind, 'appended');
  assert.is(await looking, false, 'held a moment later');
});

ahead('events of others move the checkpoint behind our last one, and all is well', (held) =>
  whileServing(held.settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    await withCommands(held.settings, (commands) => newPractice(commands));
    const client = EventStoreDBClient.connectionString(held.stores.logAddress.connectionString);
    const sent = Array.from({ length: 1_500 }, () => jsonEvent({ type: 'InvoiceSent', data: {} }));
    await client.appendToStream('invoice-8', sent);
    await client.dispose();
    const head = await held.stores.log.head();
    await eventually('the checkpoint is behind our last event', async () => {
      const checkpoint = await loadCheckpoint(held.stores.db);
      return checkpoint !== null && checkpoint.position > head;
    });
    assert.equal(await reasonsAt(url), []);
    assert.is(seriesValue(await metricsAt(url), 'registry_projection_ahead_of_log'), 0);
  }),
);

ahead('a log that was lost in part is refused until the tables are rebuilt', async (held) => {
  const { settings } = held;
  let token = '';
  let address = '';
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    await withCommands(settings, async (commands) => {
      ({ token } = await newPractice(commands));
    });
    await push(url, token, birthBundle({ chartNumber: 'kept' }));
    await push(url, token, birthBundle({ chartNumber: 'lost' }));
  });
  // A submission that waits, as one that was taken just before.
  await whileServing({ ...settings, role: 'api' }, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    address = await pushAddress(url, token, birthBundle({ chartNumber: 'waiting' }));
  });
  await whileServing({ ...settings, role: 'projector' }, async (url) => {
    await eventually('ready', () => isReadyAt(url));
  });
  assert.ok(await isQueued(held.stores, address));
  await loseLastEvents(held, 3);

  const refused = async (url: string) => {
    await eventually('refused', () => saysAhead(url));
    assert.is((await post(url, token, birthBundle({ chartNumber: 'next' }))).status, 503);
  };
  for (const role of ['api', 'all'] as const) await whileServing({ ...settings, role }, refused);
  assert.ok(await isQueued(held.stores, address), 'what waits is left as it is');
  await withCommands(settings, async ({ lists, checkpoint }) => {
    for (const command of [() => lists.practices(''), checkpoint]) {
      const refusal = await command().then(
        () => null,
        (error: unknown) => error,
      );
      assert.match(formatFault(refusal), /^The read tables hold events .*`birth-registry rebuild`/);
    }
  });

  const command = { kind: 'operator', id: 'test' } as const;
  const append = held.stores.log.append(
    `key-${randomUUID()}`,
    'no-stream',
    [{ id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: 'one' } } }],
    { ...context, actor: command },
  );
  assert.is(
    await append.then(
      () => 'appended',
      (error: Error) => error.name,
    ),
    'EventLogUnconfirmed',
    'no command appends to it',
  );

  await withCommands(settings, async (commands) => {
    const { differences } = await commands.rebuild('swap');
    const lost = new Set(differences.map(({ table }) => table));
    assert.ok(lost.has('ingestion'), 'what is lost is named');
  });
  // Nobody appends anything else: the practice had written up to a position that is lost.
  await whileServing(settings, async (url) => {
    await eventually('it goes on by itself', () => isReadyAt(url));
    const sent = await pushAddress(url, token, birthBundle({ chartNumber: 'next' }));
    assert.is((await receiptAt(sent, token, SOON_MS)).status, 'completed');
    assert.is(
      (await receiptAt(receiptAddressAt(url, address), token, SOON_MS)).status,
      'completed',
    );
    await isWhole(settings);
  });
});

ahead(
  'a log that has grown again is still another one, and the tables are rebuilt',
  async (held) => {
    const { settings } = held;
    let token = '';
    await whileServing(settings, async (url) => {
      await eventually('ready', () => isReadyAt(url));
      await withCommands(settings, async (commands) => {
        ({ token } = await newPractice(commands));
      });
      for (const chartNumber of ['kept', 'lost', 'lost too'])
        await push(url, token, birthBundle({ chartNumber, mother: { family: chartNumber } }));
    });
    const before = await loadCheckpoint(held.stores.db);
    await loseLastEvents(held, 3);
    // As an earlier version went on; no event of the log is at the position of the tables then.
    const earlier = connectEventLog(held.stores.logAddress);
    const events = Array.from({ length: 20 }, (_, turn) => ({
      id: randomUUID(),
      event: { type: 'ApiKeyRevoked', data: { keyId: `key ${'x'.repeat(turn)}` } },
    }));
    await earlier.append(`key-${randomUUID()}`, 'no-stream', events, context);
    await earlier.close();
    assert.ok((await held.stores.log.end()) > (before?.position ?? 0n));
    await whileServing(settings, async (url) => {
      await eventually('refused', () => saysAhead(url));
      await withCommands(settings, (commands) => commands.rebuild('swap'));
      await eventually('it goes on by itself', () => isReadyAt(url));
      const address = await pushAddress(url, token, birthBundle({ chartNumber: 'next' }));
      assert.is((await receiptAt(address, token, SOON_MS)).status, 'completed');
      await isWhole(settings);
    });
  },
);

ahead('events of others that were replaced are no obstacle', async (held) => {
  const { settings } = held;
  const client = EventStoreDBClient.connectionString(held.stores.logAddress.connectionString);
  const send = (order: string) =>
    client.appendToStream(
      'invoice-9',
      Array.from({ length: 1_000 }, () => jsonEvent({ type: 'InvoiceSent', data: { order } })),
    );
  let practice = { token: '', keyId: '' };
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    practice = await withCommands(settings, (commands) => newPractice(commands));
    await push(url, practice.token, birthBundle({ chartNumber: 'kept' }));
    await send('a');
    const end = await held.stores.log.end();
    await eventually('the checkpoint is among them', async () => {
      const checkpoint = await loadCheckpoint(held.stores.db);
      const { position, lastApplied } = checkpoint ?? {};
      const last = lastApplied && (await held.stores.log.positionOf(lastApplied));
      return position !== undefined && position > (last ?? end) && position <= end;
    });
  });
  // As a copy of the log in which other programs have continued otherwise.
  await loseEvents(held, sql`stream = 'invoice-9'`);
  const foreign = jsonEvent({ type: 'OrderPlaced', data: {} });
  await eventually('the node is there again', () =>
    client.appendToStream(`key-${practice.keyId}`, foreign).then(
      () => true,
      () => false,
    ),
  );
  await send('another one');
  await client.dispose();
  const before = await findTables(held.stores.db);
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    const address = await pushAddress(url, practice.token, birthBundle({ chartNumber: 'next' }));
    assert.is((await receiptAt(address, practice.token, SOON_MS)).status, 'completed');
    await isWhole(settings);
  });
  assert.is(await findTables(held.stores.db), before, 'the tables were not built again');
});

ahead('it is noticed while the service runs', async ({ settings, stores: { db } }) => {
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    await withCommands(settings, async (commands) => {
      const { token } = await newPractice(commands);
      await push(url, token, birthBundle({ chartNumber: 'before' }));
      await sql`update read.checkpoint set position = position + 100000`.execute(db);
      // On a busy machine, a look at the log may not end in time.
      await eventually('noticed', () => saysAhead(url));
      let text = '';
      await eventually('counted', async () => {
        text = await metricsAt(url);
        return seriesValue(text, 'registry_projection_ahead_of_log') === 1;
      });
      assert.is(seriesValue(text, 'registry_ready'), 0);
      assert.not.match(text, /^registry_projection_lag_seconds /m, 'nothing is known of the lag');

      // What comes nevertheless is not lost: it is in the log, and in the tables when they are made again.
      const answer = await post(url, token, birthBundle({ chartNumber: 'meanwhile' }));
      assert.is(answer.status, 202);
      await eventually('noticed still', () => saysAhead(url));
      await commands.rebuild('swap');
      await eventually('it goes on by itself', () => isReadyAt(url));
      const address = receiptAddress(answer);
      assert.is((await receiptAt(address, token)).status, 'completed');
      assert.equal((await commands.rebuild('compare')).differences, []);
    });
  });
});

ahead('verify tells of a record whose last event is lost', async (held) => {
  const { settings } = held;
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    await withCommands(settings, async (commands) => {
      const { token } = await newPractice(commands);
      const birth = { chartNumber: 'amended' };
      await push(url, token, birthBundle(birth));
      await push(url, token, birthBundle({ ...birth, lastUpdated: '2026-03-15T10:00:00Z' }));
      const { problems, tablesCompared } = await commands.verify();
      assert.is(tablesCompared, true);
      assert.not(problems.some(({ problem }) => problem.includes('read tables')));
    });
  });
  // The amendment, and what the ingestion says of it.
  await loseLastEvents(held, 4);
  await withCommands(settings, async ({ verify }) => {
    const { problems, tablesCompared } = await verify();
    assert.is(tablesCompared, true);
    const told = problems.filter(({ problem }) => problem.includes('read tables'));
    assert.equal(
      told.map(({ stream, problem }) => [stream.split('-')[0], problem]),
      [
        [
          '$all',
          'Events are missing: the read tables are ahead of the log. Restore the log from a backup, or run `rebuild` if this log is the right one.',
        ],
        [
          'record',
          'Events are missing: the read tables hold revision 1 of the stream, which ends with 0. Restore the log from a backup.',
        ],
      ],
    );
  });
});

ahead.run();
