import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBirthsFile } from '../../../../adapters/xlsx/read-xlsx.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import { normalizeHeader } from '../../../../domain/mapping/csv/column-names.ts';
import { createRepeatedHeaderCheck, readHeader } from '../../../../domain/mapping/csv/header.ts';
import { readRow } from '../../../../domain/mapping/csv/row.ts';
import { parseCourse } from '../../../../domain/mapping/form/parse-course.ts';
import { csvOf } from '../../../support/imports.ts';
import { styled, type TestCell, workbookOf } from '../../../support/workbooks.ts';

const habits = suite('what spreadsheets do to a file of births');

const OWN: readonly CustomField[] = [
  {
    fieldId: 'f',
    label: 'Insurance number',
    type: 'text',
    choices: [],
    order: 1,
    item: null,
    isRetired: false,
  },
];

/** Each row of a file: what is wrong with it by column, what is doubted, and the course of care. */
const readFile = async (bytes: Buffer) => {
  const file = await readBirthsFile(bytes, '');
  if (file.kind === 'refused') throw new Error(file.problem);
  const header = readHeader(file.headers, OWN);
  if (header.kind === 'refused') throw new Error(header.problem);
  return file.rows.map((row) => {
    const reading = readRow(row, header.columns, (values) =>
      parseCourse(values, {
        today: '2026-11-26',
        offsetAt: () => '-05:00',
        customFields: OWN,
        existing: null,
        unitIsNamed: true,
      }),
    );
    const told = (messages: readonly { column: string | null; id: string }[]) =>
      messages.map(({ column, id }) => `${column}: ${id}`);
    return {
      errors: reading.kind === 'refused' ? told(reading.errors) : [],
      notices: told(reading.notices),
      course: reading.kind === 'course' ? reading.course : null,
    };
  });
};

const fixture = (name: string) =>
  readFile(readFileSync(new URL(`../../../fixtures/reading/${name}.csv`, import.meta.url)));

/** A birth with other values, as a file of one row. */
const birth = async (values: Readonly<Record<string, string>>) => {
  const all: Readonly<Record<string, string>> = {
    chart_number: 'C-1',
    mother_family_name: 'Alder',
    mother_birth_date: '2/2/1992',
    place_of_birth: 'Hospital',
    child1_birth_date: '11/2/2026',
    consent_granted: 'yes',
    ...values,
  };
  const [read] = await readFile(Buffer.from(csvOf(Object.keys(all), [Object.values(all)])));
  if (read === undefined) throw new Error('no row');
  return read;
};

habits('a chart number that the spreadsheet shortened is refused with the reason', async () => {
  const rows = await fixture('csv-scientific');
  assert.equal(
    rows.map(({ errors }) => errors),
    [['chart_number: shortened-by-spreadsheet'], ['chart_number: shortened-by-spreadsheet'], []],
  );
  assert.is(rows[2]?.course?.chart_number, '2E05', 'no spreadsheet writes it so');
});

for (const column of [
  'mother_medical_record_number',
  'child1_medical_record_number',
  'mother_phone',
  'mother_postal_code',
  'Insurance number',
  'transfer1_facility',
])
  habits(`a shortened number is refused in the column ${column}`, async () => {
    for (const text of ['1.23457E+12', '5.03555e+09', '2.139E+08', '1E-05', '-4,89E+92'])
      assert.equal(
        (await birth({ [column]: text })).errors,
        [`${column.replace('mother_postal', 'mother_address_postal')}: shortened-by-spreadsheet`],
        text,
      );
  });

for (const text of ['12E5', 'E+12', '1.5', 'A1E+05', '1E+5', 'MRN-1E+12'])
  habits(`a chart number such as ${text} is one`, async () => {
    assert.is((await birth({ chart_number: text })).course?.chart_number, text);
  });

for (const text of [
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#NAME?',
  '#DIV/0!',
  '#NUM!',
  '#NULL!',
  '#SPILL!',
  '#CALC!',
  '#GETTING_DATA',
  '#ERROR!',
  '########',
  'Err:502',
  '#n/a',
])
  habits(`${text} is refused in every column`, async () => {
    for (const column of [
      'chart_number',
      'mother_family_name',
      'mother_given_names',
      'mother_birth_date',
      'mother_city',
      'place_of_birth',
      'child1_birth_date',
      'child1_birth_time',
      'child1_sex',
      'child1_birth_weight_grams',
      'child1_gestational_age_weeks',
      'child1_gestational_age_days',
      'prenatal_visits',
      'wic',
      'consent_granted',
      'induction_agents',
      'Insurance number',
    ]) {
      const { errors } = await birth({ [column]: text });
      assert.ok(
        errors.some((one) => one.endsWith(': spreadsheet-error')),
        `${column}: ${errors.join()}`,
      );
    }
  });

