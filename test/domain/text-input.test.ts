import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hasMisleadingCharacters,
  type ParsedLine,
  parseLine,
  parseName,
} from '../../domain/text-input.ts';

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

const NAMES: readonly (readonly [what: string, text: string, isMisleading: boolean])[] = [
  ['letters of ours', 'Cedar Birth Center, 3rd Floor', false],
  ['apostrophes and accents', "Siobhán O’Neill-D'Ángelo", false],
  ['letters of other scripts', '李 小龍 Ødegård Şükrü', false],
  ['Hebrew and Arabic, which turn by themselves', 'מרים علي', false],
  ['a joiner in Persian', 'علی\u200cرضا', false],
  ['a joiner in Malayalam', 'അവൻ\u200dഎ', false],
  ['an emoji', 'Cedar 🌲', false],
  ['tabs and spaces', 'Cedar\t Birth', false],
  ['an override', 'Ana \u202eziuR', true],
  ['an embedding', '\u202aAna', true],
  ['an end of one', 'Ana\u202c', true],
  ['an isolate', '\u2066Ana\u2069', true],
  ['a mark of direction', 'Ana\u200e', true],
  ['an Arabic mark of direction', 'Ana\u061c', true],
  ['a space without width', 'A\u200bna', true],
  ['a byte order mark', '\ufeffAna', true],
  ['a soft hyphen', 'A\u00adna', true],
  ['an invisible letter of a tag', 'Ana\u{e0041}', true],
  ['a character of private use', 'Ana \ue000', true],
  ['a character that there is not', 'Ana \u0378', true],
  ['no character', 'Ana \uffff', true],
];

for (const [what, text, isMisleading] of NAMES)
  lines(`a name with ${what} ${isMisleading ? 'is refused' : 'is taken'}`, () => {
    assert.is(hasMisleadingCharacters(text), isMisleading);
    assert.is(parseName(text, 100).kind, isMisleading ? 'refused' : 'named');
  });

lines('a name far longer than any is not looked at', () => {
  assert.equal(parseName(`${'e\u0323\u0301'.repeat(360_000)}\u202e`, 100), {
    kind: 'refused',
    code: 'name-too-long',
    most: 100,
  });
});

lines.run();
