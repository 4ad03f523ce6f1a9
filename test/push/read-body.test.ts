import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { MOST_BODY_BYTES, readBody } from '../../api/push/read-body.ts';

/** What was read of each request, in their order: bytes, or the status of the refusal. */
const outcomes: (Buffer | number)[] = [];
let wasRead: () => void = () => undefined;

const server = createServer(async (req: IncomingMessage, res) => {
  const body = await readBody(req).catch((problem: unknown) => {
    if (problem instanceof RequestProblem) return problem.status;
    throw problem;
  });
  outcomes.push(body);
  wasRead();
  res.end();
});

const reading = suite('reading a body');

reading.before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
reading.after(() => new Promise<void>((resolve) => server.close(() => resolve())));

const portOf = (): number => (server.address() as AddressInfo).port;

const send = (
  pieces: readonly Buffer[],
  headers: Readonly<Record<string, string | number>>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request({ port: portOf(), host: '127.0.0.1', method: 'POST', headers }, (res) => {
      res.resume();
      res.once('end', resolve);
    });
    sent.once('error', reject);
    const next = (left: readonly Buffer[]): void => {
      const [piece, ...others] = left;
      if (piece === undefined) sent.end();
      else sent.write(piece, () => setTimeout(() => next(others), 2));
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

reading('of the longest length there may be, and of a byte more', async () => {
  const longest = Buffer.alloc(MOST_BODY_BYTES, 'x');
  const tooLong = Buffer.alloc(MOST_BODY_BYTES + 1, 'x');
  await assertRead([longest], { 'Content-Length': longest.length }, longest);
  await assertRead([longest], {}, longest);
  await assertRead([tooLong], { 'Content-Length': tooLong.length }, 413);
  await assertRead([tooLong], {}, 413);
  await assertRead([gzipSync(longest)], GZIP, longest);
  await assertRead([gzipSync(tooLong)], GZIP, 413);
});

for (const encoding of ['', 'Content-Encoding: gzip\r\n'])
  reading(`that breaks off is 400, ${encoding === '' ? 'as it is' : 'with gzip'}`, async () => {
    const read = new Promise<void>((resolve) => {
      wasRead = resolve;
    });
    const socket = connect(portOf(), '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${encoding}Content-Length: 100\r\n\r\n{"a":`);
      setTimeout(() => socket.destroy(), 20);
    });
    await read;
    assert.is(outcomes.at(-1), 400);
  });

reading.run();
