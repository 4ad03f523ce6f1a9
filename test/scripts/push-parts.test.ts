import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openOutbox } from '../../scripts/push/outbox.ts';
import { openInput, type PushItem } from '../../scripts/push/read-items.ts';
import { retryAfter } from '../../scripts/push/registry-client.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const parts = suite('parts of birth-registry push');

const directory = temporaryDirectory('push');
const MEBIBYTE = 1024 * 1024;

const fileOf = (name: string, content: string): string => {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
};

const itemsIn = async (path: string, pieces: readonly string[] = []) => {
  const input = await openInput(path, Readable.from(pieces.map((piece) => Buffer.from(piece))));
  const items: PushItem[] = [];
  for await (const item of input.items()) items.push(item);
  if (input.total !== null) assert.is(items.length, input.total);
  return items.map(({ name, content }) => [name, content?.toString() ?? null]);
};

const PRETTY = '{\n  "resourceType": "Bundle"\n}\n';

for (const [name, content, expected] of [
  ['one Bundle on several lines', PRETTY, [['f.json', PRETTY]]],
  ['one Bundle on one line', '{"a":1}', [['f.json', '{"a":1}']]],
  [
    'a Bundle on each line',
    '{"a":1}\n{"b":2}\n',
    [
      ['f.json:1', '{"a":1}\n'],
      ['f.json:2', '{"b":2}\n'],
    ],
  ],
  [
    'blank lines count as lines, not as Bundles; the last line needs no end',
    '\n{"a":1}\r\n\n{"b":2}',
    [
      ['f.json:2', '{"a":1}\r\n'],
      ['f.json:4', '{"b":2}'],
    ],
  ],
  [
    'a line that is no JSON is for the registry to refuse',
    '{"a":1}\nno JSON\n',
    [
      ['f.json:1', '{"a":1}\n'],
      ['f.json:2', 'no JSON\n'],
    ],
  ],
  ['nothing', ' \n', []],
] as const)
  parts(name, async () => {
    const path = fileOf('f.json', content);
    assert.equal(await itemsIn(path), expected);
    const named = expected.map(([at, text]) => [at.replace('f.json', 'line'), text]);
    for (const length of [1, 3, content.length])
      assert.equal(
        await itemsIn('-', content.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []),
        named,
      );
  });

parts('what is longer than the registry takes is not held in memory', async () => {
  const long = `{"a":"${'x'.repeat(20 * MEBIBYTE)}"}`;
  const names = await itemsIn(fileOf('long.ndjson', `{"a":1}\n${long}\n{"b":2}\n`));
  assert.equal(names, [
    ['long.ndjson:1', '{"a":1}\n'],
    ['long.ndjson:2', null],
    ['long.ndjson:3', '{"b":2}\n'],
  ]);
  assert.equal(await itemsIn(fileOf('long.json', long)), [['long.json', null]]);
});

parts('the files of a directory come by name, and nothing else in it', async () => {
  const path = join(directory.path, 'several');
  mkdirSync(join(path, 'c'), { recursive: true });
  for (const name of ['b.json', 'a.json', 'notes.txt', 'c/d.json'])
    writeFileSync(join(path, name), '{}');
  writeFileSync(join(path, 'b.ndjson'), '{}\n{}\n');
  const names = (await itemsIn(path)).map(([name]) => name);
  assert.equal(names, ['a.json', 'b.json', 'b.ndjson:1', 'b.ndjson:2', 'c/d.json']);
});

parts('each file comes once, however many links lead to it', async () => {
  const path = join(directory.path, 'linked');
  mkdirSync(join(path, 'within', 'named.json'), { recursive: true });
  for (const name of ['b.json', 'within/c.json', 'within/named.json/d.json'])
    writeFileSync(join(path, name), '{}');
  symlinkSync(path, join(path, 'a-loop'));
  symlinkSync(join(path, 'within'), join(path, 'again'));
  symlinkSync(join(path, 'b.json'), join(path, 'a.json'));
  linkSync(join(path, 'b.json'), join(path, 'z.json'));
  symlinkSync('nowhere', join(path, 'notes.txt'));
  const names = (await itemsIn(path)).map(([name]) => name);
  assert.equal(names, ['b.json', 'within/c.json', 'within/named.json/d.json']);
});

