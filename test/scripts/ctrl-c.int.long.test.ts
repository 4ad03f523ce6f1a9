import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { buildService } from '../../scripts/build-service.ts';
import { ready, spawnService } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { measureMs } from '../harness/real-time.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import {
  isAnybodyIn,
  npmStart,
  npmStarted,
  requireStopped,
  signalGroup,
} from '../harness/terminal.ts';

/** How signals of npm and of the terminal meet differs from time to time. */
const ROUNDS = ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM'] as const;

/** Within it a further signal is the same one once more. */
const SAME_SIGNAL_MS = 1_000;
const NEXT_SIGNAL_MS = 100;

const again = suite('Ctrl-C in a terminal, again and again');

again.before(() => buildService('ignore'));

again('ends npm and the service with 0 each time, and leaves nothing running', async () => {
  const directory = temporaryDirectory('ctrl-c-again');
  await copyFreshCluster(directory.path);
  for (const signal of ROUNDS)
    await requireStopped(await npmStarted(directory.path), directory.path, signal);
  directory.remove();
});

again('a second one, a second later, ends a service that still waits for a request', async () => {
  const port = await freePort();
  const directory = temporaryDirectory('ctrl-c-twice');
  await copyFreshCluster(directory.path);
  const env = { ...process.env, DATA_DIR: directory.path, PORT: String(port), LOG_LEVEL: 'silent' };
  const service = spawnService(env, 'ignore');
  const ended = once(service, 'exit');
  await ready(`http://127.0.0.1:${port}`, service);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /sign-in HTTP/1.1\r\nHost: registry\r\nContent-Length: 900\r\n\r\nem');
  // It is taken up when a later request is answered.
  await (await fetch(`http://127.0.0.1:${port}/health/live`)).text();
  const tookMs = await measureMs(async () => {
    service.kill('SIGINT');
    const again = setInterval(() => service.kill('SIGINT'), NEXT_SIGNAL_MS);
    assert.equal(await ended, [1, null]);
    clearInterval(again);
  });
  assert.ok(tookMs >= SAME_SIGNAL_MS, 'those before are the first once more');
  socket.destroy();
  directory.remove();
});

again('during a first start ends it with 0, and the next start begins anew', async () => {
  const other = temporaryDirectory('ctrl-c-first');
  const first = await npmStart(other.path);
  await eventually('Postgres is being made', () =>
    existsSync(join(other.path, 'postgres-password')),
  );
  signalGroup(first, 'SIGINT');
  assert.equal(await first.ended, [0, null]);
  // What makes a cluster has children of its own, which end a moment after it.
  await eventually('no process is left', () => !isAnybodyIn(first));
  const again = await startService(testSettings(other.path), openServiceLog('silent'));
  await again.started;
  await again.stop();
  other.remove();
});

again.run();
