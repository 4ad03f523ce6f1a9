import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Head, Heads, MISSING_HEAD } from '../../adapters/embedded-eventstore/store/heads.ts';

const test = suite('heads');

test('a head that was committed while an older one was read stays', async () => {
  const committed: Head = { ...MISSING_HEAD, revision: 0n };
  const heads = new Heads(async () => {
    heads.set('one', committed);
    return [MISSING_HEAD];
  });
  assert.is(await heads.get('one'), committed);
});

test.run();