for (const text of ['#1 Maple Street', '# 12', 'No. #5!'])
  habits(`${text} is an address, not an error`, async () => {
    assert.is((await birth({ mother_line: text })).course?.mother.address.line, text);
  });

habits(
  'dates and times that are numbers are refused with the reason, midnight behind a date is none',
  async () => {
    const rows = await fixture('csv-serial');
    assert.equal(
      rows.map(({ errors }) => errors),
      [
        ['mother_birth_date: date-as-number'],
        ['child1_birth_date: date-as-number'],
        ['child1_birth_time: time-as-number'],
        [],
        ['mother_birth_date: date-incomplete'],
        [],
        ['child1_birth_time: time-impossible'],
        [],
      ],
    );
    assert.equal(rows[3]?.notices, ['mother_birth_date: mother-age-unlikely']);
    assert.is(rows[5]?.course?.children[0]?.birth_date, '2026-11-04');
    assert.is(rows[7]?.course?.children[0]?.birth_time, '2026-11-04T00:00:00-05:00');
  },
);

for (const text of [
  '2/3/1992 0:00',
  '2/3/1992 00:00:00',
  '2/3/1992 12:00:00 AM',
  '1992-02-03T00:00:00',
  '1992-02-03 00:00',
])
  habits(`a date with the midnight of a spreadsheet is a date: ${text}`, async () => {
    assert.is((await birth({ mother_birth_date: text })).course?.mother.birth_date, '1992-02-03');
  });

habits('a date with another time is no date', async () => {
  const { errors } = await birth({ mother_birth_date: '2/3/1992 10:00' });
  assert.equal(errors, ['mother_birth_date: date-not-understood']);
});

habits(
  'a ZIP code gets its zeros back where those of its state begin with 0, and says so',
  async () => {
    const rows = await fixture('csv-zip');
    assert.equal(
      rows.map(({ course }) => course?.mother.address.postal_code),
      ['02139', '00901', '97201'],
    );
    assert.equal(
      rows.map(({ notices }) => notices),
      [
        ['mother_address_postal_code: zeros-added'],
        ['mother_address_postal_code: zeros-added'],
        [],
      ],
    );
  },
);

const ZIPS: readonly (readonly [
  state: string,
  text: string,
  read: string,
  notice: string | null,
])[] = [
  ['CT', '6390', '06390', 'zeros-added'],
  ['NY', '6390', '06390', 'zeros-added'],
  ['NY', '501', '00501', 'zeros-added'],
  ['NY', '1001', '1001', 'postal-code-short'],
  ['New Jersey', '7030', '07030', 'zeros-added'],
  ['ME', '4101-1234', '04101-1234', 'zeros-added'],
  ['VT', '54011234', '05401-1234', 'zeros-added'],
  ['NH', '3301', '03301', 'zeros-added'],
  ['RI', '2903', '02903', 'zeros-added'],
  ['VI', '802', '00802', 'zeros-added'],
  ['AE', '9012', '09012', 'zeros-added'],
  ['MA', '9720', '9720', 'postal-code-short'],
  ['MA', '02139', '02139', null],
  ['OR', '9720', '9720', 'postal-code-short'],
  ['', '2139', '2139', 'postal-code-short'],
];

for (const [state, text, read, notice] of ZIPS)
  habits(`a ZIP code ${text} in ${state || 'no state'} is ${read}`, async () => {
    const { course, notices } = await birth({ mother_state: state, mother_postal_code: text });
    assert.is(course?.mother.address.postal_code, read);
    assert.equal(notices, notice === null ? [] : [`mother_address_postal_code: ${notice}`]);
  });

habits('a postal code abroad stays as it is', async () => {
  const { course, notices } = await birth({
    mother_state: 'MA',
    mother_country: 'Denmark',
    mother_postal_code: '2100',
  });
  assert.is(course?.mother.address.postal_code, '2100');
  assert.equal(notices, []);
});

