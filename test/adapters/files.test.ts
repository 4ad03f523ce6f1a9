import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { publishFile } from '../../adapters/files/publish-file.ts';
import { decodeText, readTextUpTo } from '../../adapters/files/read-file.ts';
import { clearDrafts } from '../../scripts/operator/unfinished-files.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const files = suite('files that a person names');
const directory = temporaryDirectory('files');
files.after(() => directory.remove());

let made = 0;
const draftWith = (content: string): readonly [draft: string, path: string] => {
  made += 1;
  const path = join(directory.path, String(made));
  writeFileSync(`${path}.draft`, content, { mode: 0o600 });
  return [`${path}.draft`, path];
};

const withoutLinks = (code: string) => () =>
  Promise.reject(Object.assign(new Error(code), { code, syscall: 'link' }));

for (const [name, makeLink] of [
  ['by a link', undefined],
  ['by a copy where links are not permitted', withoutLinks('EPERM')],
  ['by a copy where links do not exist', withoutLinks('ENOTSUP')],
] as const)
  files(`a draft gets its name ${name}, and replaces nothing`, async () => {
    const [draft, path] = draftWith('whole');
    await publishFile(draft, path, makeLink);
    assert.is(readFileSync(path, 'utf8'), 'whole');
    assert.is(statSync(path).mode & 0o777, 0o600);
    assert.not(existsSync(draft));
    writeFileSync(draft, 'another');
    const error = await publishFile(draft, path, makeLink).catch((caught: unknown) => caught);
    assert.is((error as NodeJS.ErrnoException).code, 'EEXIST');
    assert.is(readFileSync(path, 'utf8'), 'whole');
    assert.is(readFileSync(draft, 'utf8'), 'another', 'the draft stays');
  });

files('another fault of a link is no reason to copy', async () => {
  const [draft, path] = draftWith('whole');
  const error = await publishFile(draft, path, withoutLinks('ENOSPC')).catch(
    (caught: unknown) => caught,
  );
  assert.is((error as NodeJS.ErrnoException).code, 'ENOSPC');
  assert.not(existsSync(path));
});

files('a text is read with every mark of its encoding', () => {
  const text = '{"a":"Núñez"}';
  const bigEndian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    bigEndian,
  ])
    assert.is(decodeText(bytes), text);
  assert.is(decodeText(Buffer.alloc(0)), '');
});

files('a file over the limit is not read to its end', async () => {
  assert.is(await readTextUpTo('/dev/zero', 1024), null);
  const [, path] = draftWith('');
  writeFileSync(path, 'x'.repeat(1024));
  assert.is((await readTextUpTo(path, 1024))?.length, 1024);
  assert.is(await readTextUpTo(path, 1023), null);
});

for (const [typed, isRemoved] of [
  ['y\n', true],
  ['Yes\n', true],
  ['\n', false],
  ['n\n', false],
  ['', false],
] as const)
  files(
    `a person is asked before a file is removed, and types ${JSON.stringify(typed)}`,
    async () => {
      const [, path] = draftWith('');
      const left = `${path}.unfinished-0a1b2c3d`;
      writeFileSync(left, '{}');
      const input = Object.assign(new PassThrough(), { isTTY: true });
      const output = Object.assign(new PassThrough(), { isTTY: true });
      input.end(typed);
      const said: string[] = [];
      await clearDrafts(path, false, (line) => void said.push(line), { input, output });
      assert.is(existsSync(left), !isRemoved);
      assert.match(said.join(' '), isRemoved ? 'It was removed.' : '--remove-unfinished');
      for (const name of readdirSync(directory.path))
        if (name.includes('.unfinished-'))
          await clearDrafts(path, true, () => undefined, { input, output });
    },
  );

files.run();
