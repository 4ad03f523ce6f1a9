import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOT_A_SPREADSHEET_MESSAGE } from '../../../adapters/csv/decode-text.ts';
import {
  EMPTY_FIRST_ROW_MESSAGE,
  NO_ROWS_MESSAGE,
  TOO_MANY_CELLS_MESSAGE,
  TOO_MANY_ROWS_MESSAGE,
} from '../../../adapters/csv/file-table.ts';
import { TOO_LARGE_MESSAGE } from '../../../adapters/csv/read-csv.ts';
import {
  BINARY_WORKBOOK_MESSAGE,
  describeOverLimit,
  describeUnknownSheet,
  NO_SHEET_MESSAGE,
  readBirthsFile,
  TOO_LARGE_WORKBOOK_MESSAGE,
  TOO_MUCH_TEXT_MESSAGE,
  UNREADABLE_WORKBOOK_MESSAGE,
} from '../../../adapters/xlsx/read-xlsx.ts';
import { nameOtherSheets, refuseFile } from '../../../domain/mapping/csv/header.ts';
import { addLong } from '../../support/runs.ts';
import {
  MAIN,
  OFFICE,
  styled,
  type TestCell,
  type TestWorkbook,
  workbookOf,
  workbookOfRows,
  workbookParts,
  zipOf,
} from '../../support/workbooks.ts';

const reading = suite('reading an Excel workbook');

const tableOf = async (bytes: Buffer, sheetName = '') => {
  const file = await readBirthsFile(bytes, sheetName);
  if (file.kind === 'refused') throw new Error(file.problem);
  return file;
};

/** What a cell is read as. */
const textOf = async (cell: TestCell, workbook: Partial<TestWorkbook> = {}): Promise<string> => {
  const rows = [
    ['chart_number', 'x'],
    ['C-1', cell],
  ];
  const file = await tableOf(workbookOf({ sheets: [{ rows }], ...workbook }));
  return file.rows[0]?.cells[1] ?? '';
};

const refusalOf = async (bytes: Buffer, sheetName = ''): Promise<string> => {
  const file = await readBirthsFile(bytes, sheetName);
  return file.kind === 'refused' ? file.problem : 'read';
};

