import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword, verifyPassword } from '../../adapters/crypto/credentials.ts';
import { createIdentity } from '../../adapters/crypto/ids.ts';
import { createKey } from '../../adapters/crypto/keys.ts';
import { lengthsComposed } from '../support/slow-texts.ts';

const passwords = suite('passwords and accounts');

passwords('a password is kept as a salted Argon2id hash, which it alone fits', async () => {
  const hash = await hashPassword('correct horse battery');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(await verifyPassword(hash, 'correct horse battery'));
  assert.not(await verifyPassword(hash, 'correct horse batterz'));
  assert.is.not(await hashPassword('correct horse battery'), hash);
});

passwords('the same characters, composed or not, are the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, please');
  assert.ok(await verifyPassword(hash, 'cafe\u0301 au lait, please'));
});

passwords('a megabyte of accents is no password, soon', async () => {
  const hash = await hashPassword('correct horse battery');
  const hostile = `a${'\u0300\u0323'.repeat(300_000)}`;
  const composed = await lengthsComposed(async () =>
    assert.not(await verifyPassword(hash, hostile)),
  );
  assert.ok(composed.length > 0);
  assert.ok(Math.max(...composed) <= 4_000, `${Math.max(...composed)} characters were composed`);
});

passwords('the id of an account tells nothing of its email without the identity key', () => {
  const identity = createIdentity(createKey());
  const id = identity.accountId('ada@cedar.example');
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.is(identity.accountId('ada@cedar.example'), id);
  assert.is.not(identity.accountId('eve@cedar.example'), id);
  assert.is.not(createIdentity(createKey()).accountId('ada@cedar.example'), id);
});

passwords.run();