habits('mothers of 126, 96, 66, 2 and 9 years are doubted', async () => {
  const rows = await fixture('csv-ages');
  assert.equal(
    rows.map(({ notices, course }) => [...notices, course?.mother.age_at_delivery ?? null]),
    [
      ['mother_birth_date: mother-age-unlikely', null],
      ['mother_birth_date: mother-age-unlikely', null],
      ['mother_birth_date: mother-age-unlikely', 66],
      ['mother_birth_date: mother-age-unlikely', null],
      ['mother_birth_date: mother-age-unlikely', 9],
    ],
  );
});

for (const [born, isDoubted] of [
  ['11/2/2026', true],
  ['11/3/2014', true],
  ['11/2/2014', false],
  ['11/3/1975', false],
  ['11/2/1975', true],
  ['1/1/1901', true],
] as const)
  habits(`a mother born ${born} is ${isDoubted ? '' : 'not '}doubted`, async () => {
    const { notices } = await birth({ mother_birth_date: born });
    assert.is(
      notices.some((one) => one.endsWith('mother-age-unlikely')),
      isDoubted,
    );
  });

const HEADERS = ['chart_number', 'Place of birth', 'child1_birth_date', 'Room'];
const again = createRepeatedHeaderCheck(HEADERS, OWN);

/** A birth whose cell has a number in a format. */
const formatted = async (column: string, value: number, format: string) => {
  const all: Readonly<Record<string, TestCell>> = {
    chart_number: 'C-1',
    mother_family_name: 'Alder',
    place_of_birth: 'Hospital',
    child1_birth_date: '11/2/2026',
    consent_granted: 'yes',
    [column]: styled(1, value),
  };
  const rows = [Object.keys(all), Object.values(all)];
  const [read] = await readFile(workbookOf({ sheets: [{ rows }], formats: [format] }));
  if (read === undefined) throw new Error('no row');
  return read;
};

habits('a unit in the number format of a cell counts', async () => {
  const weightOf = async (format: string) =>
    (await formatted('mother_prepregnancy_weight_kg', 143.5, format)).course?.mother
      .prepregnancy_weight_kg;
  assert.is(await weightOf('0.0" lb"'), 65.090505095);
  assert.is(await weightOf('0.0" kg"'), 143.5);
  assert.is(await weightOf('0.0'), 143.5);
  const { course } = await formatted('child1_gestational_age_weeks', 277, '0" days"');
  assert.is(course?.children[0]?.gestational_age_weeks, 39);
});

for (const [column, value, format, error] of [
  ['mother_prepregnancy_weight_kg', 65, '0" stone"', 'unit-unknown'],
  ['mother_prepregnancy_weight_kg', 65_000, '0,', null],
  ['child1_birth_time', 1, '[h]:mm', 'time-impossible'],
  ['child1_birth_time', 25.5 / 24, '[h]:mm', 'time-impossible'],
  ['child1_birth_weight_grams', 34, '0%', 'measure-not-understood'],
  ['chart_number', 123_456, '0.00E+00', 'shortened-by-spreadsheet'],
  ['mother_birth_date', 33_637, 'mmm-yy', null],
  ['mother_birth_date', 33_637, 'd-mmm', 'cell-format-unclear'],
] as const)
  habits(`${value} in the format ${format} is ${error ?? 'read'} in ${column}`, async () => {
    const { errors } = await formatted(column, value, format);
    assert.equal(
      errors.map((one) => one.split(': ')[1]),
      error === null ? [] : [error],
    );
  });

habits('an unclear format in a column that is not imported does not matter', async () => {
  assert.equal((await formatted('Room', 33_637, 'd-mmm')).errors, []);
});

habits('column names in the middle of a file are known, in the same order or another', () => {
  assert.is(again(['\ufeffchart_number', 'place_of_birth', 'child1 birth date', 'ROOM']), 'same');
  assert.is(
    again(['chart_number', 'child1_birth_date', 'place_of_birth', 'Room']),
    'in-another-order',
  );
  assert.is(again(['place_of_birth', 'chart_number']), 'in-another-order');
});

habits('a text of more combining marks than any language stacks is no column name', () => {
  assert.is(normalizeHeader(`Ro\u0302\u0323om`), 'r\u1ed9om');
  assert.is(normalizeHeader(`Room${'\u0301\u0316'.repeat(16)}`), '');
});

habits('a row of a birth is no row of column names', () => {
  for (const cells of [
    ['C-1', 'Hospital', '11/4/2026', '7'],
    ['city', 'Hospital', '11/4/2026', '7'],
    ['', '', '', ''],
    ['chart', 'Home', '', ''],
  ])
    assert.is(again(cells), null, cells.join());
});

habits.run();