const CELLS: readonly {
  name: string;
  cell: TestCell;
  text: string;
  formats?: readonly (string | number)[];
  countsFrom1904?: boolean;
}[] = [
  { name: 'a text', cell: 'Łukasiewicz & <Söhne>', text: 'Łukasiewicz & <Söhne>' },
  { name: 'a text with zeros before it', cell: '000123', text: '000123' },
  { name: 'a number that is stored as text', cell: '3400', text: '3400' },
  { name: 'a whole number', cell: 3400, text: '3400' },
  { name: 'a long chart number', cell: 123456789012345, text: '123456789012345' },
  {
    name: 'a number without the noise of its bits',
    cell: styled(0, '0.30000000000000004'),
    text: '0.3',
  },
  {
    name: 'a number whose digits Excel has lost',
    cell: styled(0, '1.2345678901234568E+18'),
    text: '1.23456789012346E+18',
  },
  {
    name: 'a date of the built-in format',
    cell: styled(1, 46154),
    formats: [14],
    text: '2026-05-12',
  },
  {
    name: 'a date of a format of its own',
    cell: styled(1, 46154),
    formats: ['[$-409]mmmm d, yyyy;@'],
    text: '2026-05-12',
  },
  {
    name: 'a date that is shown without its time',
    cell: styled(1, 46154.75),
    formats: ['dd/mm/yy'],
    text: '2026-05-12',
  },
  {
    name: 'a date and time',
    cell: styled(1, 46154.586805555555),
    formats: [22],
    text: '2026-05-12 14:05',
  },
  { name: 'a time', cell: styled(1, 0.8784722222222222), formats: [18], text: '21:05' },
  {
    name: 'a time that is shown without its date',
    cell: styled(1, 46154.586805555555),
    formats: ['h:mm AM/PM'],
    text: '14:05',
  },
  { name: 'a time of elapsed hours', cell: styled(1, 0.5), formats: ['[h]:mm:ss'], text: '12:00' },
  { name: 'seconds', cell: styled(1, 0.5000115740740741), formats: ['hh:mm:ss'], text: '12:00:01' },
  {
    name: 'a date of a workbook that counts from 1904',
    cell: styled(1, 44692),
    formats: [14],
    countsFrom1904: true,
    text: '2026-05-12',
  },
  { name: 'the first day of 1900', cell: styled(1, 1), formats: [14], text: '1900-01-01' },
  {
    name: 'the last day before the false leap day',
    cell: styled(1, 59),
    formats: [14],
    text: '1900-02-28',
  },
  { name: 'the false leap day', cell: styled(1, 60), formats: [14], text: '1900-02-29' },
  { name: 'the day after it', cell: styled(1, 61), formats: [14], text: '1900-03-01' },
  { name: 'an empty date', cell: styled(1, 0), formats: [14], text: '1900-01-00' },
  { name: 'a date before all dates', cell: styled(1, -1), formats: [14], text: '########' },
  { name: 'a number of days without a format', cell: 46154, text: '46154' },
  { name: 'a ZIP code by its format', cell: styled(1, 2139), formats: ['00000'], text: '02139' },
  {
    name: 'nine digits of a ZIP code by their format',
    cell: styled(1, 21391234),
    formats: ['00000\\-0000'],
    text: '02139-1234',
  },
  {
    name: 'a chart number with letters in its format',
    cell: styled(1, 42),
    formats: ['"MRN-"000000'],
    text: 'MRN-000042',
  },
  { name: 'a number with thousands', cell: styled(1, 3400), formats: ['#,##0'], text: '3400' },
  { name: 'a number in red', cell: styled(1, 7), formats: ['[Red]0;[Blue]0'], text: '7' },
  {
    name: 'a format that depends on the number',
    cell: styled(1, 5035550142),
    formats: ['[<=9999999]###\\-####;\\(###\\) ###\\-####'],
    text: '(503) 555-0142',
  },
  { name: 'yes', cell: { with: 't="b"', holds: '<v>1</v>' }, text: 'TRUE' },
  { name: 'no', cell: { with: 't="b"', holds: '<v>0</v>' }, text: 'FALSE' },
  { name: 'an error', cell: { with: 't="e"', holds: '<f>1/0</f><v>#DIV/0!</v>' }, text: '#DIV/0!' },
  {
    name: 'a formula with its number',
    cell: { with: '', holds: '<f>1700*2</f><v>3400</v>' },
    text: '3400',
  },
  {
    name: 'a formula with its text',
    cell: { with: 't="str"', holds: '<f>A1&amp;"x"</f><v>ab</v>' },
    text: 'ab',
  },
  {
    name: 'a text inside the cell',
    cell: { with: 't="inlineStr"', holds: '<is><r><t>Ana </t></r><r><t>Díaz</t></r></is>' },
    text: 'Ana Díaz',
  },
  {
    name: 'a text without how it is spoken',
    cell: {
      with: 't="inlineStr"',
      holds: '<is><t>東京</t><rPh sb="0" eb="1"><t>とう</t></rPh></is>',
    },
    text: '東京',
  },
  {
    name: 'a written date',
    cell: { with: 't="d"', holds: '<v>2026-05-12</v>' },
    text: '2026-05-12',
  },
  { name: 'a character that XML does not hold', cell: 'a_x000D_b', text: 'a\rb' },
  { name: 'an apostrophe that guards a formula', cell: "'=1+1", text: '=1+1' },
  { name: 'a text without a number', cell: { with: 't="s"', holds: '<v></v>' }, text: '' },
];

for (const { name, cell, text, ...workbook } of CELLS)
  reading(`a cell is read as the sheet shows it: ${name}`, async () => {
    assert.is(await textOf(cell, workbook), text);
  });

