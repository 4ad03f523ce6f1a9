import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSignInFingerprint } from '../../adapters/crypto/credentials.ts';

const placeOf = createSignInFingerprint('a secret of the registry');

test('an account signs in from the same place while address and password are the same', () => {
  const place = placeOf('account', '203.0.113.7', 'hash');
  assert.is(placeOf('account', '203.0.113.7', 'hash'), place);
  const others = [
    placeOf('another', '203.0.113.7', 'hash'),
    placeOf('account', '203.0.113.8', 'hash'),
    placeOf('account', '203.0.113.7', 'hash of a new password'),
    placeOf('account', '203.0.113.7', null),
    createSignInFingerprint('another secret')('account', '203.0.113.7', 'hash'),
  ];
  assert.is(new Set([place, ...others]).size, 6);
});

test('a place tells nothing of what it is made of', () => {
  assert.not.match(placeOf('account', '203.0.113.7', 'hash'), /account|203|hash/);
});

test.run();
