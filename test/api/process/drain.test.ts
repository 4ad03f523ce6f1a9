import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { drain } from '../../../api/process/drain.ts';
import { measureMs } from '../../harness/real-time.ts';

const draining = suite('a server that stops');

/** An hour: whoever waits for it is not done before the test run is. */
const NEVER_MS = 3_600_000;

const withServer = async (use: (server: Server, port: number) => Promise<void>): Promise<void> => {
  // It answers nobody.
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(server, (server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

draining('waits for nobody where nobody is connected', () =>
  withServer(async (server) => {
    await drain(server, { openMs: 0, answerMs: NEVER_MS });
    assert.not(server.listening);
  }),
);

draining('cuts off what is not answered in time', () =>
  withServer(async (server, port) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const asked = once(server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    const ended = once(socket, 'close');
    const tookMs = await measureMs(() => drain(server, { openMs: 0, answerMs: 100 }));
    assert.ok(tookMs >= 99);
    await ended;
  }),
);

draining.run();
