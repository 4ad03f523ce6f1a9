import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAllowsAddress, parseRanges } from '../../../api/access/address-ranges.ts';

const reading = suite('addresses typed for a key');

const READ: readonly (readonly [typed: string, ranges: readonly string[]])[] = [
  ['', []],
  [' \n ', []],
  ['203.0.113.7', ['203.0.113.7']],
  ['203.0.113.7/32', ['203.0.113.7']],
  ['203.0.113.0/24, 198.51.100.0/25', ['203.0.113.0/24', '198.51.100.0/25']],
  ['10.0.0.0/8\r\n10.0.0.0/8;192.168.0.1', ['10.0.0.0/8', '192.168.0.1']],
  ['2001:DB8::/32', ['2001:db8::/32']],
  ['2001:0db8:0000::0001', ['2001:db8::1']],
  ['2001:db8::1/128', ['2001:db8::1']],
  // An IPv4 address, whoever writes it.
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['::ffff:cb00:7107', ['203.0.113.7']],
  ['::ffff:203.0.113.0/120', ['203.0.113.0/24']],
];

for (const [typed, ranges] of READ)
  reading(`${JSON.stringify(typed)} are ${JSON.stringify(ranges)}`, () => {
    assert.equal(parseRanges(typed), { kind: 'ranges', ranges });
  });

const UNREADABLE: readonly (readonly [typed: string, at: number])[] = [
  ['maple.example', 1],
  ['203.0.113.7 203.0.113', 2],
  ['203.0.113.256', 1],
  ['203.0.113.0/33', 1],
  ['203.0.113.0/-1', 1],
  ['203.0.113.0/', 1],
  ['0.0.0.0/0', 1],
  ['::/0', 1],
  ['2001:db8::/129', 1],
  ['10.0.0.1 2001:db8::g', 2],
  ['fe80::1%eth0', 1],
  ['::ffff:0.0.0.0/96', 1],
  ['0x7f.1', 1],
  ['127.1', 1],
  ['203.0.113.7:443', 1],
];

for (const [typed, at] of UNREADABLE)
  reading(`${JSON.stringify(typed)} cannot be read, number ${at}`, () => {
    assert.equal(parseRanges(typed), { kind: 'unreadable', at });
  });

reading.run();

const matching = suite('the address of a request');

matching('is not looked at without ranges', () => {
  assert.is(createAllowsAddress([]), null);
});

const MATCHED: readonly (readonly [range: string, address: string, isAllowed: boolean])[] = [
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.77/24', '203.0.113.1', true],
  ['203.0.113.0/24', '::ffff:203.0.113.9', true],
  ['203.0.113.0/24', '::ffff:cb00:7109', true],
  ['203.0.113.0/24', '::ffff:203.0.114.9', false],
  ['203.0.113.0/24', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::/32', '203.0.113.7', false],
  ['2001:db8::1', '2001:0DB8::0:1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  ['127.0.0.0/8', '', false],
  ['127.0.0.0/8', 'unknown', false],
  ['127.0.0.0/8', '127.0.0.1:8080', false],
];

for (const [range, address, isAllowed] of MATCHED)
  matching(`${range} ${isAllowed ? 'allows' : 'refuses'} ${JSON.stringify(address)}`, () => {
    assert.is(createAllowsAddress([range])?.(address), isAllowed);
  });

matching('may be in any of several', () => {
  const allows = createAllowsAddress(['198.51.100.0/24', '2001:db8::/32', '203.0.113.7']);
  assert.ok(allows?.('203.0.113.7') && allows('2001:db8::9'));
  assert.not(allows?.('203.0.113.8'));
});

matching.run();
