import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTurns, MOST_AT_ONCE } from '../../../api/http/in-turns.ts';

const turns = suite<{ server: Server; begun: Begun[] }>('requests in a row');

interface Begun {
  readonly url: string;
  readonly res: ServerResponse;
}

turns.before.each(async (context) => {
  context.begun = [];
  context.server = createServer(
    inTurns((req, res) => context.begun.push({ url: req.url ?? '', res })),
  ).listen(0, '127.0.0.1');
  await once(context.server, 'listening');
});
turns.after.each(({ server }) => {
  server.closeAllConnections();
  server.close();
});

const IN_A_ROW = 100;

/** Sends many requests in one piece. */
const sendAll = (server: Server): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const text = Array.from({ length: IN_A_ROW }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
  socket.write(text.join(''));
  return socket;
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
};

turns(
  'few of a connection are under way at once, and all are answered in order',
  async (context) => {
    const { server, begun } = context;
    const socket = sendAll(server);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    await until(() => begun.length >= MOST_AT_ONCE);
    for (let answered = 0; answered < IN_A_ROW; answered += 1) {
      await until(() => begun.length > answered);
      assert.ok(begun.length <= answered + MOST_AT_ONCE, `${begun.length} after ${answered}`);
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
    await until(() => begun.length === MOST_AT_ONCE);
    const [first] = begun;
    gone.destroy();
    await until(() => first?.res.destroyed === true || first?.res.closed === true);
    for (const { res } of begun.splice(0)) res.end();
    const other = sendAll(server);
    await until(() => begun.length === MOST_AT_ONCE);
    assert.equal(
      begun.map(({ url }) => url),
      Array.from({ length: MOST_AT_ONCE }, (_, n) => `/${n}`),
    );
    other.destroy();
  },
);

turns.run();
