import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const interrupted = suite('npm test, interrupted');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** It starts Postgres, and processes that host one. */
const FILE = 'test/embedded-postgres/host.int.test.ts';
const LONG_MS = 120_000;

/** Processes that work in a directory. */
const processesIn = (path: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${path}/`);
      } catch {
        return false;
      }
    });

/** Empty when the process has ended meanwhile. */
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

const builds = (): readonly string[] =>
  readdirSync(ROOT).filter((name) => name.startsWith('dist.tests-'));

const isAnybodyIn = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  interrupted(`${signal} to all of its processes leaves none, and no files`, async () => {
    if (process.platform !== 'linux') return;
    const directory = temporaryDirectory('interrupted');
    const before = builds();
    const npm = spawn('npm', ['test', '--silent', '--', FILE], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: directory.path },
      stdio: 'ignore',
      detached: true,
    });
    const group = npm.pid ?? 0;
    const ended = once(npm, 'exit');
    const runs = () => readdirSync(directory.path).filter((name) => name.startsWith('run-'));
    const hasPostgres = () =>
      processesIn(directory.path).some((pid) => commandOf(pid).includes('birth-registry-hosting-'));
    await eventually('a test has started Postgres', hasPostgres, LONG_MS);
    assert.is(runs().length, 1);
    process.kill(-group, signal);
    const [code] = await ended;
    assert.is.not(code, 0);
    assert.equal(processesIn(directory.path), []);
    assert.equal(runs(), []);
    assert.equal(
      builds().filter((name) => !before.includes(name)),
      [],
    );
    // What compiles the sources ends by itself when nobody is there to ask it.
    await eventually('nobody is left', () => !isAnybodyIn(group));
    directory.remove();
  });

interrupted.run();
