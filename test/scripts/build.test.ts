import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A checkout of little more than the build itself. */
const checkout = () => {
  const { path, remove } = temporaryDirectory('build');
  for (const file of ['package-lock.json', 'tsconfig.json', 'scripts/build', 'scripts/run.mjs'])
    cpSync(join(ROOT, file), join(path, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const sources = [
    'domain/one.ts',
    'projections/one.ts',
    'transparency-log/one.ts',
    'adapters/embedded-eventstore/node-process.ts',
  ];
  for (const file of [...sources, 'api/pages/assets/one.css', 'scripts/entry.ts']) {
    mkdirSync(join(path, dirname(file)), { recursive: true });
    writeFileSync(join(path, file), '');
  }
  return { path, remove };
};

const build = suite('a build');

for (const changed of [
  'domain/one.ts',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build/lines.mjs',
])
  build(`is kept while nothing changes, and made anew with another ${changed}`, () => {
    const { path, remove } = checkout();
    try {
      const built = (): number => {
        const command = ['scripts/run.mjs', '--build-only', 'dist', 'scripts/entry.ts'];
        execFileSync(process.execPath, command, {
          cwd: path,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        return statSync(join(path, 'dist')).ino;
      };
      const first = built();
      assert.is(built(), first);
      appendFileSync(join(path, changed), '\n');
      assert.is.not(built(), first);
    } finally {
      remove();
    }
  });

build('says what to install where npm has left out the packages that build', () => {
  const { path, remove } = checkout();
  try {
    unlinkSync(join(path, 'node_modules'));
    const command = ['scripts/run.mjs', '--build-only', 'dist', 'scripts/entry.ts'];
    const { status, stderr } = spawnSync(process.execPath, command, {
      cwd: path,
      encoding: 'utf8',
    });
    assert.is(status, 1);
    assert.match(
      stderr,
      /^The packages that build .* Run `npm ci --include=dev`, then start again\.\n$/,
    );
  } finally {
    remove();
  }
});

build.run();
