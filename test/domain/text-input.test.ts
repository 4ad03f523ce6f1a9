import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ParsedLine, parseLine } from '../../domain/text-input.ts';

const lines = suite('a line that a person typed');

const LONGEST = 10;

const CASES: readonly (readonly [says: string, text: string, expected: ParsedLine])[] = [
  ['is trimmed', '  Maple ', { kind: 'line', line: 'Maple' }],
  ['has single spaces', 'a \t\n  b', { kind: 'line', line: 'a b' }],
  ['has its accents joined', 'Zoe\u0308', { kind: 'line', line: 'Zo\u00eb' }],
  [
    'may be as long as that once it is tidy',
    `${'e\u0308'.repeat(10)}  `,
    { kind: 'line', line: '\u00eb'.repeat(10) },
  ],
  ['is not longer', 'x'.repeat(11), { kind: 'too long' }],
  ['is not looked at when it is far longer', ' '.repeat(101), { kind: 'too long' }],
  ['may be blank', ' \u00a0 ', { kind: 'blank' }],
  ['has no control characters', 'a\u0007b', { kind: 'unusable' }],
  ['has no half of a character', 'a\ud83d', { kind: 'unusable' }],
];

for (const [says, text, expected] of CASES)
  lines(says, () => assert.equal(parseLine(text, LONGEST), expected));

lines.run();