/** A number and its format, and what the sheet shows; `null` if the value is not clear from that. */
const SHOWN: readonly (readonly [value: number, format: string | number, shown: string | null])[] =
  [
    // Elapsed hours.
    [25.5 / 24, '[h]:mm', '25:30'],
    [1, '[h]:mm', '24:00'],
    [1, 46, '24:00'],
    [1.0001, '[hh]:mm:ss', '24:00:09'],
    [0.25, '[hh]:mm', '06:00'],
    [0.5868055555555556, '[mm]', null],
    [0.5868055555555556, '[m]:ss', null],
    [0.5868055555555556, '[ss]', null],
    [0.5, '[h]', null],
    [1.0625, '[<1]h:mm;[h]:mm', '25:30'],
    [0.0625, '[<1]h:mm;[h]:mm', '01:30'],
    // Parts of dates and times.
    [0.5868055555555556, 'mm:ss', null],
    [0.5868055555555556, 45, null],
    [0.5868055555555556, 47, null],
    [0.5868055555555556, 'h AM/PM', null],
    [0.5833333333333334, 'h AM/PM', '14:00'],
    [0.5868634259259259, 'h:mm', '14:05'],
    [0.5874965277777778, 'h:mm', '14:05'],
    [0.5874965277777778, 'h:mm:ss', '14:06'],
    [46154.99999421296, 'm/d/yyyy h:mm', '2026-05-12 23:59'],
    [46154, 16, null],
    [46154, 'dddd', null],
    [46154, 'm/d', null],
    [46154, 17, '2026-05'],
    [46154, 'mmmm yyyy', '2026-05'],
    [46154, 'yyyy', '2026'],
    [46154, 'dddd, mmmm dd, yyyy', '2026-05-12'],
    [46154, 'yyyy"年"m"月"d"日"', '2026-05-12'],
    [46154.586805555555, '[$-F400]m/d/yy\\ h:mm:ss.000 AM/PM', '2026-05-12 14:05'],
    // Words.
    [143.5, '0.0" lb"', '143.5 lb'],
    [143.5, '0.0\\ \\l\\b', '143.5 lb'],
    [143.5, '0.0 lb', '143.5 lb'],
    [143.5, '0.0[$ lb]', '143.5 lb'],
    [143.5, 'General" lb"', '143.5 lb'],
    [3400, '#,##0" g"_);[Red]\\(#,##0" g"\\)', '3400 g'],
    [39, '0 days', '39 days'],
    [1, '"yes";;"no"', 'yes'],
    [0, '"yes";;"no"', 'no'],
    // Decimals.
    [143.52, '0.0', '143.5'],
    [1.005, '0.00', '1.01'],
    [2.5, '0', '3'],
    [38.6, '0', '39'],
    [7, '0.00', '7.00'],
    [7.5, '0.##', '7.5'],
    [7, '0.##', '7'],
    [0.5, '#.0', '.5'],
    [0.5, '0.0??', '0.5'],
    [1234.5, '#,##0.00', '1234.50'],
    [-5, '0', '-5'],
    [-5, '0;\\(0\\)', '(5)'],
    [-0.2, '0', '0'],
    // Scaled.
    [3400, '0,', '3'],
    [3400, '0.0,"k"', '3.4k'],
    [39_000_000, '0.0,,', '39.0'],
    [3400, '#,##0,', '3'],
    [0.39, '0%', '39%'],
    [0.395, '0.0%', '39.5%'],
    [0.5, 9, '50%'],
    // Fractions.
    [7.5, '# ?/?', '7 1/2'],
    [7.5, '# ??/16', '7 8/16'],
    [39 + 4 / 7, '# ?/?', '39 4/7'],
    [0.25, 13, '1/4'],
    [7, 12, '7'],
    [7.5, '?/?', '15/2'],
    [7.53, '# ?/?', null],
    [7.53, '# ?/8', null],
    // Scientific.
    [3400, '0.0E+0', '3400'],
    [123_456, '0.00E+00', '1.23E+05'],
    [123_456, 48, '1.235E+05'],
    // Sections.
    [3, '[>100]0.0" lb";0.0" kg"', '3.0 kg'],
    [143.5, '[>100]0.0" lb";0.0" kg"', '143.5 lb'],
    [75, '[>100]0.0" lb";[<=50]0.0" kg"', '########'],
    [75, '[>100]0.0" lb";[<=50]0.0" kg";0" ?"', '75 ?'],
    [75, '[>100]0;0" kg";0" lb"', null],
    [75, '[>one]0;0" kg"', null],
    [0, '0;-0;"none"', 'none'],
    [7, '[Color 5][$-409]0', '7'],
    [7, '*-_(0_)', '7'],
    [12, 41, '12'],
    [0, 41, '0'],
    [0, 44, '$-'],
    [7, ';;;', null],
    [0, '0;-0;;@', null],
    [7, '@', '7'],
    [7, `0${' '.repeat(300)}`, null],
    [7, '0;0;0;0;0', null],
  ];

for (const [value, format, shown] of SHOWN)
  reading(`${value} in the format ${format} is ${shown ?? 'refused by its cell'}`, async () => {
    const rows = [['a'], [styled(1, value)]];
    const file = await tableOf(workbookOf({ sheets: [{ rows }], formats: [format] }));
    const [row] = file.rows;
    if (shown !== null) return assert.equal(row, { row: 2, cells: [shown] });
    assert.equal(
      row?.problems?.map(({ id, index }) => [id, index]),
      [['cell-format-unclear', 0]],
    );
    assert.match(row?.problems?.[0]?.message ?? '', 'cell A2');
  });

