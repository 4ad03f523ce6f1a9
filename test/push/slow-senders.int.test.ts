import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_CONCURRENT_REQUESTS, MAX_WAITING_REQUESTS } from '../../api/http/limit-pipelining.ts';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';
import { within } from '../harness/eventually.ts';
import { signInVisitor, startTestAccounts, type TestAccounts } from '../harness/pages.ts';
import { measureMs, passTime } from '../harness/real-time.ts';
import { newPractice, post, startTestService, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';
import { BIRTH_COLUMNS, birthRow, csvOf } from '../support/imports.ts';

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
const keep = async (
  url: string,
  text: string,
  more: string,
  prepare: (socket: Socket) => void = () => undefined,
): Promise<Kept> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  prepare(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const drip = setInterval(() => void socket.write(more), 100);
  socket.on('error', () => undefined);
  try {
    const ms = await measureMs(() => {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(text);
      return within('the connection ends', closed, REQUEST_MS + GRACE_MS);
    });
    return { ms, received };
  } finally {
    clearInterval(drip);
    socket.destroy();
  }
};

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
    void passTime(REQUEST_MS + 3_000).then(() => socket.resume());
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
  await passTime(REQUEST_MS + 6_000);
  assert.match(await ask(), /^HTTP\/1\.1 200 /);
  socket.destroy();
});

slow.run();

const memory = suite<TestAccounts>('memory that slow senders were given');

memory.before(async (context) => {
  Object.assign(context, await startTestAccounts());
});
memory.after(({ service }) => service.stop());

/** As many as fill the half of the memory that a practice may have. */
const EACH = 3;
const LENGTH = `Content-Length: ${MAX_BODY_BYTES}\r\n`;
const BOUNDARY = 'multipart/form-data; boundary=line';
const formOf = (csrf: string, file: string): string =>
  `--line\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${csrf}\r\n` +
  `--line\r\nContent-Disposition: form-data; name="file"; filename="births.csv"\r\n\r\n${file}`;

/** Sends the beginning of a request, and nothing more. */
const begin = (url: string, text: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text, () => resolve(socket));
    });
  });

memory('is there for the bodies and files of another practice', async ({ service, members }) => {
  const { url, commands } = service;
  const visitor = await signInVisitor(url, members.Scribe);
  const csrf = await visitor.csrfToken('/registry/import');
  const cookie = `Cookie: ${visitor.cookie()}\r\n`;
  const busy = await newPractice(commands);
  const push = `POST ${BUNDLE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${busy.token}\r\n`;
  const upload = `POST /registry/import HTTP/1.1\r\nHost: x\r\n${cookie}Content-Type: ${BOUNDARY}\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: EACH }, () => [
      begin(url, `${push}${LENGTH}\r\n${' '.repeat(300_000)}`),
      begin(url, `${upload}${LENGTH}\r\n${formOf(csrf, 'a,b')}`),
    ]).flat(),
  );
  try {
    const other = await newPractice(commands);
    const longest = JSON.stringify(birthBundle()).padEnd(MAX_BODY_BYTES);
    assert.is((await post(url, other.token, longest)).status, 202);
    assert.is((await post(url, busy.token, longest)).status, 202, 'of their own practice, too');
    const checked = await fetch(`${url}/registry/import`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': BOUNDARY, Cookie: visitor.cookie() },
      body: `${formOf(csrf, csvOf(BIRTH_COLUMNS, [birthRow('S-1', 'Amaral')]))}\r\n--line--\r\n`,
    });
    assert.is(checked.status, 303);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

memory.run();
