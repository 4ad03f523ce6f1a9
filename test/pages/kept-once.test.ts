import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session from 'express-session';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSessions } from '../../api/web/session/session.ts';
import { beginSession } from '../../api/web/session/signed-in-session.ts';

test('a session that begins is kept once, before its redirect', async () => {
  // Kept again at the last byte, it would lose what the next page has put into it meanwhile.
  const store = new session.MemoryStore();
  let kept = 0;
  const set = store.set.bind(store);
  store.set = (...args) => {
    kept += 1;
    set(...args);
  };
  const app = express()
    .use(
      ...createSessions({
        store,
        secret: 'a synthetic secret',
        isSecure: false,
        now: () => new Date(),
      }),
    )
    .get('/begin', async (req, res) => {
      await beginSession(req, 'ada', '1', new Date());
      res.redirect(303, '/next');
    });
  const server = createServer(app).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/begin`, { redirect: 'manual' });
    await answer.text();
    assert.is(answer.status, 303);
    assert.is(answer.headers.getSetCookie().length, 1);
    assert.is(kept, 1);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test.run();
