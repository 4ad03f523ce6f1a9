import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyChild } from '../../../../domain/course/course.ts';
import { BINDABLE_ITEMS } from '../../../../domain/custom-field/bindable-items.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import { fileRecord } from '../../../../domain/export/ije/state-file.ts';
import { parseCustomValue } from '../../../../domain/mapping/form/parse-custom-value.ts';
import {
  columnIn,
  courseSaid,
  fieldOfItem,
  LAYOUT,
  lineOf,
  linesOf,
} from '../../../support/state-file.ts';

/** What people type into fields that are bound to items, and what the columns of the line then hold. */
type Row = readonly [
  name: string,
  typed: Readonly<Record<string, string>>,
  columns: Readonly<Record<string, string>>,
];

const enter = (id: string, text: string): string | number => {
  const read = parseCustomValue(fieldOfItem(id), text);
  if (read.kind !== 'value') throw new Error(`${id}: ${read.kind}`);
  return read.value;
};

const BORN = { birth_date: '2026-05-12' };

const ROWS: readonly Row[] = [
  ['an answer in words', { MARN: 'No' }, { MARN: 'N', ACKN: 'U' }],
  ['an answer by its code, in any case', { MARN: 'y', ACKN: 'X' }, { MARN: 'Y', ACKN: 'X' }],
  ['an answer that is unknown', { MARN: 'Unknown', PAY: '9' }, { MARN: 'U', PAY: '9' }],
  ['an answer in words that has a digit', { PAY: 'private insurance' }, { PAY: '2' }],
  ['an answer by its digit', { PAY: '8', FEDUC: '7' }, { PAY: '8', FEDUC: '7' }],
  ['an answer of an item that has no unknown', { SSN_REQ: 'Yes' }, { SSN_REQ: 'Y' }],
  ['a diagnosis', { DOWT: 'Pending', CDIT: 'c' }, { DOWT: 'P', CDIT: 'C' }],
  [
    'risk factors, where the layout has them apart',
    { PDIAB: 'N', EHYPE: 'Yes', INFT: 'Yes', INFT_DRG: 'No', INFT_ART: 'Y' },
    { PDIAB: 'N', GDIAB: 'U', EHYPE: 'Y', INFT: 'Y', INFT_DRG: 'N', INFT_ART: 'Y' },
  ],
  [
    'an origin, which has a column for each',
    { FETHNIC: 'Cuban' },
    { FETHNIC1: 'N', FETHNIC2: 'N', FETHNIC3: 'H', FETHNIC4: 'N', FETHNIC5: '' },
  ],
  [
    'another origin, with its name',
    { FETHNIC: 'Other Hispanic origin', FETHNIC5: 'Dominican' },
    { FETHNIC1: 'N', FETHNIC2: 'N', FETHNIC3: 'N', FETHNIC4: 'H', FETHNIC5: 'Dominican' },
  ],
  [
    'an origin that is unknown',
    { FETHNIC: 'Unknown' },
    { FETHNIC1: 'U', FETHNIC2: 'U', FETHNIC3: 'U', FETHNIC4: 'U' },
  ],
  ['a text without its accents', { DADLNAME: 'Núñez' }, { DADLNAME: 'Nunez' }],
  ['a text that is too long', { DADSUFFX: 'the Third' }, { DADSUFFX: 'the Thi' }],
  ['digits of a ZIP code', { MAIL_ZIPCODE: '05401-1234' }, { MAIL_ZIPCODE: '054011234' }],
  ['digits of an NPI', { FNPI: '1234567893' }, { FNPI: '1234567893' }],
  [
    'a date, and the age that follows from it',
    { FDOB: '5/13/1990' },
    { FDOB_YR: '1990', FDOB_MO: '05', FDOB_DY: '13', FAGE_CALC: '35' },
  ],
  [
    'a date from which no age of a father follows',
    { FDOB: '5/13/2020' },
    { FDOB_YR: '2020', FDOB_MO: '05', FDOB_DY: '13', FAGE_CALC: '' },
  ],
  ['an age', { FAGER: '34' }, { FAGER: '34' }],
  [
    'races',
    { FRACE: 'White; korean, Basque' },
    { FRACE1: 'Y', FRACE2: 'N', FRACE8: 'Y', FRACE15: 'Y', FRACE22: 'Basque', FRACE23: '' },
  ],
  [
    'a state of birth, by name',
    { MBPLACE_ST_TER_TXT: 'Ohio' },
    { MBPLACE_ST_TER_TXT: 'Ohio', BPLACEC_ST_TER: 'OH', BPLACEC_CNT: '' },
  ],
  [
    'a state of birth, by code, with the country',
    { FBPLACE_ST_TER_TXT: 'VT', FBPLACE_CNTRY_TXT: 'USA' },
    {
      FBPLACE_ST_TER_TXT: 'Vermont',
      FBPLACD_ST_TER_C: 'VT',
      FBPLACE_CNTRY_TXT: 'United States',
      FBPLACE_CNT_C: 'US',
    },
  ],
  [
    'another country of birth',
    { MBPLACE_CNTRY_TXT: 'Vietnam' },
    { BPLACEC_ST_TER: 'XX', MBPLACE_CNTRY_TXT: 'Vietnam', BPLACEC_CNT: 'VM' },
  ],
  [
    'a country that has no code',
    { MBPLACE_CNTRY_TXT: 'Atlantis' },
    { BPLACEC_ST_TER: 'ZZ', MBPLACE_CNTRY_TXT: 'Atlantis', BPLACEC_CNT: 'ZZ' },
  ],
];

