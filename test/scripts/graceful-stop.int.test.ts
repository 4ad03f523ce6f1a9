import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Service, startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { ready, spawnService } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import {
  newPractice,
  post,
  receiptAt,
  startTestStores,
  type TestStores,
  testEnvironment,
  testSettings,
} from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

const graceful = suite<{ stores: TestStores; again: Service }>('a stop');

const directory = temporaryDirectory('graceful');
graceful.before(async (context) => {
  context.stores = await startTestStores('registry');
});
graceful.after(async ({ stores }) => {
  await stores.stop();
  directory.remove();
});

const WITHIN_MS = 60_000;
/** Six times what the service promises, for a busy machine. */
const STOPPED_MS = 60_000;

/** The service as `npm start` runs it. */
const serve = async (
  environment: Readonly<Record<string, string>>,
  port: number,
): Promise<ChildProcess> => {
  const env = { ...process.env, ...environment };
  const child = spawnService(env, 'ignore');
  await ready(`http://127.0.0.1:${port}`, child);
  return child;
};

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** A request that has sent all of its body but the last byte. */
const slowPost = async (port: number, token: string, body: string) => {
  const sending = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/registry/fhir/Bundle',
    headers: {
      'Content-Type': 'application/fhir+json',
      Authorization: `Bearer ${token}`,
      'Content-Length': Buffer.byteLength(body),
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await new Promise<void>((sent) => {
    sending.write(body.slice(0, -1), () => sent());
  });
  return {
    async finish(): Promise<IncomingMessage> {
      sending.end(body.slice(-1));
      const [response] = await answered;
      return response;
    },
  };
};

/** Keeps no connection. */
const askOnce = (address: string, token: string): Promise<Response> =>
  fetch(address, { headers: { Authorization: `Bearer ${token}`, Connection: 'close' } });

/** A connection whose request never gets to its end. */
const stuckRequest = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise<void>((sent) => {
    socket.write('POST /sign-in HTTP/1.1\r\nHost: registry\r\nContent-Length: 900\r\n\r\nem', () =>
      sent(),
    );
  });
  return socket;
};

graceful(
  'by SIGTERM: readiness says no, a slow request gets its answer, all is over in ten seconds',
  async (context) => {
    const port = await freePort();
    const environment = testEnvironment(directory.path, {
      ...context.stores.environment,
      PORT: String(port),
    });
    const settings = readSettings(environment);
    const child = await serve(environment, port);
    const ended = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    const commands = await openCommands(settings, openServiceLog('silent'));
    const { token } = await newPractice(commands);
    await commands.close();

    // Work in the queue, a connection kept alive, one that hangs in its request, and a slow upload.
    const batch = batchOf(
      Array.from({ length: 300 }, (_, index) => birthBundle({ chartNumber: `B-${index}` })),
    );
    const queued = await post(url, token, batch);
    assert.is(queued.status, 202);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [kept] = (await once(get(`${url}/health/live`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    await textOf(kept);
    // One more that would stay without a request for longer than a stop may take.
    const idle = connect(port, '127.0.0.1');
    idle.write('GET /health/live HTTP/1.1\r\nHost: registry\r\n\r\n');
    await once(idle, 'data');
    const idleEnded = once(idle, 'close');
    const stuck = await stuckRequest(port);
    const slow = await slowPost(port, token, JSON.stringify(birthBundle({ chartNumber: 'S-1' })));

    const late = AbortSignal.timeout(STOPPED_MS);
    child.kill('SIGTERM');
    await eventually(
      'readiness says no',
      async () => (await statusOf(`${url}/health/ready`)) === 503,
      WITHIN_MS,
    );
    const no = await fetch(`${url}/health/ready`);
    assert.is(no.status, 503);
    assert.is(no.headers.get('connection'), 'close');
    const { reasons } = (await no.json()) as { reasons: readonly { readonly code: string }[] };
    assert.equal(
      reasons.map(({ code }) => code),
      ['stopping'],
    );
    // The next request on a connection that was kept was on its way, for all the server knows.
    const next = get(`${url}/health/live`, { agent });
    const [taken] = (await once(next, 'response')) as [IncomingMessage];
    assert.is(taken.statusCode, 200);
    assert.ok(next.reusedSocket);
    await textOf(taken);
    const answer = await slow.finish();
    assert.is(answer.statusCode, 202);
    const { socket } = answer;
    await textOf(answer);
    // Its connection is not kept, whether the answer said so or not.
    if (!socket.destroyed) await once(socket, 'close');
    const [code] = await ended;
    assert.is(code, 0);
    assert.not(late.aborted, `took longer than ${STOPPED_MS} ms`);
    assert.is(await statusOf(`${url}/health/live`), 0);
    await idleEnded;
    stuck.destroy();
    agent.destroy();

    // Nothing that was taken is lost.
    const again = await startService(settings, openServiceLog('silent'));
    await again.started;
    for (const address of [
      queued.headers.get('content-location'),
      answer.headers['content-location'],
    ])
      assert.is((await receiptAt(address ?? '', token, WITHIN_MS, askOnce)).status, 'completed');
    context.again = again;
  },
);

graceful(
  'that comes late in a start ends connections with an answer, not without one',
  async () => {
    const stores = await startTestStores('registry');
    const data = temporaryDirectory('graceful-start');
    const settings = testSettings(data.path, stores.environment);
    const silent = openServiceLog('silent');

    // The start waits for its tables when the stop comes, and goes on to its end behind it.
    const holder = new pg.Client({ connectionString: stores.environment['DATABASE_URL'] });
    await holder.connect();
    await holder.query('begin; lock table read.checkpoint in access exclusive mode');
    const service = await startService(settings, silent);
    await eventually(
      'it waits for its tables',
      async () => {
        const { rowCount } = await holder.query(
          `select from pg_locks where not granted and relation = 'read.checkpoint'::regclass`,
        );
        return rowCount !== 0;
      },
      WITHIN_MS,
    );
    const stopped = service.stop('gently');
    await holder.query('rollback');
    await holder.end();
    await service.started;
    const answers: (string | null)[] = [];
    for (;;) {
      const answer = await fetch(`${service.url}/health/live`).catch(() => null);
      if (answer === null) break;
      await answer.arrayBuffer();
      answers.push(answer.headers.get('connection'));
    }
    assert.equal([...new Set(answers)], ['close']);
    await stopped;
    await stores.stop();
    data.remove();
  },
);

graceful('with nobody connected it stops, and answers nobody', async ({ again }) => {
  await again.stop();
  assert.is(await statusOf(`${again.url}/health/live`), 0);
});

graceful.run();
