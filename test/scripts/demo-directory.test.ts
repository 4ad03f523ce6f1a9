import { rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DemoDirectoryRefused,
  type FilledDemo,
  openDemoDirectory,
} from '../../scripts/demo/demo-directory.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

/** Where a demo keeps its data, and what it throws away. */
const directories = suite<{ path: string; remove: () => void }>('directories of demos');

directories.before.each((context) => {
  Object.assign(context, temporaryDirectory('demo-directory'));
});
directories.after.each(({ remove }) => remove());

for (const [what, found] of [
  ['of another tool', '{"slides":[]}'],
  ['without a shape', 'null'],
  ['that is no JSON', 'demo'],
] as const)
  directories(
    `a demo.json ${what} makes no demo: nothing beside it is touched`,
    async ({ path }) => {
      mkdirSync(join(path, 'data'));
      writeFileSync(join(path, 'data', 'thesis.txt'), 'ten years of work');
      writeFileSync(join(path, 'demo.json'), found);
      for (const isReset of [false, true])
        await rejects(openDemoDirectory(path, isReset), DemoDirectoryRefused);
      assert.ok(existsSync(join(path, 'data', 'thesis.txt')));
      assert.ok(existsSync(join(path, 'demo.json')));
    },
  );

directories('something else is no demo, and stays as it is', async ({ path }) => {
  const thesis = join(path, 'thesis.txt');
  writeFileSync(thesis, 'ten years of work');
  await rejects(openDemoDirectory(path, true), {
    name: 'DemoDirectoryRefused',
    message: /holds something that is no demo/,
  });
  assert.is(readFileSync(thesis, 'utf8'), 'ten years of work');
});

directories('one that was filled is found with its data', async ({ path }) => {
  const { keep, dataDir } = await openDemoDirectory(path, false);
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'births'), '');
  const filled = { filledOn: '2026-11-29' } as FilledDemo;
  await keep(filled);
  assert.equal((await openDemoDirectory(path, false)).filled, filled);
  assert.ok(existsSync(join(dataDir, 'births')));
});

directories('one that was left before it was filled is begun anew', async ({ path }) => {
  const { dataDir } = await openDemoDirectory(path, false);
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'half'), '');
  const again = await openDemoDirectory(path, false);
  assert.is(again.filled, null);
  assert.not(existsSync(dataDir));
});

directories('a mark of another format is one of a demo all the same', async ({ path }) => {
  writeFileSync(join(path, 'demo.json'), '{"format":0,"filled":{}}');
  assert.is((await openDemoDirectory(path, false)).filled, null);
});

directories('a demo that stands still is not begun anew under its feet', async ({ path }) => {
  const { enter } = await openDemoDirectory(path, false);
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    await enter(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await rejects(openDemoDirectory(path, true), /A demo is running/);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
  assert.is((await openDemoDirectory(path, true)).filled, null);
});

directories.run();