const rows = suite('an item that a custom field is bound to');

for (const [name, typed, columns] of ROWS)
  rows(name, () => {
    const bound = Object.fromEntries(
      Object.entries(typed).map(([id, text]) => [id, enter(id, text)]),
    );
    const line = lineOf({ child: BORN, bound });
    assert.is(line.length, 4000);
    for (const [column, held] of Object.entries(columns))
      assert.is(columnIn(line, column).trimEnd(), held, column);
  });

rows('has every code of its choices, in columns of its own only', () => {
  const empty = lineOf({});
  for (const { id, form, columns } of BINDABLE_ITEMS) {
    if (form.kind !== 'answers') continue;
    for (const [code, words] of form.codes) {
      const line = lineOf({ bound: { [id]: words } });
      assert.is(columns.map(({ name }) => columnIn(line, name)).join(''), code, id);
      const other = (name: string) => !columns.some((column) => column.name === name);
      for (const name of LAYOUT.keys())
        if (other(name)) assert.is(columnIn(line, name), columnIn(empty, name), name);
    }
  }
});

rows('is left as it is without a value', () => {
  const bound = Object.fromEntries(BINDABLE_ITEMS.map(({ id }) => [id, '']));
  assert.equal(linesOf(courseSaid({}), { bound }), [lineOf({})]);
});

const fileWith = (field: Partial<CustomField>): string => {
  const course = courseSaid({ bound: { PAY: 'Medicaid' } });
  const record = { status: 'live', keyKind: 'native', course, providers: [] } as const;
  const filed = fileRecord(record, null, [{ ...fieldOfItem('PAY'), ...field }]);
  return filed.kind === 'filed' ? columnIn(filed.lines[0] ?? '', 'PAY') : 'left out';
};

rows('is written from a live field that is bound to it, now', () => {
  assert.is(fileWith({}), '1');
  assert.is(fileWith({ isRetired: true }), '9');
  assert.is(fileWith({ item: null }), '9');
  assert.is(fileWith({ item: 'OF_A_NEWER_VERSION' }), '9');
});

rows('is unknown where the value that was recorded is none of it', () => {
  const line = lineOf({
    bound: { PAY: 'Barter', FAGER: 7, FDOB: '1990', MAIL_ZIPCODE: '123', DOWT: 'Perhaps' },
  });
  for (const [name, held] of Object.entries({
    PAY: '9',
    FAGER: '99',
    FDOB_YR: '',
    FAGE_CALC: '',
    MAIL_ZIPCODE: '',
    DOWT: 'U',
  }))
    assert.is(columnIn(line, name).trimEnd(), held, name);
});

rows('of a child is unknown for each of several, who share the field', () => {
  const bound = { SEIZ: 'Yes', PAY: 'Medicaid' };
  const course = courseSaid({ bound });
  const twins = [1, 2].map((birth_order) => ({ ...emptyChild(), birth_order }));
  const read = (changed: object) =>
    linesOf({ ...course, ...changed }, { bound }).map((line) =>
      ['SEIZ', 'PAY'].map((name) => columnIn(line, name)).join(''),
    );
  assert.equal(read({}), ['Y1']);
  assert.equal(read({ plurality: 1 }), ['Y1']);
  assert.equal(read({ children: twins }), ['U1', 'U1']);
  // The other twin is in another record.
  assert.equal(read({ plurality: 2 }), ['U1']);
});

rows.run();

const REFUSED: readonly (readonly [item: string, text: string, id: string])[] = [
  ['MARN', 'Perhaps', 'answer-not-listed'],
  ['MARN', '1', 'answer-not-listed'],
  ['PAY', '7', 'answer-not-listed'],
  ['FAGER', '9', 'whole-number-out-of-range'],
  ['FAGER', '99', 'whole-number-out-of-range'],
  ['FAGER', '34.5', 'whole-number-out-of-range'],
  ['FAGER', '-34', 'whole-number-out-of-range'],
  ['MAIL_ZIPCODE', '1234', 'not-a-number'],
  ['MAIL_ZIPCODE', '123456', 'not-a-number'],
  ['FNPI', 'none', 'not-a-number'],
  ['FDOB', '13/13/1990', 'month-impossible'],
];

const refused = suite('a value that an item does not have');

for (const [item, text, id] of REFUSED)
  refused(`${item}: ${text}`, () => {
    const read = parseCustomValue(fieldOfItem(item), text);
    assert.is(read.kind === 'wrong' ? read.id : read.kind, id);
  });

refused('is taken by the same field without a binding', () => {
  for (const [item, text] of [
    ['FAGER', '9'],
    ['FNPI', 'none'],
  ] as const)
    assert.is(parseCustomValue({ ...fieldOfItem(item), item: null }, text).kind, 'value');
});

refused('is a code, of the same field without a binding', () => {
  const free = { ...fieldOfItem('MARN'), item: null };
  assert.is(parseCustomValue(free, 'Y').kind, 'wrong');
});

refused.run();
