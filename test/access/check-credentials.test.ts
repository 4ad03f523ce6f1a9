import { rejects } from 'node:assert/strict';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FindSignedIn } from '../../api/access/signed-in.ts';
import { createCredentialCheck } from '../../api/pages/accounts/sign-in/check-credentials.ts';

/** Whose password it is, with stand-ins for the hashes. */
const credentials = suite('checking a password');

const held = {
  hash: 'hash of known',
  generation: '1',
  endsAt: null,
  failures: 0,
  failedSince: null,
};

const passwords = {
  find: async (accountId: string) => (accountId === 'known' ? held : null),
  hashOneTimePassword: (typed: string) => typed,
  // The password that no account has is a guess of a stranger: it still admits nobody.
  verifyPassword: async () => true,
  hashPassword: async () => 'hash of nobody',
};

const findSignedIn: FindSignedIn = async (accountId) => ({
  kind: 'staff',
  staffId: accountId,
  email: '',
  name: null,
  seatId: '',
});

const sources = { passwords, invitations: { find: async () => null }, now: () => new Date() };

const kindOf = async (check: ReturnType<typeof createCredentialCheck>, accountId: string) =>
  (await check({ accountId, password: 'guess', address: 'ward', isKnownAddress: false })).kind;

credentials('an unknown email costs one comparison with a hash of the same costs', async () => {
  const compared: string[] = [];
  const verifyPassword = async (passwordHash: string) => {
    compared.push(passwordHash);
    return true;
  };
  const check = createCredentialCheck(
    { ...sources, passwords: { ...passwords, verifyPassword } },
    findSignedIn,
  );
  assert.is(await kindOf(check, 'unknown'), 'wrong');
  assert.is(await kindOf(check, 'unknown'), 'wrong');
  assert.is(await kindOf(check, 'known'), 'account');
  assert.equal(compared, ['hash of nobody', 'hash of nobody', 'hash of known']);
});

credentials('a hash that could not be made keeps nobody out for longer', async () => {
  let tries = 0;
  const hashPassword = async () => {
    tries += 1;
    if (tries === 1) throw new Error('No memory for it');
    return 'hash of nobody';
  };
  const check = createCredentialCheck(
    { ...sources, passwords: { ...passwords, hashPassword } },
    findSignedIn,
  );
  await rejects(kindOf(check, 'known'), /No memory/);
  assert.is(await kindOf(check, 'known'), 'account');
  assert.is(await kindOf(check, 'unknown'), 'wrong');
  assert.is(tries, 2);
});

const NOW = new Date('2026-03-01T12:00:00Z');
const [BEFORE, LATER] = [new Date('2026-03-01T11:59:59Z'), new Date('2026-03-01T12:00:01Z')];

for (const [name, changes, isKnownAddress, expected] of [
  ['one of the owner opens', {}, false, 'account'],
  ['one that was handed over opens in time', { endsAt: LATER }, false, 'account'],
  ['one that was handed over too long ago has ended', { endsAt: BEFORE }, false, 'expired'],
  ['99 wrong ones before do no harm', { failures: 99 }, false, 'account'],
  ['after 100 it may have been guessed', { failures: 100 }, false, 'wrong'],
  ['but where the account was used before it opens', { failures: 100 }, true, 'account'],
] as const)
  credentials(`a right password: ${name}`, async () => {
    const find = async () => ({ ...held, ...changes });
    const check = createCredentialCheck(
      { ...sources, passwords: { ...passwords, find }, now: () => NOW },
      findSignedIn,
    );
    const typed = { accountId: 'known', password: 'right', address: 'ward', isKnownAddress };
    assert.is((await check(typed)).kind, expected);
  });

for (const [name, endsAt, expected] of [
  ['in time', LATER, 'invitation'],
  ['too late', BEFORE, 'expired'],
] as const)
  credentials(`the password of an invitation, ${name}`, async () => {
    const invitations = { find: async () => ({ practiceId: 'p', endsAt }) };
    const check = createCredentialCheck({ ...sources, invitations, now: () => NOW }, findSignedIn);
    assert.is(await kindOf(check, 'unknown'), expected);
  });

credentials.run();
