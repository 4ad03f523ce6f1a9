import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkEmail, checkPassword, normalizeEmail } from '../../../domain/account/credentials.ts';
import { lengthsComposed } from '../../support/slow-texts.ts';

const credentials = suite('what a person signs in with');

const isTaken = (email: string): boolean => checkEmail(email) === null;

const COMMON = new Set(['password', 'football', 'qwertyuiop12', 'trustno1']);

/** Why a password is refused; null: it is taken. */
const refusalOf = (password: string): string | null =>
  checkPassword(
    password,
    { email: 'ada.okoye@cedar.example', practice: 'Cedar Birth Center' },
    (text) => COMMON.has(text),
  )?.code ?? null;

credentials('an email is compared trimmed and in lower case', () => {
  assert.is(normalizeEmail('  Ada@Cedar.EXAMPLE\n'), 'ada@cedar.example');
});

credentials('a plausible email is taken, another text is not', () => {
  for (const email of ['ada@cedar.example', 'a+b@x.co.uk', 'zoë@bücher.example'])
    assert.ok(isTaken(email), email);
  for (const email of [
    '',
    'ada',
    '@cedar.example',
    'ada@cedar',
    'ada@@cedar.example',
    'ada@cedar..example',
    'a da@cedar.example',
    'ada@.example',
    'ada\u0000@cedar.example',
    'ada\u202e@cedar.example',
    'ada\u200b@cedar.example',
    'ada@ce\u2066dar.example',
    'ada@cedar.exa\u00admple',
    'ada\u200d@cedar.example',
    'ada\u3164@cedar.example',
    'ada\ue000@cedar.example',
    'ada\u0378@cedar.example',
    'ada\ud83d@cedar.example',
    `${'a'.repeat(243)}@cedar.example`,
  ])
    assert.not(isTaken(email), email);
});

credentials('a password has 12 to 1,000 characters', () => {
  assert.is(refusalOf('elevenchars'), 'password-too-short');
  assert.is(refusalOf('twelve chars'), null);
  const long = `${'long sentence '.repeat(80)}`;
  assert.is(refusalOf(long.slice(0, 1_000)), null);
  assert.is(refusalOf(long.slice(0, 1_001)), 'password-too-long');
  // Eleven characters, though twice as many UTF-16 units.
  assert.is(refusalOf('\u{1F476}'.repeat(11)), 'password-too-short');
});

for (const [password, expected] of [
  ['qwertyuiop12', 'password-common'],
  ['QWERTYuiop12', 'password-common'],
  ['football2026!', 'password-common'],
  ['--Football--1', 'password-common'],
  ['passwordpassword', 'password-common'],
  ['trustno1trustno1', 'password-common'],
  ['xxxxxxxxxxxx', 'password-common'],
  ['abcabcabcabc', 'password-common'],
  ['abcdefghijklm', 'password-common'],
  ['890123456789', 'password-common'],
  ['210987654321', 'password-common'],
  ['ada.okoye-secret', 'password-of-names'],
  ['AdaOkoye and a sentence', 'password-of-names'],
  ['cedar birth center 7', 'password-of-names'],
  ['Cedar-Registry-2026', 'password-of-names'],
  ['birthregistry1', 'password-of-names'],
  ['okoye20262026', 'password-of-names'],
  ['cedar-maple-willow-birch', null],
  ['a birth in the old garden', null],
  ['correct horse battery', null],
  ['my football team lost', null],
] as const)
  credentials(`the password “${password}”: ${expected ?? 'taken'}`, () => {
    assert.is(refusalOf(password), expected);
  });

/** Marks of two classes in turn: composing them takes time by the square of their number. */
const HOSTILE = `a${'\u0300\u0323'.repeat(300_000)}`;

credentials('a megabyte of accents is no email, at once', () => {
  const composed = lengthsComposed(() => assert.not(isTaken(normalizeEmail(HOSTILE))));
  assert.ok(composed.length > 0);
  assert.ok(Math.max(...composed) <= 1_000, `${Math.max(...composed)} characters were composed`);
});

credentials.run();
