import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { nanoid } from 'nanoid';
import pg from 'pg';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { addAuthorizationHeader } from '../../adapters/package-internals/event-store-client/create-log-client.ts';
import { throwAwayCluster } from '../harness/measured-service.ts';
import { median } from './quantile.ts';

// What the embedded node costs: appends and reads through the official client, beside the same
// rows inserted straight into the same Postgres, on a throw-away directory and the loopback.

const ROUNDS = 5;
const SEQUENTIAL = 500;
const CONCURRENT = 6_000;
const IN_FLIGHT = 64;
const CONNECTIONS = 16;
const READ = 15_000;
const MIN_RATIO = 0.6;

type Append = (n: number) => Promise<unknown>;

const perSecond = async (count: number, run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return count / ((performance.now() - startedAt) / 1_000);
};

const inFlight = (count: number, workers: number, append: Append): Promise<number> =>
  perSecond(count, async () => {
    let next = 0;
    const work = async () => {
      for (let n = next; n < count; n = next) {
        next += 1;
        await append(n);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  });

// About 250 bytes, as an ingestion's events are.
const payload = () => ({ ingestion: nanoid(), outcome: 'recorded', note: 'x'.repeat(180) });

const createTable = `
create table bench_event (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  is_json boolean not null,
  data bytea not null,
  meta bytea not null,
  created bigint not null,
  unique (stream, revision)
)`;

let lastPosition = 0;
const insertRow = (client: pg.Client): Promise<unknown> => {
  lastPosition += 100;
  return client.query({
    name: 'insert',
    text: 'insert into bench_event values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [
      lastPosition,
      `bench-${nanoid()}`,
      0,
      randomUUID(),
      'Benched',
      true,
      Buffer.from(JSON.stringify(payload())),
      Buffer.alloc(0),
      String(BigInt(Date.now()) * 10_000n),
    ],
  });
};

const measure = async (databaseUrl: string, directory: string) => {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = new pg.Client({ connectionString: databaseUrl });
      await connection.connect();
      await connection.query('set synchronous_commit = on');
      return connection;
    }),
  );
  const idle = [...connections];
  const insert: Append = async () => {
    const connection = idle.pop();
    if (connection === undefined) throw new Error('More inserts than connections');
    await insertRow(connection);
    idle.push(connection);
  };
  await connections[0]?.query(createTable);

  const store = await hostEventStore({ databaseUrl, dataDir: directory, hostKind: 'service' });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  addAuthorizationHeader(client, store.authorization);
  const append: Append = () =>
    client.appendToStream(
      `bench-${nanoid()}`,
      jsonEvent({ id: randomUUID(), type: 'Benched', data: payload() }),
      { expectedRevision: NO_STREAM },
    );
  const readAll = async () => {
    let count = 0;
    for await (const _event of client.readAll({ maxCount: READ })) count += 1;
    if (count !== READ) throw new Error(`Read ${count} of ${READ} events`);
  };
  const catchUp = () =>
    new Promise<void>((resolve, reject) => {
      let count = 0;
      const subscription = client.subscribeToAll({ fromPosition: START });
      subscription.on('error', reject);
      subscription.on('data', () => {
        count += 1;
        if (count === READ) subscription.unsubscribe().then(resolve, reject);
      });
    });

  try {
    await inFlight(READ, IN_FLIGHT, append); // Warm, and enough to read.
    await inFlight(CONCURRENT, CONNECTIONS, insert);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        append1: await inFlight(SEQUENTIAL, 1, append),
        insert1: await inFlight(SEQUENTIAL, 1, insert),
        append64: await inFlight(CONCURRENT, IN_FLIGHT, append),
        insert16: await inFlight(CONCURRENT, CONNECTIONS, insert),
        readAll: await perSecond(READ, readAll),
        catchUp: await perSecond(READ, catchUp),
      });
    }
    return rounds;
  } finally {
    await client.dispose();
    await store.stop();
    await Promise.all(connections.map((connection) => connection.end()));
  }
};

const directory = await throwAwayCluster();
const postgres = await hostPostgres({ dataDir: directory.path });
try {
  const rounds = await measure(postgres.url, directory.path);
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const result = {
    append1: Math.round(middle(({ append1 }) => append1)),
    insert1: Math.round(middle(({ insert1 }) => insert1)),
    ratio1: Number(middle(({ append1, insert1 }) => append1 / insert1).toFixed(2)),
    append64: Math.round(middle(({ append64 }) => append64)),
    insert16: Math.round(middle(({ insert16 }) => insert16)),
    ratio64: Number(middle(({ append64, insert16 }) => append64 / insert16).toFixed(2)),
    readAll: Math.round(middle(({ readAll }) => readAll)),
    catchUp: Math.round(middle(({ catchUp }) => catchUp)),
  };
  console.log(`Events per second, medians of ${ROUNDS} rounds`);
  console.table({
    'one at a time': { client: result.append1, straight: result.insert1, ratio: result.ratio1 },
    [`${IN_FLIGHT} in flight; ${CONNECTIONS} connections`]: {
      client: result.append64,
      straight: result.insert16,
      ratio: result.ratio64,
    },
    'read all': { client: result.readAll },
    'catch up': { client: result.catchUp },
  });
  console.log(JSON.stringify(result));
  if (result.ratio64 < MIN_RATIO) {
    console.error(`Below ${MIN_RATIO} of straight single-row inserts`);
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  await directory.remove();
}
