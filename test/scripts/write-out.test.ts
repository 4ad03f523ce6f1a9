import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const written = suite('what a command prints before it ends');

const LENGTH = 1_000_000;
/** More than a pipe takes at once, then the end of the process. */
const SCRIPT = `
  import('./scripts/write-out.ts').then(async ({ writeOut }) => {
    process.stderr.write('begun');
    await writeOut(process.stdout, 'x'.repeat(${LENGTH}));
    process.exit(0);
  }).catch(() => process.exit(3));
`;

const run = () =>
  spawn(process.execPath, ['--import', 'tsx', '-e', SCRIPT], { stdio: ['ignore', 'pipe', 'pipe'] });

written('reaches whoever reads late', async () => {
  const child = run();
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  assert.is((await text(child.stdout)).length, LENGTH);
  assert.equal(await ended, [0, null]);
});

written('is a fault when nobody reads it any more', async () => {
  const child = run();
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stdout.destroy();
  assert.equal(await ended, [3, null]);
});

written.run();
