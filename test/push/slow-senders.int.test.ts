import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_CONCURRENT_REQUESTS, MAX_WAITING_REQUESTS } from '../../api/http/limit-pipelining.ts';
import { newPractice, startTestService, type TestService } from '../harness/service.ts';
import { checkContract } from '../support/contract.ts';

const slow = suite<{ service: TestService; head: string }>('slow senders');

const HEADERS_MS = 1_000;
const REQUEST_MS = 2_000;
/** Node looks at its connections each second; the machine may be busy. */
const GRACE_MS = 60_000;

slow.before(async (context) => {
  const service = await startTestService({
    HEADERS_WITHIN_SECONDS: String(HEADERS_MS / 1_000),
    REQUEST_WITHIN_SECONDS: String(REQUEST_MS / 1_000),
  });
  const { token } = await newPractice(service.commands);
  context.service = service;
  context.head = `POST /api/registry/fhir/Bundle HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
});
slow.after(({ service }) => service.stop());

interface Kept {
  readonly ms: number;
  readonly received: string;
}

/** Sends something, then a little more now and then, until the service ends the connection. */
const keep = (
  url: string,
  text: string,
  more: string,
  prepare: (socket: Socket) => void = () => undefined,
): Promise<Kept> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    prepare(socket);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const drip = setInterval(() => void socket.write(more), 100);
    const giveUp = setTimeout(() => {
      clearInterval(drip);
      socket.destroy();
      reject(new Error('The connection was kept.'));
    }, REQUEST_MS + GRACE_MS);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      clearTimeout(giveUp);
      resolve({ ms: performance.now() - began, received });
    });
    socket.write(text);
  });

/** An answer as it came over the connection. */
const responseOf = (received: string): Response => {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((one) => one.split(/: (.*)/, 2) as [string, string]);
  return new Response(body, { status: Number(line.split(' ')[1]), headers });
};

const BUNDLE = '/api/registry/fhir/Bundle';

slow('headers that take too long are 408, and end', async ({ service, head }) => {
  const { ms, received } = await keep(service.url, `${head}X-Slow: `, 'y');
  const answer = responseOf(received);
  assert.is(answer.status, 408);
  await checkContract(BUNDLE, 'post', answer);
  assert.ok(ms >= HEADERS_MS * 0.9, `${ms} ms`);
});

slow('a body that takes too long is 408, and ends', async ({ service, head }) => {
  const { ms, received } = await keep(service.url, `${head}Content-Length: 100000\r\n\r\n`, ' ');
  const answer = responseOf(received);
  assert.is(answer.status, 408);
  // It was counted before its body was waited for.
  assert.is(answer.headers.get('x-ratelimit-limit'), '1000000');
  assert.ok(answer.headers.has('x-ratelimit-remaining'));
  await checkContract(BUNDLE, 'post', answer);
  assert.ok(ms >= REQUEST_MS * 0.9, `${ms} ms`);
});

slow('headers that are too long are 431', async ({ service, head }) => {
  const { received } = await keep(service.url, `${head}X: ${'x'.repeat(17_000)}`, '');
  const answer = responseOf(received);
  assert.is(answer.status, 431);
  await checkContract(BUNDLE, 'post', answer);
});

slow('an expectation that nobody knows is 417, and counted', async ({ service, head }) => {
  const more = 'Connection: close\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n';
  for (const text of [`${head}${more}`, `PUT ${BUNDLE} HTTP/1.1\r\nHost: x\r\n${more}`]) {
    const { received } = await keep(service.url, text, '');
    const answer = responseOf(received);
    assert.is(answer.status, 417);
    await checkContract(BUNDLE, 'post', answer);
  }
});

slow('a connection whose answers nobody reads ends', async ({ service }) => {
  // In one piece: half a request would be one that took too long. One more would close the connection.
  const one = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
  const asked = MAX_CONCURRENT_REQUESTS + MAX_WAITING_REQUESTS;
  const { received } = await keep(service.url, one.repeat(asked), '', (socket) => {
    socket.pause();
    // Only who reads sees the end: by now it has come, long before the answers have.
    setTimeout(() => socket.resume(), REQUEST_MS + 3_000).unref();
  });
  assert.ok(received.split('HTTP/1.1 200').length - 1 < asked, 'not all were answered');
});

slow('others are answered meanwhile', async ({ service, head }) => {
  const slowly = keep(service.url, `${head}Content-Length: 100000\r\n\r\n`, ' ');
  for (let turn = 0; turn < 20; turn += 1)
    assert.is((await fetch(`${service.url}/health/live`)).status, 200);
  await slowly;
});

slow('a connection that is idle for longer than a request may take is kept', async (context) => {
  const { port } = new URL(context.service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const ask = async (): Promise<string> => {
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString();
  };
  assert.match(await ask(), /^Keep-Alive: timeout=75\r$/m);
  // Also longer than the five seconds that Node would keep it by itself, and a second of grace.
  await sleep(REQUEST_MS + 6_000);
  assert.match(await ask(), /^HTTP\/1\.1 200 /);
  socket.destroy();
});

slow.run();