/** A workbook whose one birth has this cell, and whose styles have these formats of tables. */
const besideTable = (value: number, format: string | number, ofTable: string): Buffer => {
  const parts = workbookParts({
    sheets: [{ rows: [['a'], [styled(1, value)]] }],
    formats: [format],
  });
  const styles = (parts['xl/styles.xml'] ?? '').replace(
    '</cellXfs>',
    `</cellXfs><dxfs><dxf>${ofTable}</dxf></dxfs>`,
  );
  return zipOf({ ...parts, 'xl/styles.xml': styles });
};

for (const [value, format, ofTable, shown] of [
  [0.5868055555555556, 19, '<numFmt numFmtId="19" formatCode="m/d/yyyy"/>', '14:05'],
  [143.5, '0.0" lb"', '<numFmt numFmtId="164" formatCode="0.0"/>', '143.5 lb'],
  [7.5, 0, '<numFmt numFmtId="0" formatCode="0%"/>', '7.5'],
] as const)
  reading(`a format of a table does not change a cell in the format ${format}`, async () => {
    const file = await tableOf(besideTable(value, format, ofTable));
    assert.equal(file.rows[0]?.cells, [shown]);
  });

reading('a duration does not depend on the year that a workbook counts from', async () => {
  const workbook = { formats: ['[h]:mm'], countsFrom1904: true };
  assert.is(await textOf(styled(1, 1), workbook), '24:00');
});

reading('a text is read with the words of its format', async () => {
  const text = { with: 't="str" s="1"', holds: '<v>143.5</v>' };
  assert.is(await textOf(text, { formats: ['0;0;0;@" lb"'] }), '143.5 lb');
  assert.is(await textOf(text, { formats: ['0" kg";@_)'] }), '143.5');
  assert.is(await textOf(text, { formats: ['0" kg"'] }), '143.5');
  assert.is(await textOf(text, { formats: [';;;'] }), '(not read)');
});

reading('rows keep the numbers that the sheet gives them', async () => {
  const file = await tableOf(
    workbookOf({
      sheets: [
        { rows: [['a', 'b'], ['1'], null, [null, null], ['', '2'], null, ['3'], null, [' ']] },
      ],
    }),
  );
  assert.equal(file.headers, ['a', 'b']);
  assert.equal(file.rows, [
    { row: 2, cells: ['1'] },
    { row: 5, cells: ['', '2'] },
    { row: 7, cells: ['3'] },
  ]);
  assert.equal(file.emptyRows, [3, 4, 6]);
});

reading('cells and rows without addresses follow each other', async () => {
  const parts = workbookParts({ sheets: [{ rows: [] }] });
  const cell = (text: string) => `<x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c>`;
  parts['xl/worksheets/sheet1.xml'] =
    `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row>${cell('a')}${cell('b')}</x:row><x:row>${cell('1')}${cell('2')}</x:row></x:sheetData></x:worksheet>`;
  const file = await tableOf(zipOf(parts));
  assert.equal(file.rows, [{ row: 2, cells: ['1', '2'] }]);
});

const PARTS = workbookParts({
  sheets: [
    {
      name: 'May',
      rows: [
        ['a', 'b'],
        ['1', styled(1, 2139)],
      ],
    },
    { name: 'June', rows: [['a'], ['6']] },
  ],
  formats: ['00000'],
});

const renamed = (rename: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [rename(name), part]));

const inWorkbook = (sheets: string, declared: string): Record<string, string> => ({
  ...PARTS,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" ${declared}><sheets>${sheets}</sheets></workbook>`,
});

