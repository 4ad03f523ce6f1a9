import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { buildService } from '../../scripts/build-service.ts';
import { ready, spawnService } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { measureMs } from '../harness/real-time.ts';
import { newPractice, post, receiptAt, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import {
  isAnybodyIn,
  npmStart,
  npmStarted,
  requireStopped,
  signalGroup,
} from '../harness/terminal.ts';
import { birthBundle } from '../support/bundles.ts';

const ctrlC = suite('Ctrl-C in a terminal');

/** Within it a further signal is the same one once more. */
const SAME_SIGNAL_MS = 1_000;
const NEXT_SIGNAL_MS = 100;
const RECEIPT_MS = 60_000;

const directory = temporaryDirectory('ctrl-c');

ctrlC.before(async () => {
  buildService('ignore');
  await copyStartedCluster(directory.path);
});

ctrlC.after(() => directory.remove());

ctrlC('a second one, a second later, ends a service that still waits for a request', async () => {
  const port = await freePort();
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
});

ctrlC('while pushes are under way loses nothing that was acknowledged', async () => {
  // It takes up what the service before has left behind.
  const first = await npmStarted(directory.path);
  const commands = await openCommands(testSettings(directory.path), openServiceLog('silent'));
  const { token } = await newPractice(commands);
  await commands.close();

  const acknowledged: string[] = [];
  const pushUntilItStops = async (sender: number): Promise<void> => {
    for (let birth = 0; ; birth++) {
      const bundle = birthBundle({ chartNumber: `${sender}-${birth}` });
      const answer = await post(first.url, token, bundle).catch(() => null);
      if (answer === null) return;
      if (answer.status === 202) acknowledged.push(answer.headers.get('content-location') ?? '');
      await answer.arrayBuffer().catch(() => undefined);
    }
  };
  const pushing = Promise.all([1, 2, 3, 4].map(pushUntilItStops));
  await eventually('some were acknowledged', () => acknowledged.length > 20);
  await requireStopped(first, directory.path, 'SIGINT');
  await pushing;

  const again = await npmStarted(directory.path);
  for (const address of acknowledged) {
    const receipt = await receiptAt(`${again.url}${new URL(address).pathname}`, token, RECEIPT_MS);
    assert.is(receipt.status, 'completed');
  }
  await requireStopped(again, directory.path, 'SIGTERM');
});

ctrlC('ends npm and the service with 0, once more, and leaves nothing running', async () => {
  await requireStopped(await npmStarted(directory.path), directory.path, 'SIGINT');
});

ctrlC('during a first start ends it with 0, and the next start begins anew', async () => {
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

ctrlC.run();
