import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEED } from '../support/runs.ts';
import { PATTERNS, writeTried, writtenOf } from './support/patterns-in-source.ts';

/**
 * Every regular expression of ours against texts that are made to be slow for it: what it matches,
 * with each of its parts repeated thousands of times, whole and spoiled at the end. One that takes
 * more than linear time is found whatever it is for.
 */
const patterns = suite('regular expressions');

/** A part of what a pattern of quadratic time takes for as long a text, on the same machine. */
const BOUND = 1 / 4;
const REPEATED_TO = 12_000;
/** A machine may be busy: only what is slow each time is. */
const TRIES = 4;
const GIVEN_UP_MS = 8_000;
const EXAMPLES = 3;

/** What meets nothing from outside, with the reason. */
const OF_OUR_OWN: ReadonlyMap<string, string> = new Map([
  ['/\\/+$/', 'addresses out of the settings'],
  ['/^_+|_+$/g', 'a name of 500 signs at most, in which no two underscores follow each other'],
]);

/** Signs that patterns of ours speak of, and some that none does. */
const SIGNS: readonly string[] = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  '0',
  '9',
  'a',
  'Z',
  '_',
  '-',
  '.',
  ',',
  ';',
  ':',
  '/',
  '\\',
  '{',
  '}',
  '{}',
  '(',
  ')',
  '[',
  ']',
  '"',
  "'",
  '@',
  '%',
  '+',
  '<',
  '>',
  '&',
  '=',
  '*',
  'é',
  '\u0301',
  '\ud800',
  '🜂',
  'a ',
  '1,',
  '1.',
  '1 ',
  'a.',
  ' a',
  '-a',
  '/a',
  "''",
  '\ufffd',
  '&#',
];

/** Texts that a pattern matches, as far as they can be made of it. */
const examplesOf = (pattern: RegExp): readonly string[] => {
  // fast-check finds no end in turning such a class round.
  if (pattern.source.includes('[^\\x')) return [];
  try {
    return fc.sample(fc.stringMatching(pattern), { numRuns: EXAMPLES, seed: SEED });
  } catch {
    // Not everything in a pattern can be read backwards: the signs alone have to do.
    return [];
  }
};

const times = (piece: string): string => piece.repeat(Math.ceil(REPEATED_TO / piece.length));

const attacksOn = (pattern: RegExp): readonly string[] => {
  const attacks = new Set<string>();
  const add = (before: string, piece: string, after: string) => {
    for (const end of [after, `${after}\0`]) attacks.add(before + times(piece) + end);
  };
  const examples = examplesOf(pattern).map((text) => text.slice(0, 24));
  for (const sign of SIGNS) {
    add('', sign, '');
    add(examples[0] ?? '', sign, '');
    add('', sign, examples[0] ?? '');
  }
  for (const example of examples)
    for (let at = 0; at < example.length; at += 1)
      for (const length of [1, 2]) {
        const piece = example.slice(at, at + length);
        if (piece !== '') add(example.slice(0, at), piece, example.slice(at + length));
      }
  return [...attacks];
};

const world = createContext({ performance });
/** Goes through texts until one takes longer than the bound, every time. */
const goThrough = new Script(`
  texts.find((text) => {
    for (let left = tries; left > 0; left -= 1) {
      pattern.lastIndex = 0;
      const began = performance.now();
      text.replace(pattern, '');
      if (performance.now() - began < boundMs) return false;
    }
    return true;
  })`);

/** The fastest of some tries of a pattern whose time grows with the square of the text. */
const quadraticMs = (): number => {
  const text = `${times(' ')}\0`;
  return Math.min(
    ...Array.from({ length: TRIES }, () => {
      const began = performance.now();
      text.replace(/\s+$/, '');
      return performance.now() - began;
    }),
  );
};
const BOUND_MS = BOUND * quadraticMs();

/** A text that a pattern is slow for, if there is one. */
const slowFor = (pattern: RegExp): string | undefined => {
  const texts = attacksOn(pattern);
  Object.assign(world, { pattern, texts, boundMs: BOUND_MS, tries: TRIES });
  try {
    return goThrough.runInContext(world, { timeout: GIVEN_UP_MS });
  } catch {
    return 'it finds no end';
  }
};

patterns('each takes linear time for what is made to be slow for it', () => {
  const slow: string[] = [];
  const seen = new Set<string>();
  for (const one of PATTERNS) {
    const written = writtenOf(one);
    if (seen.has(written)) continue;
    seen.add(written);
    if (OF_OUR_OWN.has(written)) continue;
    const worst = slowFor(new RegExp(one.source, one.flags));
    if (worst !== undefined)
      slow.push(`${one.place} ${written}: ${JSON.stringify(worst.slice(0, 40))}`);
  }
  assert.equal(slow, []);
  if (process.env['UPDATE_TRIED'] === '1') writeTried([...seen].sort());
});

patterns('a pattern that is slow is found', () => {
  for (const pattern of [/^(a+)+$/, /\s+$/, /^(?:\d+,?)+;$/, / *\{[^}]*\}/g])
    assert.ok(slowFor(pattern) !== undefined, String(pattern));
});

patterns.run();