/** One workbook as other programs write it. */
const WRITTEN_OTHERWISE: readonly { name: string; parts: Record<string, string | Buffer> }[] = [
  { name: 'parts in capitals', parts: renamed((name) => name.toUpperCase()) },
  { name: 'parts in small letters', parts: renamed((name) => name.toLowerCase()) },
  {
    name: 'a reference to a part in capitals',
    parts: {
      ...PARTS,
      'xl/_rels/workbook.xml.rels': (PARTS['xl/_rels/workbook.xml.rels'] ?? '')
        .replace('worksheets/', 'WorkSheets/')
        .replace('sharedStrings.xml', 'SharedStrings.XML'),
    },
  },
  {
    name: 'another prefix for references, declared where it is used',
    parts: inWorkbook(
      `<sheet name="May" xmlns:rel="${OFFICE}" rel:id="rId1"/><sheet name="June" xmlns:x="${OFFICE}" x:id="rId2"/>`,
      '',
    ),
  },
  {
    name: 'the usual prefix for something else',
    parts: inWorkbook(
      '<sheet name="May" r:id="rId2" id="rId2" q:id="rId1"/><sheet name="June" r:id="rId1" q:id="rId2"/>',
      `xmlns:r="urn:other" xmlns:q="${OFFICE}"`,
    ),
  },
  {
    name: 'a prefix that changes its meaning inside',
    parts: inWorkbook(
      `<sheet name="May" xmlns:r="${OFFICE}" r:id="rId1"/><r:sheet name="Other" r:id="rId1"/><sheet name="June" q:id="rId2"/>`,
      `xmlns:r="urn:other" xmlns:q="${OFFICE}"`,
    ),
  },
  {
    name: 'the namespaces of the strict version',
    parts: Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [
        name,
        part
          .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
          .replaceAll(OFFICE, 'http://purl.oclc.org/ooxml/officeDocument/relationships'),
      ]),
    ),
  },
  {
    name: 'a prefix for every element',
    parts: Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [
        name,
        part.replace(/<(\/?)(?=[a-z])/gi, '<$1every:').replace(' xmlns="', ' xmlns:every="'),
      ]),
    ),
  },
  {
    name: 'parts in UTF-16',
    parts: Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [name, Buffer.from(`\ufeff${part}`, 'utf16le')]),
    ),
  },
  {
    name: 'parts in UTF-16 with the high byte first',
    parts: Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [
        name,
        Buffer.from(`\ufeff${part}`, 'utf16le').swap16(),
      ]),
    ),
  },
  {
    name: 'elements of other programs',
    parts: {
      ...PARTS,
      'xl/worksheets/sheet1.xml': (PARTS['xl/worksheets/sheet1.xml'] ?? '').replace(
        '<sheetData>',
        '<sheetData xmlns:o="urn:other"><o:row r="1"><o:c t="str"><o:v>x</o:v></o:c></o:row>',
      ),
    },
  },
];

for (const { name, parts } of WRITTEN_OTHERWISE)
  reading(`a workbook of another program is read: ${name}`, async () => {
    const file = await tableOf(zipOf(parts));
    assert.equal(file.sheet, { name: 'May', names: ['May', 'June'] });
    assert.equal(file.headers, ['a', 'b']);
    assert.equal(file.rows, [{ row: 2, cells: ['1', '02139'] }]);
  });

