import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  limitPipelining,
  MAX_CONCURRENT_REQUESTS,
  MAX_PIPELINED,
  MAX_WAITING_REQUESTS,
} from '../../../api/http/limit-pipelining.ts';
import { eventually } from '../../harness/eventually.ts';

const turns = suite<{ server: Server; begun: Begun[]; created: { count: number } }>(
  'requests in a row',
);

interface Begun {
  readonly url: string;
  readonly res: ServerResponse;
}

turns.before.each(async (context) => {
  context.begun = [];
  context.created = { count: 0 };
  const answer = limitPipelining((req, res) => context.begun.push({ url: req.url ?? '', res }));
  context.server = createServer((req, res) => {
    context.created.count += 1;
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(context.server, 'listening');
});
turns.after.each(({ server }) => {
  server.closeAllConnections();
  server.close();
});

const IN_A_ROW = MAX_CONCURRENT_REQUESTS + MAX_WAITING_REQUESTS;

/** Sends many requests in one piece. */
const sendAll = (server: Server, requests = IN_A_ROW): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const text = Array.from({ length: requests }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
  socket.write(text.join(''));
  return socket;
};

const until = (isSo: () => boolean): Promise<void> => eventually('the requests come to that', isSo);

turns(
  'few of a connection are under way at once, and all are answered in order',
  async (context) => {
    const { server, begun } = context;
    const socket = sendAll(server);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    await until(() => begun.length >= MAX_CONCURRENT_REQUESTS);
    for (let answered = 0; answered < IN_A_ROW; answered += 1) {
      await until(() => begun.length > answered);
      assert.ok(
        begun.length <= answered + MAX_CONCURRENT_REQUESTS,
        `${begun.length} after ${answered}`,
      );
      begun[answered]?.res.end(`<${begun[answered]?.url}>`);
    }
    await until(() => received.includes(`</${IN_A_ROW - 1}>`));
    assert.equal(
      [...received.matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n)),
      Array.from({ length: IN_A_ROW }, (_, n) => n),
    );
    socket.destroy();
  },
);

turns(
  'what waits is dropped with its connection; others have lines of their own',
  async (context) => {
    const { server, begun } = context;
    const gone = sendAll(server);
    await until(() => begun.length === MAX_CONCURRENT_REQUESTS);
    const [first] = begun;
    gone.destroy();
    await until(() => first?.res.destroyed === true || first?.res.closed === true);
    for (const { res } of begun.splice(0)) res.end();
    const other = sendAll(server);
    await until(() => begun.length === MAX_CONCURRENT_REQUESTS);
    assert.equal(
      begun.map(({ url }) => url),
      Array.from({ length: MAX_CONCURRENT_REQUESTS }, (_, n) => `/${n}`),
    );
    other.destroy();
  },
);

turns('one more than may wait closes the connection', async ({ server, begun }) => {
  const socket = sendAll(server);
  await until(() => begun.length === MAX_CONCURRENT_REQUESTS);
  socket.on('error', () => undefined);
  socket.resume();
  socket.write('GET /more HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  assert.is(begun.length, MAX_CONCURRENT_REQUESTS);
});

turns('of what comes in one piece and is too much, nothing is begun', async (context) => {
  const { server, begun, created } = context;
  const socket = sendAll(server, 1_000);
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
  assert.is(begun.length, 0);
  // The rest of the piece is not even read as requests.
  assert.is(created.count, IN_A_ROW + 1);
});

turns(
  'many connections together have a bound, and none that waits for its answers meets it',
  async ({ server, begun }) => {
    const room = Math.floor(MAX_PIPELINED / (IN_A_ROW - 1));
    const sockets = Array.from({ length: room + 1 }, () => sendAll(server));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await until(() => sockets.some((socket) => socket.closed));
    await until(() => begun.length >= room * MAX_CONCURRENT_REQUESTS);
    const polite = sendAll(server, 1);
    await until(() => begun.length > room * MAX_CONCURRENT_REQUESTS);
    polite.destroy();

    for (const socket of sockets) socket.destroy();
    await until(() => sockets.every((socket) => socket.closed));
    begun.length = 0;
    // The room of those that are gone is there again.
    const again = Array.from({ length: room }, () => sendAll(server));
    await until(() => begun.length === room * MAX_CONCURRENT_REQUESTS);
    for (const socket of again) socket.destroy();
  },
);

turns.run();
