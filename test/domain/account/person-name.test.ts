import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseOptionalName,
  parsePersonName,
  parseRequiredName,
} from '../../../domain/account/person-name.ts';

const names = suite('the name of a person');

const longest = 'x'.repeat(100);
const LETTERS: readonly (readonly [says: string, text: string, name: string])[] = [
  ['is one tidy line', '  Ana \t María\n Ruiz ', 'Ana María Ruiz'],
  ['has its accents joined', 'Zoe\u0308 A\u030angstro\u0308m', 'Zoë Ångström'],
  ['may have up to 100 characters', longest, longest],
  ['may have marks and digits', "Dr. Siobhán O'Neill-Smith, 3rd", "Dr. Siobhán O'Neill-Smith, 3rd"],
  ['may be written without letters of ours', '李 小龍', '李 小龍'],
  ['may join its letters without a sign of its own', 'علی‌رضا', 'علی‌رضا'],
  ['may look like a part of a page', '<b>Ana</b> & "Ruiz"', '<b>Ana</b> & "Ruiz"'],
];
for (const [says, text, name] of LETTERS)
  names(says, () => assert.equal(parsePersonName(text), { kind: 'named', name }));

const REFUSED: readonly (readonly [says: string, text: string, code: string])[] = [
  ['is not longer', `${longest}x`, 'name-too-long'],
  ['has no control characters', 'Ana\u0007Ruiz', 'name-not-shown'],
  ['has no half of a character', 'Ana\ud83d', 'name-not-shown'],
  ['does not turn around what stands after it', 'Ana \u202eziuR', 'name-not-shown'],
  ['hides nothing', 'Ana\u200bRuiz', 'name-not-shown'],
  ['is no web address', 'Ana http://evil.example', 'name-with-web-address'],
  ['is no link of an app', 'Ana sms://1', 'name-with-web-address'],
  ['is no email', 'admin@cedar.example', 'name-of-no-person'],
  ['is not made of marks alone', '-- 7 --', 'name-of-no-person'],
  ['is not that of the staff', 'The  Service Staff', 'name-of-no-person'],
  ['is not that of the registry', 'the registry', 'name-of-no-person'],
  ['is not that of people who have left', 'a former member', 'name-of-no-person'],
];
for (const [says, text, code] of REFUSED)
  names(says, () => {
    const refused = parsePersonName(text);
    assert.is(refused.kind === 'refused' && refused.code, code);
    assert.equal(parseOptionalName(text, 'Ana Ruiz'), refused);
    assert.equal(parseRequiredName(text), refused);
  });

names('may be left out where it is asked for beside other things, and is as it was then', () => {
  for (const blank of [undefined, '', ' \u00a0 ']) {
    assert.equal(parseOptionalName(blank), { kind: 'read', details: {} });
    assert.equal(parseOptionalName(blank, 'Ana Ruiz'), {
      kind: 'read',
      details: { name: 'Ana Ruiz' },
    });
  }
  assert.equal(parseOptionalName(' Ana ', 'Ana Ruiz'), { kind: 'read', details: { name: 'Ana' } });
});

names('is not taken off again', () => {
  assert.equal(parseRequiredName(' '), { kind: 'refused', code: 'person-without-name' });
});

names.run();
