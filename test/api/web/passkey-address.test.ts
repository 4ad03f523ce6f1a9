import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { getPasskeyAddress } from '../../../api/web/passkey-address.ts';

const usable = (rpId: string, origin: string) => ({ kind: 'usable', rpId, origin });
const elsewhere = (href: string) => ({ kind: 'elsewhere', href });

/** The public address, the host of the request, and what follows. */
const CASES = [
  [
    'https://registry.example',
    'registry.example',
    usable('registry.example', 'https://registry.example'),
  ],
  // A proxy may have put another host into the request.
  [
    'https://registry.example:8443/',
    '10.0.0.4:8080',
    usable('registry.example', 'https://registry.example:8443'),
  ],
  [
    'https://registry.example',
    'localhost:8080',
    usable('registry.example', 'https://registry.example'),
  ],
  ['http://127.0.0.1:8080', 'localhost:8080', usable('localhost', 'http://localhost:8080')],
  ['http://localhost:8080', 'localhost:9090', usable('localhost', 'http://localhost:9090')],
  ['http://[::1]:8080', 'localhost:8080', usable('localhost', 'http://localhost:8080')],
  ['http://127.0.0.1:8080', '127.0.0.1:8080', elsewhere('http://localhost:8080')],
  ['http://localhost:8080', '[::1]:8080', elsewhere('http://localhost:8080')],
  ['http://127.0.0.1', '127.0.0.1', elsewhere('http://localhost')],
  ['http://127.0.0.1:8080', 'attacker.example', { kind: 'unusable' }],
  ['http://127.0.0.1:8080', 'localhost.attacker.example', { kind: 'unusable' }],
  ['http://127.0.0.1:8080', 'not a host', { kind: 'unusable' }],
  ['https://192.0.2.7', '192.0.2.7', { kind: 'unusable' }],
  ['https://[2001:db8::7]', '[2001:db8::7]', { kind: 'unusable' }],
  ['http://registry.example', 'registry.example', { kind: 'unusable' }],
] as const;

for (const [baseUrl, host, expected] of CASES)
  test(`${baseUrl} opened at ${host}`, () => {
    assert.equal(getPasskeyAddress(baseUrl, host), expected);
  });

test.run();
