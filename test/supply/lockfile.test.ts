import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALLOWED_LICENSES, LICENSES_READ_BY_HAND } from '../../scripts/checks/licenses.ts';
import { type Lockfile, lockfileProblems } from '../../scripts/checks/lockfile-problems.ts';

const lock = suite('package-lock.json');

const HASH = `sha512-${'A'.repeat(86)}==`;
const sound = { version: '1.0.0', integrity: HASH, license: 'MIT' };

/** A lock file with one sound package, and one that is changed. */
const lockedWith = (
  changes: Readonly<Record<string, unknown>>,
  path = 'node_modules/other',
): Lockfile => ({
  lockfileVersion: 3,
  packages: {
    '': {},
    'node_modules/sound': { ...sound, resolved: 'https://registry.npmjs.org/sound.tgz' },
    [path]: { ...sound, ...changes },
  } as NonNullable<Lockfile['packages']>,
});

for (const [what, lockfile] of [
  ['a package without an address comes from the registry that npm is set to', lockedWith({})],
  ['one of several hashes is as good', lockedWith({ integrity: `${HASH} ${HASH}` })],
  ['a tool may have any license', lockedWith({ dev: true, license: 'MPL-2.0' })],
  ['a scoped package inside another', lockedWith({}, 'node_modules/sound/node_modules/@a/b')],
] as const)
  lock(`sound: ${what}`, () => {
    assert.equal(lockfileProblems(lockfile, {}, []), []);
  });

for (const [what, changes, problem] of [
  ['git', { resolved: 'git+ssh://git@github.com/a/b.git#1' }, /does not come from/],
  ['http', { resolved: 'http://registry.npmjs.org/o.tgz' }, /does not come from/],
  ['a file', { resolved: 'file:../other' }, /does not come from/],
  ['another registry', { resolved: 'https://registry.npmjs.org.example/o.tgz' }, /not come from/],
  ['a link', { link: true, resolved: 'other' }, /directory or a link/],
  ['no hash', { integrity: undefined }, /no sha512 integrity/],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /no sha512 integrity/],
  ['a weak hash beside', { integrity: `${HASH} sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=` }, /no sha512/],
  ['a cut hash', { integrity: 'sha512-AAAA' }, /no sha512 integrity/],
  ['a range', { version: '^1.0.0' }, /no exact version/],
  ['an install script', { hasInstallScript: true }, /says neither yes nor no/],
  ['no license', { license: undefined }, /names no license/],
  ['a license with conditions', { license: 'AGPL-3.0-only' }, /to decide on: AGPL-3.0-only/],
  ['a choice of licenses', { license: '(MIT OR GPL-2.0)' }, /to decide on/],
  ['only an optional one', { optional: true, license: 'GPL-2.0' }, /to decide on/],
] as const)
  lock(`refused: ${what}`, () => {
    const problems = lockfileProblems(lockedWith(changes), {}, []);
    assert.is(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', problem);
    assert.match(problems[0] ?? '', 'node_modules/other');
  });

lock('an install script is decided on by name or by version, and a yes is explained', () => {
  const lockfile = lockedWith({ hasInstallScript: true });
  assert.equal(lockfileProblems(lockfile, { other: false }, []), []);
  assert.equal(lockfileProblems(lockfile, { other: true }, ['Links `other` in.']), []);
  assert.equal(lockfileProblems(lockfile, { 'other@1.0.0': false }, []), []);
  assert.match(lockfileProblems(lockfile, { other: true }, ['another'])[0] ?? '', /no document/);
  assert.match(
    lockfileProblems(lockfile, { 'other@2.0.0': false }, []).join(),
    /neither yes nor no.*decides on other@2\.0\.0/,
  );
});

lock('a lock file of another version, or an empty one, is not content with itself', () => {
  assert.is(lockfileProblems({ lockfileVersion: 1, packages: {} }, {}, []).length, 1);
  assert.is(lockfileProblems({ lockfileVersion: 3, packages: { '': {} } }, {}, []).length, 1);
});

lock('what was read by hand is still there, and allowed', () => {
  const { packages = {} } = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as Lockfile;
  const locked = new Set(
    Object.entries(packages).map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
    ),
  );
  for (const [name, license] of LICENSES_READ_BY_HAND) {
    assert.ok(locked.has(name), `${name} is not locked`);
    assert.ok(ALLOWED_LICENSES.has(license));
  }
});

lock.run();