parts('a pipe is refused by name, before anything is read', async () => {
  const path = join(directory.path, 'piped');
  mkdirSync(path);
  execFileSync('mkfifo', [join(path, 'a.json')]);
  for (const input of [path, join(path, 'a.json')]) {
    const error = await openInput(input, Readable.from([])).catch((caught: unknown) => caught);
    assert.is((error as Error).name, 'InputUnusable');
    assert.match((error as Error).message, 'a.json is not a regular file');
  }
});

for (const [name, path] of [
  ['no such file', join(directory.path, 'missing')],
  ['a directory without Bundles', directory.path],
] as const)
  parts(`${name} is said`, async () => {
    const without = temporaryDirectory('push');
    const error = await openInput(
      path === directory.path ? without.path : path,
      Readable.from([]),
    ).catch((caught: unknown) => caught);
    assert.is((error as Error).name, 'InputUnusable');
    without.remove();
  });

const item = (name: string, content: string): PushItem => ({ name, content: Buffer.from(content) });

parts('the outbox knows what was sent, and holds nothing of it', async () => {
  const path = join(directory.path, 'one.outbox');
  const TO = ['https://registry.example', 'a-secret-key'];
  const first = await openOutbox(path, TO);
  const [id, other] = [first.identify(item('a', 'Marin')), first.identify(item('b', 'Marin'))];
  assert.is.not(id, other, 'two files with the same Bundle are two Bundles');
  const key = first.idempotencyKey(id);
  await first.record(id, { failures: 0, receipt: 'https://registry.example/1' });
  await first.close();
  // Killed in the middle of a line.
  appendFileSync(path, '{"id":"half');

  const second = await openOutbox(path, TO);
  assert.is(second.identify(item('a', 'Marin')), id);
  assert.is(second.idempotencyKey(id), key);
  assert.equal(second.find(id), { failures: 0, receipt: 'https://registry.example/1' });
  assert.equal(second.find(other), { failures: 0 });
  await second.record(id, { failures: 1, outcome: 'failed' });
  assert.is.not(second.idempotencyKey(id), key, 'what failed is sent under another key');
  await second.close();

  const third = await openOutbox(path, TO);
  assert.equal(third.find(id), { failures: 1, outcome: 'failed' });
  await third.close();
  const anotherKey = await openOutbox(path, [TO[0] ?? '', 'another-key']);
  assert.equal(anotherKey.find(id), { failures: 0 }, 'perhaps of another practice');
  assert.is(anotherKey.idempotencyKey(id), key, 'perhaps of the same one');
  await anotherKey.close();
  const text = readFileSync(path, 'utf8');
  assert.not.match(text, /Marin|secret|another-key/);
  assert.is(statSync(path).mode & 0o777, 0o600);
});

parts('a file that is no outbox stays as it is', async () => {
  const path = fileOf('notes.outbox', 'My notes\n');
  const error = await openOutbox(path, []).catch((caught: unknown) => caught);
  assert.is((error as Error).name, 'OutboxUnusable');
  assert.is(readFileSync(path, 'utf8'), 'My notes\n');
});

const HOUR_MS = 3_600_000;

parts('Retry-After is read as seconds and as a date', () => {
  const after = (value?: string) =>
    retryAfter({ headers: new Headers(value === undefined ? {} : { 'Retry-After': value }) });
  assert.is(after('7'), 7_000);
  assert.is(after('0'), 0);
  assert.is(after(), null);
  for (const odd of ['soon', '-5', '1.5', '99999999999', 'NaN']) assert.is(after(odd), null, odd);
  assert.is(after('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
  const inAnHour = after(new Date(Date.now() + HOUR_MS).toUTCString()) ?? 0;
  assert.ok(inAnHour > HOUR_MS / 2 && inAnHour <= HOUR_MS, String(inAnHour));
});

parts.run();
