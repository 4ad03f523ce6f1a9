import { randomBytes } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { readBody } from '../../api/push/read-body.ts';
import { createShares, estimateMemory } from '../../api/reading/shares.ts';
import { eventually } from '../harness/eventually.ts';
import { passTime } from '../harness/real-time.ts';

/** What was read of each request, in their order: bytes, or the status of the refusal. */
const outcomes: (Buffer | number)[] = [];
/** Whether the last one came as a whole. */
let wasWhole = false;
const ENOUGH = createShares({ total: Infinity, perOwner: Infinity });
const NONE = createShares({ total: 0, perOwner: 0, timeoutMs: 1 });
/** Memory for long bodies. */
let memory = ENOUGH;
/** Memory of what arrived of long bodies. */
let received = 0;
let wasRead: () => void = () => undefined;

const server = createServer(async (req: IncomingMessage, res) => {
  outcomes.push(
    await readWhole(req).catch((problem: unknown) => {
      if (problem instanceof RequestProblem) return problem.status;
      throw problem;
    }),
  );
  wasRead();
  res.end();
});

const readWhole = async (req: IncomingMessage): Promise<Buffer> => {
  const owner = String(req.headers['x-owner']);
  const body = await memory.run(owner, (_claim, receive) =>
    readBody(req, async (expected, onLost) => {
      const arrival = await receive(expected, onLost);
      const add = (amount: number): Promise<boolean> => {
        received += amount;
        return arrival.add(amount);
      };
      return { ...arrival, add };
    }),
  );
  wasWhole = Buffer.isBuffer(body);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.concat(body.pieces);
};

const reading = suite('reading a body');

reading.before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
reading.after(() => new Promise<void>((resolve) => server.close(() => resolve())));

const portOf = (): number => (server.address() as AddressInfo).port;

const send = (
  pieces: readonly Buffer[],
  headers: Readonly<Record<string, string | number>>,
  agent?: Agent,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const to = { port: portOf(), host: '127.0.0.1', method: 'POST', headers };
    const sent = request({ ...to, ...(agent === undefined ? {} : { agent }) }, (res) => {
      res.resume();
      res.once('end', resolve);
    });
    sent.once('error', reject);
    const next = (left: readonly Buffer[]): void => {
      const [piece, ...others] = left;
      if (piece === undefined) sent.end();
      else sent.write(piece, () => passTime(2).then(() => next(others)));
    };
    next(pieces);
  });

const assertRead = async (
  pieces: readonly Buffer[],
  headers: Readonly<Record<string, string | number>>,
  expected: Buffer | number,
): Promise<void> => {
  await send(pieces, headers);
  const read = outcomes.at(-1);
  if (typeof expected === 'number' || read === undefined) assert.is(read, expected);
  else assert.ok(Buffer.compare(Buffer.from(read as Buffer), expected) === 0);
};

const PIECES = [Buffer.from('{"a":'), Buffer.alloc(200_000, 'x'), Buffer.from('\u00e9}')];
const WHOLE = Buffer.concat(PIECES);
const GZIP = { 'Content-Encoding': 'gzip' };

reading('with its length announced, in one piece and in several', async () => {
  await assertRead([WHOLE], { 'Content-Length': WHOLE.length }, WHOLE);
  await assertRead(PIECES, { 'Content-Length': WHOLE.length }, WHOLE);
  const long = Buffer.alloc(300_000, 'x');
  await assertRead([long], { 'Content-Length': long.length }, long);
  await assertRead(
    [long, WHOLE],
    { 'Content-Length': long.length + WHOLE.length },
    Buffer.concat([long, WHOLE]),
  );
  const small = Buffer.from('{}');
  await assertRead([small], { 'Content-Length': 2 }, small);
});

reading('of a length that nobody announced, and empty', async () => {
  await assertRead(PIECES, {}, WHOLE);
  await assertRead([], { 'Content-Length': 0 }, Buffer.alloc(0));
  await assertRead([], { 'Transfer-Encoding': 'chunked' }, Buffer.alloc(0));
});

reading('with gzip, and with what only says that it is gzip', async () => {
  const zipped = gzipSync(WHOLE);
  await assertRead([zipped], { ...GZIP, 'Content-Length': zipped.length }, WHOLE);
  await assertRead([zipped.subarray(0, 60), zipped.subarray(60)], GZIP, WHOLE);
  await assertRead([WHOLE], GZIP, 400);
  await assertRead([zipped.subarray(0, 60)], GZIP, 400);
  await assertRead([WHOLE], { 'Content-Encoding': 'br' }, 400);
});

reading('of a length that nobody announced, short and long, as a whole or in pieces', async () => {
  const of = async (bytes: number, headers: Readonly<Record<string, string>> = {}) => {
    const whole = Buffer.alloc(bytes, 'x');
    await assertRead([headers === GZIP ? gzipSync(whole) : whole], headers, whole);
    return wasWhole;
  };
  assert.is(await of(255 * 1024), true);
  assert.is(await of(255 * 1024, GZIP), true);
  assert.is(await of(257 * 1024), false);
  assert.is(await of(257 * 1024, GZIP), false);
});

