import { rejects } from 'node:assert/strict';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FindSignedIn } from '../../api/access/signed-in.ts';
import { checkCredentialsWith } from '../../api/pages/sign-in/check-credentials.ts';

/** Whose password it is, with stand-ins for the hashes. */
const credentials = suite('checking a password');

const passwords = {
  find: async (accountId: string) => (accountId === 'known' ? 'hash of known' : null),
  // The password that no account has is a guess of a stranger: it still admits nobody.
  isPassword: async () => true,
  hashPassword: async () => 'hash of nobody',
};

const findSignedIn: FindSignedIn = async (accountId) => ({
  kind: 'staff',
  staffId: accountId,
  email: '',
  seatId: '',
});

credentials('an unknown email costs one comparison with a hash of the same costs', async () => {
  const compared: string[] = [];
  const isPassword = async (passwordHash: string) => {
    compared.push(passwordHash);
    return true;
  };
  const check = checkCredentialsWith({ passwords: { ...passwords, isPassword } }, findSignedIn);
  assert.is(await check('unknown', 'guess'), null);
  assert.is(await check('unknown', 'guess'), null);
  assert.is((await check('known', 'guess'))?.kind, 'staff');
  assert.equal(compared, ['hash of nobody', 'hash of nobody', 'hash of known']);
});

credentials('a hash that could not be made keeps nobody out for longer', async () => {
  let tries = 0;
  const hashPassword = async () => {
    tries += 1;
    if (tries === 1) throw new Error('No memory for it');
    return 'hash of nobody';
  };
  const check = checkCredentialsWith({ passwords: { ...passwords, hashPassword } }, findSignedIn);
  await rejects(check('known', 'password'), /No memory/);
  assert.is((await check('known', 'password'))?.kind, 'staff');
  assert.is(await check('unknown', 'guess'), null);
  assert.is(tries, 2);
});

credentials.run();
