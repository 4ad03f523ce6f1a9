import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseRecordNumbers,
  parseSearchText,
} from '../../../../domain/mapping/form/parse-search.ts';

const dates = suite('dates in a search');
const DATES: readonly (readonly [
  typed: string,
  rest: string,
  date: readonly [day: string, text: string] | null,
])[] = [
  ['marin', 'marin', null],
  ['5/12/2026', '', ['2026-05-12', '5/12/2026']],
  ['marin 5/12/2026', 'marin', ['2026-05-12', '5/12/2026']],
  ['May 12, 2026 marin', 'marin', ['2026-05-12', 'May 12, 2026']],
  ['rosa 12 May 2026 marin', 'rosa marin', ['2026-05-12', '12 May 2026']],
  ['2026-05-12', '', ['2026-05-12', '2026-05-12']],
  ['may marin', 'may marin', null],
  ['mar 001', 'mar 001', null],
  ['2/30/2026', '2/30/2026', null],
  ['2026', '2026', null],
];
for (const [typed, rest, date] of DATES)
  dates(`“${typed}”`, () => {
    assert.equal(parseSearchText(typed), {
      rest,
      date: date === null ? null : { day: date[0], text: date[1] },
    });
  });
dates('dates are read in the order that the practice uses', () => {
  const dayFirst = (text: string) => (text === '12/5/2026' ? '2026-05-12' : null);
  assert.is(parseSearchText('marin 12/5/2026', dayFirst).date?.day, '2026-05-12');
});
dates.run();

const numbers = suite('record numbers in a search');
const RECORD = '3f2a9c01-7b1d-5e2f-8a3b-0c1d2e3f4a5b';
const WITHIN = [
  RECORD,
  RECORD.toUpperCase(),
  ` ${RECORD} `,
  RECORD.replaceAll('-', ''),
  '3f2a9c01',
  '3f2a9c01-',
  '3f2a9c01-7b',
  '3f2a9c017b1d5',
];
for (const typed of WITHIN)
  numbers(`“${typed}” begins a record number`, () => {
    const range = parseRecordNumbers(typed);
    assert.ok(range !== null && range.from <= RECORD && RECORD <= range.to);
  });
numbers('a beginning takes in no other record', () => {
  assert.equal(parseRecordNumbers('3f2a9c01-7b1'), {
    from: '3f2a9c01-7b10-0000-0000-000000000000',
    to: '3f2a9c01-7b1f-ffff-ffff-ffffffffffff',
  });
});
for (const typed of ['', '3f2a9c0', 'marin', '3f2a-9c01', '3f2a9c01--7b', `${RECORD}0`, '3f2a9c0g'])
  numbers(`“${typed}” begins none`, () => {
    assert.is(parseRecordNumbers(typed), null);
  });
numbers.run();