for (const [name, changed] of [
  [
    'texts in an older encoding',
    {
      'xl/sharedStrings.xml': Buffer.from(
        (PARTS['xl/sharedStrings.xml'] ?? '').replace('>a<', '>\xf3<'),
        'latin1',
      ),
    },
  ],
  ['a sheet that is not there', { 'xl/worksheets/sheet1.xml': undefined }],
  ['a text that is not there', { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"/>` }],
] as const)
  reading(`a workbook with ${name} is refused as damaged`, async () => {
    const parts = Object.entries({ ...PARTS, ...changed }).flatMap(([part, content]) =>
      content === undefined ? [] : [[part, content] as const],
    );
    assert.is(await refusalOf(zipOf(Object.fromEntries(parts))), UNREADABLE_WORKBOOK_MESSAGE);
  });

reading('an entity that a document type defines stays as it is written', async () => {
  const parts = workbookParts({ sheets: [{ rows: [] }] });
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  parts['xl/worksheets/sheet1.xml'] =
    `<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row>${cell('a')}</row><row>${cell('1 &file;')}</row></sheetData></worksheet>`;
  const file = await tableOf(zipOf(parts));
  assert.equal(file.rows, [{ row: 2, cells: ['1 &file;'] }]);
});

const TWO: TestWorkbook = {
  sheets: [
    { name: 'Lists', state: 'hidden', rows: [['x'], ['1']] },
    { name: 'May', rows: [['a'], ['1']] },
    { name: 'June & July', rows: [['a'], ['2']] },
    { name: 'Secret', state: 'veryHidden', rows: [['a'], ['3']] },
  ],
};

reading('the first sheet that is not hidden is read', async () => {
  const file = await tableOf(workbookOf(TWO));
  assert.equal(file.sheet, { name: 'May', names: ['May', 'June & July'] });
  assert.equal(file.rows[0]?.cells, ['1']);
});

reading('or the one that is named, in any case', async () => {
  const file = await tableOf(workbookOf(TWO), ' june & JULY');
  assert.is(file.sheet?.name, 'June & July');
  assert.equal(file.rows[0]?.cells, ['2']);
});

reading('a sheet that is not there, or hidden, is refused with those that are there', async () => {
  for (const name of ['August', 'Secret'])
    assert.is(await refusalOf(workbookOf(TWO), name), describeUnknownSheet(['May', 'June & July']));
  const hidden = { sheets: [{ rows: [['a'], ['1']], state: 'hidden' }] };
  assert.is(await refusalOf(workbookOf(hidden)), NO_SHEET_MESSAGE);
});

for (const { without, rows, says } of [
  { without: 'any cell', rows: [], says: EMPTY_FIRST_ROW_MESSAGE },
  { without: 'a row below the first', rows: [['a']], says: NO_ROWS_MESSAGE },
])
  reading(`a first sheet without ${without} is refused with the others that it has`, async () => {
    const [, may, june] = TWO.sheets;
    if (may === undefined || june === undefined) throw new Error('no sheets');
    const refusal = await refusalOf(workbookOf({ sheets: [{ name: 'Read me', rows }, may, june] }));
    const names = { name: 'Read me', names: ['Read me', 'May', 'June & July'] };
    assert.is(refusal, nameOtherSheets(refuseFile('no-rows', says), names).problem);
    assert.match(refusal, '“May”, “June & July”');
    assert.is(await refusalOf(workbookOf({ sheets: [{ rows }] })), says);
  });

reading('a formula whose result is not in the file refuses its row, by its cell', async () => {
  const rows = [
    ['a', 'b'],
    ['1', { with: '', holds: '<f>A2*2</f>' }],
    ['2', '3'],
  ];
  const file = await tableOf(workbookOf({ sheets: [{ rows }] }));
  assert.equal(
    file.rows.map(({ problems = [] }) => problems.map(({ id }) => id)),
    [['formula-not-computed'], []],
  );
  assert.match(file.rows[0]?.problems?.[0]?.message ?? '', /^Cell B2 holds a formula/);
});

reading('a formula that shows nothing is nothing', async () => {
  const rows = [
    ['a', 'b'],
    ['1', { with: 't="str"', holds: '<f>""</f><v></v>' }],
  ];
  const file = await tableOf(workbookOf({ sheets: [{ rows }] }));
  assert.equal(file.rows, [{ row: 2, cells: ['1'] }]);
});

reading('rows with merged cells are refused by their range, and no other', async () => {
  const file = await tableOf(
    workbookOf({
      sheets: [
        {
          rows: [
            ['a', 'b'],
            ['1', '2'],
            [null, '3'],
            ['4', '5'],
          ],
          merged: ['A2:A3', 'A1:B1'],
        },
      ],
    }),
  );
  assert.equal(
    file.rows.map(({ problems = [] }) => problems.map(({ id }) => id)),
    [['cells-merged'], ['cells-merged'], []],
  );
  assert.match(file.rows[0]?.problems?.[0]?.message ?? '', 'A2:A3');
});

reading('a hidden row is read and said', async () => {
  const file = await tableOf(
    workbookOf({ sheets: [{ rows: [['a'], ['1'], ['2']], ofRows: { 2: 'hidden="1"' } }] }),
  );
  assert.equal(
    file.rows.map(({ notices = [] }) => notices.map(({ id }) => id)),
    [['row-hidden'], []],
  );
});

reading('a hidden column with values is read and said once', async () => {
  const rows = [
    ['a', 'b', 'c', 'd'],
    ['1', '', '2', '3'],
    ['4', '', '5', '6'],
  ];
  const columns = '<cols><col min="2" max="3" width="9" hidden="1"/><col min="4" max="4"/></cols>';
  const file = await tableOf(workbookOf({ sheets: [{ rows, columns }] }));
  const said = file.rows.map(({ notices = [] }) => notices);
  assert.equal(
    said.map((notices) => notices.map(({ id }) => id)),
    [['column-hidden'], []],
  );
  assert.match(said[0]?.[0]?.message ?? '', 'Column C is hidden');
});

const MEBIBYTE = 1024 * 1024;
const withSheet = (xml: string, more: Record<string, string> = {}): Buffer =>
  zipOf({
    ...workbookParts({ sheets: [{ rows: [['a'], ['1']] }] }),
    'xl/worksheets/sheet1.xml': xml,
    ...more,
  });

const withParts = (more: Record<string, string>): Buffer =>
  zipOf({ ...workbookParts({ sheets: [{ rows: [['a'], ['1']] }] }), ...more });
const rowsOf = (rows: string) => withSheet(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);

/** What a workbook may have, and one that has one more. */
const OVER_LIMIT: readonly { list: string; most: number; bytes: (count: number) => Buffer }[] = [
  {
    list: 'number formats',
    most: 1_000,
    bytes: (count) =>
      withParts({
        'xl/styles.xml': `<styleSheet><numFmts>${'<numFmt numFmtId="164" formatCode="0"/>'.repeat(count)}</numFmts></styleSheet>`,
      }),
  },
  {
    list: 'cell styles',
    most: 65_490,
    bytes: (count) =>
      withParts({
        'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(count)}</cellXfs></styleSheet>`,
      }),
  },
  {
    list: 'texts',
    most: 2_000_000,
    bytes: (count) => withParts({ 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(count)}</sst>` }),
  },
  {
    list: 'characters of text',
    most: 20 * MEBIBYTE,
    bytes: (count) =>
      withParts({
        'xl/sharedStrings.xml': `<sst>${`<si><t>${'x'.repeat(32_767)}</t></si>`.repeat(count / 32_767 + 1)}</sst>`,
      }),
  },
  {
    list: 'characters in a cell',
    most: 32_767,
    bytes: (count) => rowsOf(`<row><c t="str"><v>${'x<![CDATA[]]>'.repeat(count)}</v></c></row>`),
  },
  {
    list: 'cells in a row',
    most: 16_384,
    bytes: (count) => rowsOf(`<row>${'<c/>'.repeat(count)}</row>`),
  },
  { list: 'rows', most: 1_048_576, bytes: (count) => rowsOf('<row/>'.repeat(count)) },
  {
    list: 'merged ranges',
    most: 2_000,
    bytes: (count) =>
      withSheet(
        `<worksheet><mergeCells>${'<mergeCell ref="A1:A2"/>'.repeat(count)}</mergeCells></worksheet>`,
      ),
  },
  {
    list: 'sheets',
    most: 1_000,
    bytes: (count) =>
      withParts({
        'xl/workbook.xml': `<workbook><sheets>${'<sheet name="s"/>'.repeat(count)}</sheets></workbook>`,
      }),
  },
  {
    list: 'references between its parts',
    most: 10_000,
    bytes: (count) =>
      withParts({
        'xl/_rels/workbook.xml.rels': `<Relationships>${'<Relationship/>'.repeat(count)}</Relationships>`,
      }),
  },
  {
    list: 'parts',
    most: 10_000,
    bytes: (count) =>
      zipOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '']))),
  },
  {
    list: 'elements inside each other',
    most: 100,
    bytes: (count) => withSheet('<a>'.repeat(count)),
  },
  {
    list: 'attributes in an element',
    most: 100,
    bytes: (count) =>
      rowsOf(`<row ${Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ')}/>`),
  },
  {
    list: 'characters in an attribute',
    most: 2_000,
    bytes: (count) => rowsOf(`<row r="${'x'.repeat(count)}"/>`),
  },
];

/** So many of something take a second to read. */
const MANY = 1_000_000;

for (const { list, most, bytes } of OVER_LIMIT) {
  const add = most < MANY ? reading : addLong.bind(null, reading);
  add(`more than ${most} ${list} are refused by name`, async () => {
    const problem = describeOverLimit({ list, most });
    assert.is(await refusalOf(bytes(most + 1)), problem);
  });
}

reading('a format is read once a cell uses it, however many cells that are', async () => {
  const formats = Array.from({ length: 1_000 }, (_, index) => `"${index}-"000`);
  const rows = [['a'], ...[1, 1_000, 1].map((style) => [styled(style, 7)])];
  const file = await tableOf(workbookOf({ sheets: [{ rows }], formats }));
  assert.equal(
    file.rows.map(({ cells: [text] }) => text),
    ['0-007', '999-007', '0-007'],
  );
});

reading('places that show no digit change nothing', async () => {
  assert.is(await textOf(styled(1, 42), { formats: [`0${'#'.repeat(40)}-00`] }), '0-42');
  assert.is(await textOf(styled(1, 42), { formats: [`${'#'.repeat(40)}-00`] }), '-42');
});

const REFUSED: readonly { name: string; bytes: () => Buffer; says: string }[] = [
  {
    name: 'a first row that is empty',
    bytes: () => workbookOfRows([[], ['1']]),
    says: EMPTY_FIRST_ROW_MESSAGE,
  },
  { name: 'column names alone', bytes: () => workbookOfRows([['a']]), says: NO_ROWS_MESSAGE },
  {
    name: 'an archive that is cut short',
    bytes: () => workbookOfRows([['a'], ['1']]).subarray(0, 400),
    says: UNREADABLE_WORKBOOK_MESSAGE,
  },
  {
    name: 'a document of another program',
    bytes: () => zipOf({ 'word/document.xml': '<document/>' }),
    says: NOT_A_SPREADSHEET_MESSAGE,
  },
  {
    name: 'a binary workbook',
    bytes: () => zipOf({ 'xl/workbook.bin': 'x' }),
    says: BINARY_WORKBOOK_MESSAGE,
  },
  {
    name: 'a sheet that is no XML',
    bytes: () => withSheet('<worksheet><sheetData></worksheet>'),
    says: UNREADABLE_WORKBOOK_MESSAGE,
  },
  {
    name: 'a sheet that ends in its middle',
    bytes: () => withSheet('<worksheet><sheetData><row r="1"><c'),
    says: UNREADABLE_WORKBOOK_MESSAGE,
  },
  {
    name: 'more than 20 MB',
    bytes: () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(20 * MEBIBYTE)]),
    says: TOO_LARGE_MESSAGE,
  },
  {
    name: 'more than 10,000 rows',
    bytes: () => workbookOfRows([['a'], ...Array.from({ length: 10_001 }, () => ['1'])]),
    says: TOO_MANY_ROWS_MESSAGE,
  },
  {
    name: 'an archive that unpacks to more than 100 MB',
    bytes: () => withSheet(`<worksheet>${' '.repeat(101 * MEBIBYTE)}</worksheet>`),
    says: TOO_LARGE_WORKBOOK_MESSAGE,
  },
  {
    name: 'an archive that states a smaller size than it unpacks to',
    bytes: () =>
      zipOf(
        {
          ...workbookParts({ sheets: [{ rows: [['a'], ['1']] }] }),
          'xl/worksheets/sheet1.xml': `<worksheet>${'<row/>'.repeat(MEBIBYTE)}</worksheet>`,
        },
        { 'xl/worksheets/sheet1.xml': 1_000 },
      ),
    says: UNREADABLE_WORKBOOK_MESSAGE,
  },
  {
    name: 'an element without end',
    bytes: () => withSheet(`<worksheet a="${'x'.repeat(10 * MEBIBYTE)}"/>`),
    says: UNREADABLE_WORKBOOK_MESSAGE,
  },
  {
    name: 'one text in so many cells that they hold more than 20 MB',
    bytes: () =>
      withSheet(
        `<worksheet><sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(100)}</sheetData></worksheet>`,
        { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(4_000)}</t></si></sst>` },
      ),
    says: TOO_MUCH_TEXT_MESSAGE,
  },
  {
    name: 'a filled cell in the last column of Excel',
    bytes: () =>
      withSheet(
        '<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>',
      ),
    says: 'The file has more than 500 columns. Start from the template.',
  },
  {
    name: 'a filled row at the end of Excel',
    bytes: () =>
      withSheet(
        '<worksheet><sheetData><row r="1"><c><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row></sheetData></worksheet>',
      ),
    says: 'The file has more than 1,000 empty rows between filled ones. Remove them.',
  },
];

for (const { name, bytes, says } of REFUSED)
  reading(`${name} is refused`, async () => {
    assert.is(await refusalOf(bytes()), says);
  });

addLong(reading, 'more than 2,000,000 filled cells is refused', async () => {
  const rows = `<row>${'<c><v>1</v></c>'.repeat(500)}</row>`.repeat(4_001);
  assert.is(await refusalOf(rowsOf(`<row><c><v>1</v></c></row>${rows}`)), TOO_MANY_CELLS_MESSAGE);
});

reading('others get to run while a large workbook is read', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `column ${index}`);
  const bytes = workbookOfRows(Array.from({ length: 500 }, () => names));
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const file = await tableOf(bytes);
  isRead = true;
  assert.is(file.rows.length, 499);
  assert.ok(turns > 10, `${turns} turns`);
});

reading.run();
