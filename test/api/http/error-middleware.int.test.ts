import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswerFault, errorMiddleware } from '../../../api/http/error-middleware.ts';

interface Context {
  server: Server;
  url: string;
  readonly reported: unknown[];
  readonly printed: unknown[][];
}

const QUOTING = new Error('Key (chart)=(MRN-1) already exists.');

const test = suite<Context>('errors of an answer that has begun');
const print = console.error;

test.before(async (context) => {
  Object.assign(context, { reported: [], printed: [] });
  console.error = (...what: unknown[]) => void context.printed.push(what);
  const app = express();
  app.get('/half', (_req, res, next) => {
    res.write('half an answer');
    next(QUOTING);
  });
  app.get('/whole', (_req, res, next) => {
    res.end('a whole answer');
    next(QUOTING);
  });
  const report = (error: unknown) => void context.reported.push(error);
  app.use(errorMiddleware(createAnswerFault(() => false, report)));
  context.server = app.listen(0, '127.0.0.1');
  await once(context.server, 'listening');
  context.url = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});

test.before.each(({ reported }) => {
  reported.length = 0;
});

test.after(({ server }) => {
  console.error = print;
  server.closeAllConnections();
  server.close();
});

test('half an answer is cut off, and reported', async ({ url, reported }) => {
  const read = await fetch(`${url}/half`)
    .then((response) => response.text())
    .catch(() => null);
  assert.is(read, null, 'half an answer must not look like a whole one');
  assert.equal(reported, [QUOTING]);
});

test('a whole answer stays, and what failed after it is reported', async ({ url, reported }) => {
  assert.is(await (await fetch(`${url}/whole`)).text(), 'a whole answer');
  assert.equal(reported, [QUOTING]);
});

test('nothing of it is printed: an error of Postgres quotes rows', ({ printed }) => {
  assert.equal(printed, []);
});

test.run();
