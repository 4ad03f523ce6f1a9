import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUuid } from '../../domain/text-input.ts';

const test = suite('UUIDs');

const UUID = '7d1c1f0e-6a43-5f0c-9d4e-1b1c8f2a4e55';

test('one as the registry writes it', () => assert.ok(isUuid(UUID)));

for (const [what, text] of [
  ['an empty text', ''],
  ['capital letters', UUID.toUpperCase()],
  ['something behind it', `${UUID}x`],
  ['a line break behind it', `${UUID}\n`],
  ['something before it', ` ${UUID}`],
  ['another letter', UUID.replace('7', 'g')],
  ['hyphens alone', '-'.repeat(36)],
] as const)
  test(`not ${what}`, () => assert.not.ok(isUuid(text)));

test.run();
