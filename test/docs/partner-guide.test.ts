import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELDS, type MaskRule } from '../../domain/course/fields.ts';

const GUIDE = readFileSync(new URL('../../docs/partner.md', import.meta.url), 'utf8');

/** Fields in the lists below a heading. */
const fieldsUnder = (heading: string): readonly string[] => {
  const section = GUIDE.split(/^#{2,3} /m).find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The guide has no heading "${heading}".`);
  const lists = section.slice(section.indexOf('\n- '));
  return [...lists.matchAll(/`([a-z_.]+)`/g)].map(([, path = '']) => path);
};

const fieldsWith = (...rules: readonly MaskRule[]): readonly string[] =>
  FIELDS.filter(({ mask }) => rules.includes(mask)).map(({ path }) => path);

for (const [heading, rules] of [
  ['Kept as sent', ['kept']],
  ['Kept if the code is known', ['recognized']],
  ['Reduced', ['year', 'state', 'without_raw']],
  ['Removed', ['dropped']],
] as const)
  test(`the guide for partners names every field that is: ${heading}`, () => {
    assert.equal([...fieldsUnder(heading)].sort(), [...fieldsWith(...rules)].sort());
  });

test('the guide for partners says that the time of consent is kept', () => {
  assert.equal(FIELDS.find(({ path }) => path === 'consent.date_time')?.mask, 'kept');
  assert.match(
    GUIDE,
    /kept fields are exact times:.*`consent\.date_time`, when the mother consented/,
  );
});

test.run();
