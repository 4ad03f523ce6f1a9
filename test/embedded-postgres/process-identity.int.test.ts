import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLeaving } from '../../adapters/embedded-postgres/process-identity.ts';
import { isRunning } from './support/hosting.ts';

const test = suite('embedded Postgres: process identity');

const ROUNDS = 12;
/** Memory takes time to give up: the moment between the end of a command line and of its process. */
const OWNS_MEMORY = `
  const memory = Buffer.alloc(250e6, 1);
  process.stdout.write(String(memory.length));
  setInterval(() => undefined, 1000);
`;

const commandLineOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

test('a process that has given up its command line leaves until it is gone', async () => {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, ['-e', OWNS_MEMORY], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = child.pid ?? 0;
    await once(child.stdout, 'data');
    assert.is(await isLeaving(pid), false, 'it runs');
    child.kill('SIGKILL');
    while ((await commandLineOf(pid)) !== '' || (await isLeaving(pid)));
    assert.is(isRunning(pid), false, `round ${round}`);
  }
});

test.run();