reading('that inflates to too much is read to its end, and the connection goes on', async () => {
  // What does not compress: most of it is still to be sent when the limit is passed.
  const packed = gzipSync(randomBytes(2 * MAX_BODY_BYTES), { level: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let connections = 0;
  const count = () => {
    connections += 1;
  };
  server.on('connection', count);
  await send([packed], { ...GZIP, 'Content-Length': packed.length }, agent);
  assert.is(outcomes.at(-1), 413);
  const small = Buffer.from('{}');
  await send([small], { 'Content-Length': 2 }, agent);
  assert.ok(small.equals(outcomes.at(-1) as Buffer));
  assert.is(connections, 1);
  server.off('connection', count);
  agent.destroy();
});

reading('of the longest length there may be, and of a byte more', async () => {
  const longest = Buffer.alloc(MAX_BODY_BYTES, 'x');
  const tooLong = Buffer.alloc(MAX_BODY_BYTES + 1, 'x');
  await assertRead([longest], { 'Content-Length': longest.length }, longest);
  await assertRead([longest], {}, longest);
  await assertRead([tooLong], { 'Content-Length': tooLong.length }, 413);
  await assertRead([tooLong], {}, 413);
  await assertRead([gzipSync(longest)], GZIP, longest);
  await assertRead([gzipSync(tooLong)], GZIP, 413);
});

reading('that finds no memory is read to its end and refused; a short one needs none', async () => {
  const long = Buffer.alloc(300_000, 'x');
  memory = NONE;
  try {
    await assertRead([long], { 'Content-Length': long.length }, 503);
    await assertRead([long], {}, 503);
    await assertRead([gzipSync(long)], GZIP, 503);
    await assertRead([Buffer.from('short')], {}, Buffer.from('short'));
  } finally {
    memory = ENOUGH;
  }
});

/** Room for two of the longest bodies; one owner may have both. */
const MEMORY = 2 * estimateMemory(MAX_BODY_BYTES);
/** Pace that no sender keeps. */
const IMPATIENT = {
  amount: Infinity,
  watch: (look: () => void) => {
    const timer = setInterval(look, 1);
    return () => clearInterval(timer);
  },
};

const SLOW_HEADERS = [
  ['uncompressed', `Content-Length: ${MAX_BODY_BYTES}`, (bytes: Buffer) => bytes],
  [
    'with gzip',
    'Content-Encoding: gzip\r\nTransfer-Encoding: chunked',
    // Not its end, but all that it holds.
    (bytes: Buffer) => {
      const packed = gzipSync(bytes, { level: 0 }).subarray(0, -20);
      return Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed]);
    },
  ],
] as const;

for (const [name, headers, pack] of SLOW_HEADERS)
  for (const [how, bytes] of [
    ['have sent little', 300_000],
    ['have sent nearly all', MAX_BODY_BYTES - 300_000],
  ] as const)
    reading(`slow senders that ${how}, ${name}, leave memory to others`, async () => {
      memory = createShares({ total: MEMORY, perOwner: MEMORY, timeoutMs: 10_000 }, IMPATIENT);
      const sent = pack(Buffer.alloc(bytes, 'x'));
      received = 0;
      const sockets = await Promise.all(
        [1, 2].map(
          () =>
            new Promise<Socket>((resolve) => {
              const socket = connect(portOf(), '127.0.0.1', () => {
                socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Owner: cedar\r\n${headers}\r\n\r\n`);
                socket.write(sent, () => resolve(socket));
              });
            }),
        ),
      );
      try {
        // Inflating holds back a little.
        const most = sockets.length * estimateMemory(bytes);
        let before = 0;
        await eventually('they have sent it, and nothing more arrives', () => {
          const hasEnded = received > 0.9 * most && received === before;
          before = received;
          return hasEnded;
        });
        const longest = Buffer.alloc(MAX_BODY_BYTES, 'x');
        await assertRead(
          [longest],
          { 'X-Owner': 'maple', 'Content-Length': longest.length },
          longest,
        );
      } finally {
        memory = ENOUGH;
        for (const socket of sockets) socket.destroy();
      }
    });

for (const [name, header] of [
  ['as it is', 'Content-Length: 100'],
  ['a long one', 'Content-Length: 300000'],
  ['with gzip', 'Content-Encoding: gzip\r\nContent-Length: 100'],
] as const)
  reading(`that breaks off is 400, ${name}`, async () => {
    const read = new Promise<void>((resolve) => {
      wasRead = resolve;
    });
    const socket = connect(portOf(), '127.0.0.1', async () => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n{"a":`);
      await passTime(20);
      socket.destroy();
    });
    await read;
    assert.is(outcomes.at(-1), 400);
  });

reading.run();
