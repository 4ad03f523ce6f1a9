import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../scripts/build-service.ts';
import { ready } from '../harness/built-service.ts';
import { freePort } from '../harness/ports.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const start = suite('npm start');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** By each of them a package would write what it handles to standard error. */
const TELL_ALL = {
  DEBUG: '*',
  GRPC_TRACE: 'all',
  GRPC_VERBOSITY: 'DEBUG',
  GRPC_NODE_TRACE: 'all',
  GRPC_NODE_VERBOSITY: 'DEBUG',
};
/** Nobody listens there. */
const PROXY = 'http://127.0.0.1:9';
const SECRET = 'Zyxwvutsrqpo';

/** A port that the log had before, and that someone else has taken since. */
const takenPort = async (dataDir: string): Promise<Server> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(dataDir, 'eventstore.json'), JSON.stringify({ port }));
  return server;
};

start(
  'stops with npm, keeps off proxies, and no variable makes packages write what they handle',
  async () => {
    buildService('ignore');
    const directory = temporaryDirectory('npm-start');
    await copyFreshCluster(directory.path);
    const taken = await takenPort(directory.path);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...TELL_ALL,
        DATA_DIR: directory.path,
        PORT: String(port),
        SMART_CLIENT_ID: 'registry',
        SMART_ALLOWED_ISSUERS: 'https://ehr.example',
        http_proxy: PROXY,
        https_proxy: PROXY,
        LOG_LEVEL: 'trace',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (told += text));
    const closed = once(npm, 'close');
    await ready(url, npm);
    const refused = await fetch(`${url}/smart/callback?code=${SECRET}&state=${SECRET}`);
    assert.is(refused.status, 400);
    const signIn = await fetch(`${url}/sign-in`);
    const [cookie = ''] = /(?<==)[^;]+/.exec(signIn.headers.get('set-cookie') ?? '') ?? [];
    assert.ok(cookie.length > SECRET.length);
    await refused.text();
    await signIn.text();

    npm.kill('SIGTERM');
    // Both streams end with the last process that holds them: the service, not only npm.
    await closed;
    const service = await fetch(`${url}/health/live`).catch(() => null);
    assert.is(service, null);
    assert.not.match(told, new RegExp(`${SECRET}|${cookie.slice(0, SECRET.length)}`));
    const other = told.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    assert.equal(other, []);
    taken.close();
    directory.remove();
  },
);

start.run();
