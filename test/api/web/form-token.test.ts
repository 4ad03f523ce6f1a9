import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createFormToken,
  MAX_TOKEN_AGE_MS,
  type TokenCheck,
  type TokenOwner,
  verifyFormToken,
} from '../../../api/web/session/form-token.ts';

const SECRET = 'a synthetic secret';
const NOW = new Date('2026-05-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const victim: TokenOwner = { kind: 'account', id: 'victim' };
const attacker: TokenOwner = { kind: 'account', id: 'attacker' };
const browser: TokenOwner = { kind: 'visitor', id: 'one browser' };
const otherBrowser: TokenOwner = { kind: 'visitor', id: 'another browser' };

const tokenOf = (owner: TokenOwner, at = NOW, secret = SECRET) =>
  createFormToken(secret, owner, at);

const ROWS: readonly (readonly [string, string, TokenOwner | null, TokenCheck])[] = [
  ['the sender’s own token', tokenOf(victim), victim, 'sender'],
  ['their own from Friday evening', tokenOf(victim, ago(MAX_TOKEN_AGE_MS)), victim, 'sender'],
  ['from a process whose clock is ahead', tokenOf(victim, ago(-5_000)), victim, 'sender'],
  ['from a clock that was wrong', tokenOf(victim, ago(-10 * 60_000)), victim, 'expired'],
  ['their own, too old', tokenOf(victim, ago(MAX_TOKEN_AGE_MS + 1_000)), victim, 'expired'],
  ['the attacker’s own token', tokenOf(attacker), victim, 'another'],
  ['an old one of the attacker', tokenOf(attacker, ago(2 * MAX_TOKEN_AGE_MS)), victim, 'another'],
  ['an account’s, sent signed out', tokenOf(victim), null, 'another'],
  ['an account’s, sent by a visitor', tokenOf(victim), browser, 'another'],
  ['a visitor’s own', tokenOf(browser), browser, 'sender'],
  ['a visitor’s, after the sign-in', tokenOf(browser), victim, 'visitor'],
  ['a token of the attacker’s browser', tokenOf(otherBrowser), browser, 'visitor'],
  [
    'a visitor with the id of an account',
    tokenOf({ ...victim, kind: 'visitor' }),
    victim,
    'visitor',
  ],
  ['with another secret', tokenOf(victim, NOW, 'a guessed secret'), victim, 'unknown'],
  ['none', '', victim, 'unknown'],
  ['part of one', tokenOf(victim).slice(0, -1), victim, 'unknown'],
  ['longer than one', `${tokenOf(victim)}AAAA`, victim, 'unknown'],
  ['the token of a session of release 0.1', randomBytes(64).toString('hex'), victim, 'unknown'],
  ['not base64', 'of before', victim, 'unknown'],
];

for (const [name, token, sender, expected] of ROWS)
  test(name, () => assert.is(verifyFormToken(SECRET, token, sender, NOW), expected));

test('no bit of a token can be changed, such as its time, its kind, or its owner', () => {
  const bytes = Buffer.from(tokenOf(victim), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const owner = verifyFormToken(SECRET, forged.toString('base64url'), victim, NOW);
    assert.is(owner, 'unknown', `bit ${bit}`);
  }
});

test('the halves of two tokens make none', () => {
  const theirs = Buffer.from(tokenOf(attacker), 'base64url');
  const own = Buffer.from(tokenOf(victim), 'base64url');
  for (let cut = 1; cut < own.length; cut += 1) {
    const mixed = Buffer.concat([theirs.subarray(0, cut), own.subarray(cut)]);
    assert.is(verifyFormToken(SECRET, mixed.toString('base64url'), victim, NOW), 'unknown');
  }
});

test('each token is different and names nobody', () => {
  const tokens = [tokenOf(victim), tokenOf(victim)];
  assert.is.not(tokens[0], tokens[1]);
  for (const token of tokens)
    assert.not(Buffer.from(token, 'base64url').includes(victim.id), 'the id is in the token');
});

test.run();
