import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openOutbox } from '../../scripts/push/outbox.ts';
import { type PushedItem, pushItems } from '../../scripts/push/push-items.ts';
import type { PushItem } from '../../scripts/push/read-items.ts';
import { createRegistryClient, type Patience } from '../../scripts/push/registry-client.ts';
import { eventually, within } from '../harness/eventually.ts';
import { pushHere, startPush } from '../harness/push-command.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

/** A server that answers as no registry would. */
interface Hostile {
  readonly url: string;
  /** Requests that came, with the key that they carried. */
  readonly seen: { readonly method: string; readonly url: string; readonly key: string }[];
  close(): void;
}

const hostile = suite('birth-registry push and a hostile server');
const directory = temporaryDirectory('push');
const open: { close(): void }[] = [];
hostile.after.each(() => {
  for (const one of open.splice(0)) one.close();
});
hostile.after(() => directory.remove());

const KEY = 'rgk_a-key-of-no-registry';
const RECEIPTS = '/api/registry/fhir/ingestions/';
const COMPLETED = JSON.stringify({ id: 'a', status: 'completed', accepted: 1, rejected: 0 });

const listen = async (server: Server, scheme = 'http'): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push(server);
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const startHostile = async (answer: RequestListener): Promise<Hostile> => {
  const seen: Hostile['seen'] = [];
  const server = createServer((req, res) => {
    const { method = '', url = '', headers } = req;
    seen.push({ method, url, key: headers.authorization ?? '' });
    req.resume();
    req.once('end', () => answer(req, res));
  });
  const url = await listen(server);
  const close = () => server.closeAllConnections();
  open.push({ close });
  return { url, seen, close };
};

const PATIENCE: Patience = { firstMs: 800, laterMs: 800, queuedMs: 600 };
let runs = 0;

/** Pushes one Bundle in this process. */
const push = async (url: string, { receipt }: { readonly receipt?: string } = {}) => {
  runs += 1;
  const path = join(directory.path, `${runs}.outbox`);
  const outbox = await openOutbox(path, [url, KEY]);
  const item: PushItem = { name: 'a.json', content: Buffer.from('{}') };
  if (receipt !== undefined) await outbox.record(outbox.identify(item), { failures: 0, receipt });
  const outcomes: PushedItem[] = [];
  const reasons: string[] = [];
  const onWait = (reason: string) => void reasons.push(reason);
  const stop = new AbortController().signal;
  const client = createRegistryClient(url, KEY, PATIENCE, onWait, stop);
  const items = (async function* () {
    yield item;
  })();
  const fault = await pushItems(items, outbox, client, (one) => outcomes.push(one), {
    patience: PATIENCE,
    onWait,
    stop,
  }).then(
    () => null,
    (error: Error) => error,
  );
  await outbox.close();
  return { outcomes: outcomes.map(({ outcome }) => outcome), fault, reasons };
};

for (const location of [
  'http://a//OTHER/x',
  `//OTHER${RECEIPTS}a/../../x`,
  `http://OTHER/${RECEIPTS}a`,
  `http://user:secret@OTHER${RECEIPTS}a`,
  `\\\\OTHER${RECEIPTS}a`,
  `/\\OTHER${RECEIPTS}a`,
  `ftp://OTHER${RECEIPTS}a`,
  `http://OTHER${RECEIPTS}a?x=y`,
  `http://OTHER${RECEIPTS}a%2f..`,
  `http://OTHER/@OTHER//${RECEIPTS}a`,
  'javascript:alert(1)',
  '',
])
  hostile(`the receipt at ${location || 'nothing'} is not asked for`, async () => {
    const other = await startHostile((_req, res) => res.end(COMPLETED));
    const named = location.replaceAll('OTHER', new URL(other.url).host);
    const server = await startHostile((req, res) => {
      if (req.method === 'POST') res.writeHead(202, { 'Content-Location': named }).end('{}');
      else res.end(COMPLETED);
    });
    const { fault, outcomes } = await push(server.url);
    assert.is(fault?.name, 'RegistryRefused', fault?.stack);
    assert.equal([outcomes, other.seen], [[], []]);
    // Also where the outbox says so: the Bundle is sent again instead, under its own key.
    const again = await push(server.url, { receipt: named });
    assert.equal([again.outcomes, other.seen], [[], []]);
    assert.equal([...new Set(server.seen.map(({ method }) => method))], ['POST']);
  });

hostile('the receipt of another host, port, or scheme is asked for at the registry', async () => {
  const other = await startHostile((_req, res) => res.end(COMPLETED));
  const server = await startHostile((req, res) => {
    if (req.method === 'GET') res.end(COMPLETED);
    else
      res
        .writeHead(202, {
          'Content-Location': `${other.url}/base${RECEIPTS}an_id-1`,
          'Retry-After': '0',
        })
        .end('{}');
  });
  const { fault, outcomes } = await push(server.url);
  assert.equal([fault, outcomes, other.seen], [null, ['accepted'], []]);
  assert.equal(
    server.seen.map(({ url }) => url),
    ['/api/registry/fhir/Bundle', `${RECEIPTS}an_id-1`],
  );
});

hostile('a redirect gets neither the key nor the Bundle', async () => {
  const other = await startHostile((_req, res) => res.end(COMPLETED));
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await startHostile((_req, res) =>
      res.writeHead(status, { Location: `${other.url}/api/registry/fhir/Bundle` }).end(),
    );
    const { fault } = await push(server.url);
    assert.match(fault?.message ?? '', `There is no registry at this address (${status})`);
  }
  assert.equal(other.seen, []);
});

const SOON_MS = 1_000;

