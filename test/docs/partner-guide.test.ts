import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELDS, type MaskRule } from '../../domain/course/fields.ts';

const GUIDE = readFileSync(new URL('../../docs/partner.md', import.meta.url), 'utf8');

/** The fields that a row of the table of what is kept names. */
const fieldsIn = (row: string): readonly string[] => {
  const line = GUIDE.split('\n').find((one) => one.startsWith(`| ${row} |`));
  if (line === undefined) throw new Error(`The guide has no row "${row}".`);
  return [...line.matchAll(/`([a-z_.]+)`/g)].map(([, path = '']) => path);
};

const fieldsWith = (...rules: readonly MaskRule[]): readonly string[] =>
  FIELDS.filter(({ mask }) => rules.includes(mask)).map(({ path }) => path);

for (const [row, rules] of [
  ['kept as sent', ['kept']],
  ['kept if the code is [listed](integrator.md#codes)', ['recognized']],
  ['reduced', ['year', 'state', 'without_raw']],
  ['gone', ['dropped']],
] as const)
  test(`the guide for partners names every field that is ${row}`, () => {
    assert.equal([...fieldsIn(row)].sort(), [...fieldsWith(...rules)].sort());
  });

test('the guide for partners says that the time of consent is kept', () => {
  assert.equal(FIELDS.find(({ path }) => path === 'consent.date_time')?.mask, 'kept');
  assert.match(GUIDE, /`consent\.date_time`, when\s+the mother consented, with its time of day/);
});

test.run();
