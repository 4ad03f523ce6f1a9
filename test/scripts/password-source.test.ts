import { rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPassword } from '../../scripts/operator/password-source.ts';

const source = suite('where the operator gives a password');

const readFrom = (...chunks: readonly string[]): Promise<string> =>
  readPassword(Readable.from(chunks));

source('standard input holds it, with or without the end of a line', async () => {
  assert.is(await readFrom('a long passphrase'), 'a long passphrase');
  assert.is(await readFrom('a long ', 'passphrase\n'), 'a long passphrase');
  assert.is(await readFrom('a long passphrase\r\n'), 'a long passphrase');
});

source('blanks are part of it, in front and behind', async () => {
  assert.is(await readFrom('  with blanks  \n'), '  with blanks  ');
});

source('nothing, several lines and a whole file are no password', async () => {
  for (const text of ['', '\n', 'one\ntwo\n', 'one\n\n', `${'x'.repeat(200_000)}\n`.repeat(2)])
    await rejects(readFrom(text), (error: Error) => error.name === 'WrongUsage');
});

source('no message repeats what was given', async () => {
  await rejects(readFrom('secret\nwords'), (error: Error) => !/secret|words/.test(error.message));
});

source('a person is asked, and a line of theirs is enough', async () => {
  const typed = Object.assign(Readable.from(['typed words\r', 'more']), { isTTY: true });
  assert.is(await readPassword(typed), 'typed words');
});

source('whoever ends the input gives none', async () => {
  const ended = Object.assign(Readable.from([]), { isTTY: true });
  await rejects(readPassword(ended), (error: Error) => error.name === 'WrongUsage');
});

source('a character that comes in two pieces is one', async () => {
  const bytes = Buffer.from('pässphrase für später');
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  assert.is(await readPassword(Readable.from(pieces)), 'pässphrase für später');
});

source.run();
