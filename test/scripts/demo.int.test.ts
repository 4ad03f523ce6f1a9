import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** The demo as a newcomer runs it, but on any free port. */
const demo = suite('the demo');

demo('it fills a practice, says where to look, and leaves nothing behind', async () => {
  const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo.ts', '--ehr'], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (text: Buffer) => {
    printed += text.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const isReady = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      if (printed.includes('Stop the demo with Ctrl-C')) resolve();
    });
    ended.then(() => reject(new Error(printed)));
  });
  await isReady;

  assert.match(printed, /native lane: 2\d\d accepted/);
  assert.match(printed, /partner lane: \d+ accepted/);
  assert.match(printed, /"status": "completed"/);
  const url = /Sign in at (\S+)\/sign-in/.exec(printed)?.[1] ?? '';
  assert.is((await fetch(`${url}/sign-in`)).status, 200);
  const token = /native {2,}(rgk_\S+)/.exec(printed)?.[1] ?? '';
  const receipt = /Content-Location: (\S+)/.exec(printed)?.[1] ?? '';
  const polled = await fetch(receipt, { headers: { Authorization: `Bearer ${token}` } });
  assert.is(polled.status, 200);

  // The EHR beside it launches the service: a patient's link leads to the EHR's own sign-in.
  const ehr = /list of made-up patients: (\S+)/.exec(printed)?.[1] ?? '';
  const patients = await (await fetch(ehr)).text();
  const launch =
    /href="([^"]+)">Newborn, three/.exec(patients)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const launched = await fetch(launch, { redirect: 'manual' });
  assert.is(launched.status, 303);
  assert.ok(launched.headers.get('location')?.startsWith(`${ehr}/authorize`));

  const dataDir = /DATA_DIR=(\S+)/.exec(printed)?.[1] ?? '';
  assert.ok(existsSync(dataDir));
  child.kill('SIGINT');
  assert.is(await ended, 0);
  assert.not(existsSync(dataDir));
});

demo.run();
