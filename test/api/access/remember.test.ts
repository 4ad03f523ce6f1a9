import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createVersionedCache } from '../../../api/process/remember.ts';

const remembering = suite('what is remembered under the access version');

remembering('it is read once, and again when the version has changed', async () => {
  let version = 1n;
  let reads = 0;
  const find = createVersionedCache(
    async () => version,
    async (key) => `${key}${++reads}`,
  );
  assert.equal([await find('a'), await find('a'), await find('b')], ['a1', 'a1', 'b2']);
  version = 2n;
  assert.is(await find('a'), 'a3');
});

remembering('nothing is remembered as a value like any other', async () => {
  let reads = 0;
  const find = createVersionedCache<string | null>(
    async () => 1n,
    async () => {
      reads += 1;
      return null;
    },
  );
  assert.equal([await find('a'), await find('a'), reads], [null, null, 1]);
});

remembering('an answer that was read under an older version is not kept', async () => {
  let version = 1n;
  let held = 'old';
  const answers: ((value: string) => void)[] = [];
  const find = createVersionedCache<string>(
    async () => version,
    () =>
      new Promise((resolve) => {
        answers.push(resolve);
      }),
  );
  const first = find('a');
  await new Promise(setImmediate);
  version = 2n;
  held = 'new';
  const other = find('b');
  await new Promise(setImmediate);
  answers[0]?.('old');
  answers[1]?.(held);
  assert.equal([await first, await other], ['old', 'new']);

  const again = find('a');
  await new Promise(setImmediate);
  answers[2]?.(held);
  assert.is(await again, 'new');
});

remembering('while the version cannot be known nothing is answered', async () => {
  const find = createVersionedCache(
    () => Promise.reject(new Error('The database is away')),
    async () => 'value',
  );
  const outcome = await find('a').catch((error: Error) => error.message);
  assert.is(outcome, 'The database is away');
});

remembering.run();
