import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { type FileResult, runWorker } from './run-worker.ts';

const worker = suite('a worker of the test runner');

/** Starts a process that keeps the pipes open for longer than anybody waits, prints its id, and ends. */
const LEAVES_A_PROCESS = `
  const { spawn } = require('node:child_process');
  process.once('message', () => {
    const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    process.stdout.write(left.pid + '\\n', () => process.exit(1));
  });
`;

worker(
  'one that ends and leaves a process behind has failed its file, and nobody waits',
  async () => {
    const files = ['test/some.test.ts'];
    const results: FileResult[] = [];
    await runWorker(() => files.shift(), {
      command: ['-e', LEAVES_A_PROCESS],
      cwd: process.cwd(),
      bundleOf: (file) => file,
      onStart: () => {},
      onResult: (result) => results.push(result),
    });
    const pid = Number(results[0]?.printed);
    assert.ok(process.kill(pid, 0), 'the process that was left is still there');
    process.kill(pid, 'SIGKILL');
    assert.equal(
      results.map(({ file, failed }) => [file, failed]),
      [['test/some.test.ts', 1]],
    );
  },
);

worker('a file that throws before its first row has failed, and the next one is run', async () => {
  const { path, remove } = temporaryDirectory('worker');
  writeFileSync(join(path, 'throws.mjs'), "throw new Error('no such fixture');\n");
  writeFileSync(join(path, 'passes.mjs'), 'globalThis.UVU_QUEUE[0].length = 0;\n');
  const files = ['throws.mjs', 'passes.mjs'];
  const results: FileResult[] = [];
  await runWorker(() => files.shift(), {
    command: ['--import', 'tsx', 'test/runner/worker.ts'],
    cwd: process.cwd(),
    bundleOf: (file) => join(path, file),
    onStart: () => {},
    onResult: (result) => results.push(result),
  });
  remove();
  assert.equal(
    results.map(({ file }) => file),
    ['throws.mjs', 'passes.mjs'],
  );
  assert.is(results[0]?.failed, 1);
  assert.match(results[0]?.printed ?? '', 'no such fixture');
});

worker.run();
