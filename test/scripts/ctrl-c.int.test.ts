import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCommands } from '../../api/composition/commands.ts';
import { startService } from '../../api/composition/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { buildService } from '../../scripts/build-service.ts';
import { ready, spawnService } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { newPractice, post, receiptAt, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

const ctrlC = suite('Ctrl-C in a terminal');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM'] as const;
/** From then on a further signal is a second one, and not the same one once more. */
const SECOND_SIGNAL_MS = 1_100;
const RECEIPT_MS = 60_000;

const directory = temporaryDirectory('ctrl-c');
const postmaster = join(directory.path, 'postgres', 'postmaster.pid');

/** `npm start` in a process group of its own, as a terminal starts it. */
const npmStart = (dataDir: string, port: number) => {
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(npm, 'exit') as Promise<[number | null]>;
  return { npm, ended };
};

/** What a terminal does: npm, the service and all that it has started get the signal. */
const signalGroup = ({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void => {
  process.kill(-pid, signal);
};

const isAnybodyIn = ({ pid = 0 }: ChildProcess): boolean => {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
};

ctrlC.before(async () => {
  buildService('ignore');
  await copyFreshCluster(directory.path);
});

ctrlC.after(() => directory.remove());

ctrlC('ends npm and the service with 0, again and again, and leaves nothing running', async () => {
  const port = await freePort();
  for (const [round, signal] of ROUNDS.entries()) {
    const { npm, ended } = npmStart(directory.path, port);
    await ready(`http://127.0.0.1:${port}`, npm);
    assert.ok(existsSync(postmaster));
    signalGroup(npm, signal);
    const [code] = await ended;
    assert.is(code, 0, `round ${round}: ${signal}`);
    assert.not(isAnybodyIn(npm), `round ${round}: a process is left`);
    assert.not(existsSync(postmaster), `round ${round}: Postgres is left`);
  }
});

ctrlC('while pushes are under way loses nothing that was acknowledged', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { npm, ended } = npmStart(directory.path, port);
  await ready(url, npm);
  const settings = testSettings(directory.path, { PORT: String(port) });
  const commands = await openCommands(settings, openServiceLog('silent'));
  const { token } = await newPractice(commands);
  await commands.close();

  const acknowledged: string[] = [];
  const pushUntilItStops = async (sender: number): Promise<void> => {
    for (let birth = 0; ; birth++) {
      const bundle = birthBundle({ chartNumber: `${sender}-${birth}` });
      const answer = await post(url, token, bundle).catch(() => null);
      if (answer === null) return;
      if (answer.status === 202) acknowledged.push(answer.headers.get('content-location') ?? '');
      await answer.arrayBuffer().catch(() => undefined);
    }
  };
  const pushing = Promise.all([1, 2, 3, 4].map(pushUntilItStops));
  await eventually('some were acknowledged', () => acknowledged.length > 20);
  signalGroup(npm, 'SIGINT');
  assert.equal(await ended, [0, null]);
  await pushing;

  const again = await startService(settings, openServiceLog('silent'));
  await again.started;
  for (const address of acknowledged)
    assert.is((await receiptAt(address, token, RECEIPT_MS)).status, 'completed');
  await again.stop();
});

ctrlC('during a first start ends it with 0, and the next start begins anew', async () => {
  const other = temporaryDirectory('ctrl-c-first');
  const port = await freePort();
  const { npm, ended } = npmStart(other.path, port);
  await eventually('Postgres is being made', () =>
    existsSync(join(other.path, 'postgres-password')),
  );
  signalGroup(npm, 'SIGINT');
  assert.equal(await ended, [0, null]);
  // What makes a cluster has children of its own, which end a moment after it.
  await eventually('no process is left', () => !isAnybodyIn(npm), 3_000);
  const again = await startService(testSettings(other.path), openServiceLog('silent'));
  await again.started;
  await again.stop();
  other.remove();
});

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
  service.kill('SIGINT');
  await sleep(SECOND_SIGNAL_MS);
  assert.is(service.exitCode, null);
  service.kill('SIGINT');
  assert.equal(await ended, [1, null]);
  socket.destroy();
  // What it leaves behind is taken up by the next one.
  const next = await startService(testSettings(directory.path), openServiceLog('silent'));
  await next.started;
  await next.stop();
  assert.not(existsSync(postmaster));
});

ctrlC.run();
