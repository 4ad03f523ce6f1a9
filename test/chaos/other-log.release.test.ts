import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreNode, openNode } from '../../adapters/embedded-eventstore/node.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { eventually } from '../harness/eventually.ts';
import { type Relay, relayTo } from '../harness/ports.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import {
  newPractice,
  poll,
  post,
  pushAddress,
  receiptAddress,
  receiptAt,
  type TestPractice,
  testSettings,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

/** Node of its own for each database of a log. */
interface OwnLog {
  readonly databaseUrl: string;
  readonly node: EventStoreNode;
  readonly port: number;
}

const openLog = async (databaseUrl: string): Promise<OwnLog> => {
  const options = { databaseUrl, hostKind: 'service', authorization: null } as const;
  const node = await openNode({ ...options, onLog: () => undefined });
  if (node === null) throw new Error('Another node holds the log.');
  return { databaseUrl, node, port: await node.listen(0) };
};

const withClient = async <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return work(client).finally(() => client.end());
};

/** A log without events, in a database of its own next to another. */
const openEmptyLog = async (beside: string): Promise<OwnLog> => {
  const name = `log_${randomUUID().replaceAll('-', '')}`;
  await withClient(beside, (client) => client.query(`create database ${name}`));
  const url = new URL(beside);
  url.pathname = name;
  return openLog(url.href);
};

const COLUMNS = 'position, stream, revision, id, type, is_json, data, meta, created';

/** A copy of a log as of now, while it is written to. */
const copyLog = async (log: OwnLog): Promise<OwnLog> => {
  const copy = await openEmptyLog(log.databaseUrl);
  await copy.node.stop();
  const rows = await withClient(log.databaseUrl, async (client) => {
    const text = `select ${COLUMNS} from eventstore.event order by position`;
    return (await client.query({ text, rowMode: 'array' })).rows as unknown[][];
  });
  await withClient(copy.databaseUrl, async (client) => {
    await client.query('begin');
    for (const row of rows)
      await client.query(
        `insert into eventstore.event (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        row,
      );
    await client.query('commit');
  });
  return openLog(copy.databaseUrl);
};

const countEvents = ({ databaseUrl }: OwnLog): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select count(*)::int as events from eventstore.event');
    return rows[0]?.events;
  });

interface Context {
  service: Service;
  commands: OperatorCommands;
  practices: readonly TestPractice[];
  relay: Relay;
  right: OwnLog;
  stop: () => Promise<void>;
}

const other = suite<Context>('a service and a log that is not its own');
const silent = openServiceLog('silent');

other.before(async (context) => {
  const [tables, logs] = [await startTestPostgres(), await startTestPostgres()];
  const right = await openLog(logs.url);
  const relay = await relayTo(right.port);
  const settings = testSettings(tables.directory, {
    DATABASE_URL: tables.url,
    EVENTSTORE_URL: `esdb://127.0.0.1:${relay.port}?tls=false`,
    REGISTRY_SECRET: randomUUID(),
    CHECKPOINT_SECONDS: '1',
  });
  const service = await startService(settings, silent);
  await service.started;
  await eventually('ready', async () => (await readinessAt(service.url)).isReady);
  const commands = await openCommands(settings, silent);
  const practices = [await newPractice(commands), await newPractice(commands)];
  Object.assign(context, { service, commands, practices, relay, right });
  context.stop = async () => {
    await commands.close();
    await service.stop();
    await relay.close();
    await right.node.stop();
    await Promise.all([tables.stop(), logs.stop()]);
  };
});
other.after(({ stop }) => stop());

const readinessAt = async (url: string) => {
  const response = await fetch(`${url}/health/ready`);
  const { reasons } = (await response.json()) as {
    readonly reasons: readonly { readonly code: string }[];
  };
  return { isReady: response.status === 200, codes: reasons.map(({ code }) => code) };
};

interface Taken {
  readonly chart: string;
  readonly practice: TestPractice;
  readonly address: string;
}

/** So that the machine has time for everything else. */
const PAUSE_MS = 20;

/** Pushes births one after the other for each practice until stopped. */
const startLoad = ({ service, practices }: Context, name: string) => {
  const taken: Taken[] = [];
  let refused = 0;
  let isOver = false;
  const running = practices.map(async (practice, sender) => {
    for (let turn = 0; !isOver; turn += 1) {
      const chart = `${name}-${sender}-${turn}`;
      const bundle = birthBundle({ chartNumber: chart, mother: { family: `Load${chart}` } });
      const response = await post(service.url, practice.token, bundle);
      if (response.status === 202)
        taken.push({ chart, practice, address: receiptAddress(response) });
      else refused += 1;
      await response.arrayBuffer();
      await sleep(PAUSE_MS);
    }
  });
  return {
    taken: () => taken.length,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return { taken, refused };
    },
  };
};

/** The service does again all that it is for, and nothing in its stores is wrong. */
const worksAgain = async ({ service, commands, practices: [practice] }: Context) => {
  if (practice === undefined) throw new Error('There is no practice.');
  await eventually('ready', async () => (await readinessAt(service.url)).isReady);
  const bundle = birthBundle({ chartNumber: `after-${randomUUID()}` });
  const address = await pushAddress(service.url, practice.token, bundle);
  assert.is((await receiptAt(address, practice.token)).status, 'completed');
  await eventually('a proof', async () => {
    const answer = await poll(`${address}/proof`, practice.token);
    await answer.arrayBuffer();
    return answer.status === 200;
  });
  assert.equal((await commands.verify()).problems, []);
  assert.equal((await commands.rebuild('compare')).differences, []);
};

const AWAY_MS = 10_000;
const ANSWERED_MS = 60_000;
const LOST = { status: 'lost' } as const;
const LOAD_MS = 3_000;

for (const kind of ['older', 'empty'] as const)
  other(
    `under load on an ${kind} log for ten seconds, nothing taken is lost, nor anything appended to it`,
    async (context) => {
      const { service, commands, relay, right } = context;
      const load = startLoad(context, kind);
      await sleep(LOAD_MS);
      const wrong = await (kind === 'older' ? copyLog(right) : openEmptyLog(right.databaseUrl));
      const held = await countEvents(wrong);
      await sleep(LOAD_MS);
      relay.aim(wrong.port);
      const before = load.taken();
      const until = performance.now() + AWAY_MS;
      await eventually('readiness says it', async () =>
        (await readinessAt(service.url)).codes.includes('tables-ahead-of-log'),
      );
      await sleep(until - performance.now());
      const meanwhile = load.taken() - before;
      relay.aim(right.port);
      await sleep(LOAD_MS);
      const { taken, refused } = await load.stop();
      const appended = (await countEvents(wrong)) - held;

      let [lost, doubled] = [0, 0];
      const deadline = performance.now() + ANSWERED_MS;
      for (const { chart, practice, address } of taken) {
        const { status } = await receiptAt(
          address,
          practice.token,
          deadline - performance.now(),
        ).catch(() => LOST);
        const { events } = await commands.history(practice.practiceId, chart, null);
        if (status !== 'completed' || events.length === 0) lost += 1;
        if (events.length > 1) doubled += 1;
      }
      console.log(
        `${kind}: ${taken.length} taken, ${meanwhile} of them meanwhile, ${refused} refused; ${appended} events appended to the wrong log, ${lost} lost, ${doubled} doubled`,
      );
      assert.is(appended, 0);
      assert.is(lost + doubled, 0);
      assert.is(refused, 0);
      assert.ok(meanwhile > 0);
      await worksAgain(context);
      await wrong.node.stop();
    },
  );

other.run();
