import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { writeCsv } from '../../../adapters/csv/write-csv.ts';
import { sendPieces } from '../../../api/http/send-pieces.ts';

const MAX_SLICE_BYTES = 4 * 32 * 1024;

/** Sends the pieces over HTTP. @returns the body, and the bytes of each write */
const sendOverHttp = async (pieces: AsyncIterable<string> | Iterable<string>) => {
  const written: number[] = [];
  const server = createServer((_req, res) => {
    const write = res.write.bind(res);
    res.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      written.push(Buffer.byteLength(chunk));
      return write(chunk, ...rest);
    };
    void sendPieces(res, pieces);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    return { body: Buffer.from(await answer.arrayBuffer()).toString('utf8'), written };
  } finally {
    server.close();
  }
};

const LONG_ROW = Array.from({ length: 100 }, () => 'Ana-María '.repeat(200));

for (const [what, pieces] of [
  ['many small pieces', () => Array.from({ length: 200_000 }, (_, index) => `${index}\n`)],
  ['one long piece', () => ['x'.repeat(3_000_000)]],
  ['a long piece of characters in two halves', () => [`x${'👶'.repeat(300_000)}`]],
  [
    'a CSV file of long cells',
    () =>
      writeCsv(
        ['name'],
        Array.from({ length: 40 }, () => LONG_ROW),
      ),
  ],
] as const)
  test(`${what} are sent whole, in slices of bounded size`, async () => {
    let expected = '';
    for await (const piece of pieces()) expected += piece;
    const { body, written } = await sendOverHttp(pieces());
    assert.ok(body === expected || `\ufeff${body}` === expected);
    assert.ok(Math.max(...written) <= MAX_SLICE_BYTES);
    assert.ok(written.length >= Buffer.byteLength(expected) / MAX_SLICE_BYTES);
  });

test.run();
