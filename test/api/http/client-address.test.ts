import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createClientAddress,
  normalizeAddress,
  type TrustProxy,
} from '../../../api/http/client-address.ts';

const addresses = suite('the address of a caller');

for (const [written, plain] of [
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51324', '203.0.113.9'],
  ['[203.0.113.9]:51324', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8::9', '2001:db8::9'],
  ['2001:DB8:0:0:0:0:0:9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['[2001:db8::9]:443', '2001:db8::9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['unknown', 'unknown'],
  ['_hidden:80', '_hidden:80'],
  ['203.0.113.900:80', '203.0.113.900:80'],
  ['[]:80', '[]:80'],
  ['', ''],
] as const)
  addresses(`${written} is ${plain}`, () => {
    assert.is(normalizeAddress(written), plain);
  });

const requestFrom = (socket: string, forwarded: string): IncomingMessage =>
  ({
    socket: { remoteAddress: socket },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

for (const [trusted, socket, forwarded, expected] of [
  [false, '::ffff:10.0.0.1', '203.0.113.9:51324', '10.0.0.1'],
  [1, '10.0.0.1', '198.51.100.1, 203.0.113.9:51324', '203.0.113.9'],
  // A proxy before the last one writes its port, too.
  [2, '10.0.0.1', '203.0.113.9:51324, 10.0.0.2:443', '203.0.113.9'],
  [['10.0.0.0/8'], '10.0.0.1', '203.0.113.9:51324, 10.0.0.2:443', '203.0.113.9'],
  [['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9, [::ffff:10.0.0.2]:443', '203.0.113.9'],
  [['fd00::/8'], 'fd00::1', '[2001:db8::9]:443, [fd00::2]:443', '2001:db8::9'],
  [['10.0.0.0/8'], '203.0.113.1', '198.51.100.7:80', '203.0.113.1'],
] as const satisfies readonly (readonly [TrustProxy, string, string, string])[])
  addresses(`${forwarded} by way of ${socket}, where ${trusted} is trusted: ${expected}`, () => {
    assert.is(createClientAddress(trusted)(requestFrom(socket, forwarded)), expected);
  });

addresses.run();
