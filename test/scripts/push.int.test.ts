import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import {
  countPushed,
  type FrontFault,
  pushHere,
  startFront,
  startPush,
} from '../harness/push-command.ts';
import { newPractice, sharedTestService } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle, retractionBundle } from '../support/bundles.ts';

const pushing = suite('birth-registry push');

const service = await sharedTestService();
const directory = temporaryDirectory('push');
pushing.after(async () => {
  directory.remove();
  await service.stop();
});

let inputs = 0;

/** A practice with a key in a file, and an empty directory. */
const newSender = async () => {
  const practice = await newPractice(service.commands);
  inputs += 1;
  const path = join(directory.path, String(inputs));
  mkdirSync(path);
  const keyFile = join(directory.path, `${inputs}.key`);
  writeFileSync(keyFile, `${practice.token}\n`, { mode: 0o600 });
  const to = (url: string) => ['--url', url, '--key-file', keyFile] as const;
  return { ...practice, path, to };
};

const births = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) =>
    birthBundle({ chartNumber: `PUSH-${at}`, mother: { family: `Marin ${at}`, given: ['Ana'] } }),
  );

const writeFiles = (path: string, bundles: readonly object[]): void => {
  for (const [at, bundle] of bundles.entries())
    writeFileSync(join(path, `birth-${String(at).padStart(3, '0')}.json`), JSON.stringify(bundle));
};

const ndjson = (bundles: readonly object[]): string =>
  bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join('');

const summaryOf = ({ stdout }: { readonly stdout: string }) => {
  const { problems, ...counts } = JSON.parse(stdout);
  return { ...counts, problems: problems.map(({ name }: { name: string }) => name) };
};

pushing('a directory is pushed, told in a table, and not sent a second time', async () => {
  const { practiceId, path, to } = await newSender();
  writeFiles(path, births(3));
  const first = await pushHere([path, ...to(service.url)]);
  assert.is(first.code, 0, first.stderr);
  assert.match(first.stdout, /All of them were accepted\./);
  assert.match(first.stdout, /accepted +3/);
  const again = await pushHere([path, ...to(service.url), '--json']);
  assert.is(again.code, 0, again.stderr);
  assert.is(again.stderr, '');
  assert.equal(summaryOf(again), { accepted: 3, rejected: 0, failed: 0, notSent: 0, problems: [] });
  assert.equal(await countPushed(service, practiceId), { ingestions: 3, records: 3 });
});

pushing('what is rejected or refused is named, and the status is 3', async () => {
  const { practiceId, path, to } = await newSender();
  const [good, bad] = births(2);
  const file = join(path, 'births.ndjson');
  const rejected = { ...bad, entry: [] };
  writeFileSync(file, `${ndjson([good ?? {}, rejected])}no JSON\n`);
  for (const _time of ['first', 'again']) {
    const { code, stdout } = await pushHere([file, ...to(service.url)]);
    assert.is(code, 3);
    assert.match(stdout, /births\.ndjson:2 +rejected +\S/);
    assert.match(stdout, /births\.ndjson:3 +rejected +\S/);
    assert.not.match(stdout, /Marin/);
  }
  assert.equal(await countPushed(service, practiceId), { ingestions: 2, records: 1 });
  assert.not.match(readFileSync(`${file}.outbox`, 'utf8'), /Marin|PUSH-/);
});

pushing('amendments arrive in the order of the lines', async () => {
  const { practiceId, path, to } = await newSender();
  const versions = Array.from({ length: 12 }, (_, at) =>
    birthBundle({
      chartNumber: 'PUSH-1',
      lastUpdated: `2026-05-13T08:${String(at).padStart(2, '0')}:00Z`,
    }),
  );
  const args = ['-', ...to(service.url), '--json'];
  const { code, stdout } = await startPush(args, ndjson(versions), path).ended;
  assert.is(code, 0, stdout);
  assert.equal(await countPushed(service, practiceId), { ingestions: 12, records: 1 });
});

const FAULTS: readonly FrontFault[] = [null, 429, 'lose', null, 503, null, 'cut', null, 'lose'];

pushing('a registry that is busy, away, or loses its answers gets each birth once', async () => {
  const { practiceId, path, to } = await newSender();
  writeFiles(path, births(10));
  const front = await startFront(service.url, (number) => FAULTS[number % FAULTS.length] ?? null);
  const { code, stdout, stderr } = await pushHere([path, ...to(front.url), '--json']);
  front.close();
  assert.is(code, 0, stderr);
  assert.is(summaryOf({ stdout }).accepted, 10);
  assert.ok(front.seen.POST > 10, 'some were sent again');
  assert.equal(await countPushed(service, practiceId), { ingestions: 10, records: 10 });
});

