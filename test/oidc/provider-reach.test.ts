import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findProviderPolicy } from '../../adapters/oidc/provider-reach.ts';

/** What an Admin of a practice types must not lead to machines beside the registry. */
for (const [issuer, endpoint, operator, practice, onThisMachine] of [
  ['https://login.example', 'https://login.example/token', 'anywhere', 'outside', 'outside'],
  ['https://login.example', 'https://keys.example/jwks', 'outside', 'outside', 'outside'],
  ['https://login.example', 'http://login.example/token', null, null, null],
  ['https://login.example', 'https://127.0.0.1/token', null, null, null],
  ['https://login.example', 'https://169.254.169.254/', null, null, null],
  ['https://login.example', 'https://u:p@login.example/token', null, null, null],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/token', 'loopback', null, 'loopback'],
  ['https://localhost', 'https://localhost/token', 'loopback', null, 'loopback'],
  ['http://login.example', 'http://login.example/token', null, null, null],
  // The connection refuses what is within: `outside` is all that a practice has.
  ['https://10.0.0.5', 'https://10.0.0.5/token', 'anywhere', 'outside', 'outside'],
  ['no address', 'https://login.example/token', null, null, null],
] as const)
  test(`from ${issuer} to ${endpoint}`, () => {
    assert.is(findProviderPolicy(endpoint, issuer, 'operator'), operator);
    assert.is(findProviderPolicy(endpoint, issuer, 'practice'), practice);
    assert.is(findProviderPolicy(endpoint, issuer, 'practice-on-this-machine'), onThisMachine);
  });

test.run();
