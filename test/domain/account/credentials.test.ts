import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { credentialsRefusal, normalisedEmail } from '../../../domain/account/credentials.ts';

const credentials = suite('what a person signs in with');

const password = 'correct horse';
const isTaken = (email: string): boolean => credentialsRefusal({ email, password }) === null;

credentials('an email is compared trimmed and in lower case', () => {
  assert.is(normalisedEmail('  Ada@Cedar.EXAMPLE\n'), 'ada@cedar.example');
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
    `${'a'.repeat(243)}@cedar.example`,
  ])
    assert.not(isTaken(email), email);
});

credentials('a password has 12 to 1,000 characters', () => {
  const email = 'ada@cedar.example';
  const isFit = (password: string) => credentialsRefusal({ email, password }) === null;
  assert.not(isFit('x'.repeat(11)));
  assert.ok(isFit('x'.repeat(12)));
  assert.ok(isFit('x'.repeat(1_000)));
  assert.not(isFit('x'.repeat(1_001)));
  // Eleven characters, though twice as many UTF-16 units.
  assert.not(isFit('\u{1F476}'.repeat(11)));
});

/** Marks of two classes in turn: composing them takes time by the square of their number. */
const HOSTILE = `a${'\u0300\u0323'.repeat(300_000)}`;

credentials('a megabyte of accents is no email, at once', () => {
  const began = performance.now();
  assert.not(isTaken(normalisedEmail(HOSTILE)));
  assert.ok(performance.now() - began < 200);
});

credentials.run();