pushing('killed in the middle, it goes on and reads every receipt', async () => {
  const { practiceId, path, to } = await newSender();
  writeFiles(path, births(40));
  const front = await startFront(service.url, () => null);
  for (const sent of [5, 15, 30]) {
    const { child, ended } = startPush([path, ...to(front.url)]);
    await eventually(`${sent} were sent`, () => front.seen.POST >= sent);
    child.kill('SIGKILL');
    await ended;
  }
  const { code, stdout } = await pushHere([path, ...to(front.url), '--json']);
  front.close();
  assert.is(code, 0);
  assert.is(summaryOf({ stdout }).accepted, 40);
  assert.ok(front.seen.POST < 40 + 10, `${front.seen.POST} were sent: one a kill is sent again`);
  assert.equal(await countPushed(service, practiceId), { ingestions: 40, records: 40 });
});

for (const [name, keyOf, expected] of [
  [
    'a key that nobody has minted',
    () => 'brk_not-a-key-of-this-registry',
    /does not know the API key \(401\)/,
  ],
  [
    'a key that may not send',
    async () => (await newPractice(service.commands, ['ingest:read'])).token,
    /may not do this \(403\)/,
  ],
  [
    'a key that may not read receipts',
    async () => (await newPractice(service.commands, ['ingest:write'])).token,
    /may not do this \(403\)/,
  ],
] as const)
  pushing(`${name} ends the run with what to do`, async () => {
    const { path, to } = await newSender();
    writeFiles(path, births(2));
    const token = await keyOf();
    writeFileSync(to(service.url)[3], token);
    const { code, stdout, stderr } = await pushHere([path, ...to(service.url), '--json']);
    assert.is(code, 1);
    assert.match(stderr, expected);
    assert.ok(summaryOf({ stdout }).notSent > 0);
    assert.not.ok(`${stdout}${stderr}`.includes(token));
  });

pushing('a receipt that the registry has lost is asked for anew, under the same key', async () => {
  const { practiceId, path, to } = await newSender();
  writeFiles(path, births(3));
  const front = await startFront(service.url, (_number, method) => (method === 'GET' ? 404 : null));
  const lost = await pushHere([path, ...to(front.url), '--json']);
  front.close();
  assert.is(lost.code, 1);
  assert.match(lost.stderr, /Give the command again/);
  const { code, stdout } = await pushHere([path, ...to(service.url), '--json']);
  assert.is(code, 0);
  assert.is(summaryOf({ stdout }).accepted, 3);
  assert.equal(await countPushed(service, practiceId), { ingestions: 3, records: 3 });
});

pushing('an answer that no registry gives ends the run, and is no outcome', async () => {
  const { practiceId, path, to } = await newSender();
  writeFiles(path, births(2));
  const front = await startFront(service.url, () => 200);
  const { code, stderr, stdout } = await pushHere([path, ...to(front.url), '--json']);
  front.close();
  assert.is(code, 1);
  assert.match(stderr, /not one of a registry \(200\)/);
  assert.is(summaryOf({ stdout }).notSent, 2);
  assert.is((await pushHere([path, ...to(service.url)])).code, 0);
  assert.equal(await countPushed(service, practiceId), { ingestions: 2, records: 2 });
});

pushing('a dry run sends nothing and leaves nothing behind', async () => {
  const { practiceId, path } = await newSender();
  const [good, bad] = births(2);
  const lines = ndjson([good ?? {}, { ...bad, entry: [] }, retractionBundle('PUSH-0')]);
  const { code, stdout } = await pushHere(['-', '--dry-run', '--json'], lines);
  assert.is(code, 3);
  assert.equal(summaryOf({ stdout }), {
    ...{ accepted: 2, rejected: 1, failed: 0, notSent: 0 },
    problems: ['line:2'],
  });
  writeFiles(path, [good ?? {}]);
  const accepted = await pushHere([path, '--dry-run', '--json']);
  assert.is(accepted.code, 0);
  assert.is(summaryOf(accepted).accepted, 1);
  assert.equal(await countPushed(service, practiceId), { ingestions: 0, records: 0 });
});

for (const args of [
  [],
  ['a.json', 'b.json', '--dry-run'],
  ['a.json'],
  ['a.json', '--url', 'registry', '--key-file', 'key'],
  ['a.json', '--url', 'https://registry.example', '--key-file', join(directory.path, 'missing')],
  ['a.json', '--token', 'secret'],
  ['a.json', '--url', 'https://me:secret@registry.example', '--key-file', 'key'],
  ['a.json', '--url', 'https://registry.example?secret', '--key-file', 'key'],
  ['a.json', '--url', 'http://localhost.example', '--key-file', 'key'],
] as const)
  pushing(`wrong usage: ${args.map((arg) => arg.split('/').at(-1)).join(' ')}`, async () => {
    const path = join(directory.path, 'a.json');
    writeFileSync(path, '{}');
    const { code, stderr, stdout } = await pushHere(
      args.map((arg) => (arg === 'a.json' ? path : arg)),
    );
    assert.is(code, 2);
    assert.match(stderr, 'Usage: npx --no birth-registry push');
    assert.is(stdout, '');
    assert.not.match(stderr, 'secret');
  });

pushing.run();