for (const after of ['0', '-5', 'Wed, 21 Oct 2015 07:28:00 GMT', 'NaN', '1e9', '99999999999999'])
  hostile(`a registry that stays busy is not asked without pause (${after})`, async () => {
    const server = await startHostile((_req, res) =>
      res.writeHead(429, { 'Retry-After': after }).end(),
    );
    const { fault } = await push(server.url);
    assert.match(fault?.message ?? '', 'The registry is busy (429)');
    assert.ok(server.seen.length <= 5, `${server.seen.length} requests`);
  });

for (const after of ['Fri, 01 Jan 2100 00:00:00 GMT', '999999999'])
  hostile(`a registry that asks to wait for years is not waited for (${after})`, async () => {
    const server = await startHostile((_req, res) =>
      res.writeHead(503, { 'Retry-After': after }).end(),
    );
    const { fault } = await within('it ends', push(server.url), PATIENCE.firstMs + SOON_MS);
    assert.match(fault?.message ?? '', 'asks to wait more than a day. Run the command again later');
    assert.is(server.seen.length, 1);
  });

hostile('a receipt that stays queued is reported, and ends the run with what to do', async () => {
  for (const after of ['0', '-5', 'Fri, 01 Jan 2100 00:00:00 GMT'].slice(0, 2)) {
    const server = await startHostile((req, res) => {
      res.setHeader('Retry-After', after);
      if (req.method === 'GET') res.end(JSON.stringify({ id: 'a', status: 'queued' }));
      else res.writeHead(202, { 'Content-Location': `${RECEIPTS}a` }).end('{}');
    });
    const { fault, outcomes } = await push(server.url);
    assert.match(fault?.message ?? '', /has stopped processing them\. .* run the command again/);
    assert.equal(outcomes, []);
    assert.ok(server.seen.length <= 7, `${server.seen.length} requests`);
  }
});

const MEBIBYTE = 1024 * 1024;

hostile('an answer without end is not read to its end', async () => {
  const chunk = Buffer.alloc(MEBIBYTE, ' ');
  let sent = 0;
  const server = await startHostile((_req, res) => {
    const write = (): void => {
      while (!res.destroyed && sent < 700) {
        sent += 1;
        if (!res.write(chunk)) {
          res.once('drain', write);
          return;
        }
      }
    };
    res.writeHead(202, { 'Content-Location': `${RECEIPTS}a` });
    write();
  });
  const { fault } = await push(server.url);
  assert.match(fault?.message ?? '', 'The answer is longer than any of a registry (202)');
  assert.ok(sent < 200, `${sent} MiB were sent`);
});

// Self-signed, and valid for a long time.
const TLS = {
  key: readFileSync(new URL('../fixtures/self-signed/key.pem', import.meta.url)),
  cert: readFileSync(new URL('../fixtures/self-signed/cert.pem', import.meta.url)),
};

hostile('a certificate that cannot be trusted, and a port without https, are said', async () => {
  let requests = 0;
  const secure = await listen(
    createTlsServer(TLS, () => {
      requests += 1;
    }),
    'https',
  );
  const untrusted = await push(secure);
  assert.match(untrusted.fault?.message ?? '', /The certificate .* cannot be trusted \([A-Z_]+\)/);
  assert.is(requests, 0);
  const plain = await startHostile((_req, res) => res.end());
  const { fault } = await push(plain.url.replace('http:', 'https:'));
  assert.match(fault?.message ?? '', 'The address does not speak https');
  assert.match((await push('http://127.0.0.1:6000')).fault?.message ?? '', 'other protocols use');
});

hostile('Ctrl-C says how to continue, and what was sent is not sent again', async () => {
  const server = await startHostile((req, res) => {
    res.setHeader('Retry-After', '1');
    if (req.method === 'GET') res.end(JSON.stringify({ id: 'a', status: 'queued' }));
    else res.writeHead(202, { 'Content-Location': `${RECEIPTS}a` }).end('{}');
  });
  const path = join(directory.path, 'stopped');
  mkdirSync(path);
  writeFileSync(join(path, 'a.json'), '{}');
  const keyFile = join(directory.path, 'key');
  // As Windows editors save it.
  writeFileSync(keyFile, `\ufeff${KEY}\r\n`);
  chmodSync(keyFile, 0o644);
  const args = [path, '--url', server.url, '--key-file', keyFile, '--json'];
  const { child, ended } = startPush(args);
  await eventually('it polls', () => server.seen.some(({ method }) => method === 'GET'));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  assert.is(code, 1);
  assert.match(stderr, 'Stopped. What was sent is noted in the outbox. Run the same command again');
  assert.match(stderr, 'Others on this machine can read the file of --key-file');
  assert.is(JSON.parse(stdout).notSent, 1);
  assert.ok(server.seen.every(({ key }) => key === `Bearer ${KEY}`));
  assert.is(statSync(join(path, '.registry-push.outbox')).mode & 0o777, 0o600);
});

hostile('an address that anyone between can read is refused unless it is allowed', async () => {
  const path = join(directory.path, 'plain.json');
  writeFileSync(path, '{}');
  const keyFile = join(directory.path, 'plain-key');
  writeFileSync(keyFile, KEY, { mode: 0o600 });
  const args = [path, '--url', 'http://registry.invalid', '--key-file', keyFile];
  const refused = await pushHere(args);
  assert.is(refused.code, 2);
  assert.match(refused.stderr, 'If the network is yours alone, add --allow-http.');
  const { child, ended } = startPush([...args, '--allow-http']);
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString();
  });
  await eventually('it is tried', () => said !== '' || child.exitCode !== null);
  child.kill('SIGTERM');
  assert.not.match((await ended).stderr, 'add --allow-http');
});

hostile.run();
