import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTable, TOO_MANY_CELLS_MESSAGE } from '../../../adapters/csv/file-table.ts';
import { detectLayout, readCsv } from '../../../adapters/csv/read-csv.ts';

import { writeCsv } from '../../../adapters/csv/write-csv.ts';
import { textOf } from '../../support/imports.ts';

const reading = suite('reading a CSV file');

const TABLES: readonly { name: string; text: string; headers: string[]; rows: unknown }[] = [
  {
    name: 'commas and CRLF',
    text: 'a,b\r\n1,2\r\n',
    headers: ['a', 'b'],
    rows: [{ row: 2, cells: ['1', '2'] }],
  },
  {
    name: 'a byte order mark is no part of the first name',
    text: '\ufeffa;b\n1;2',
    headers: ['a', 'b'],
    rows: [{ row: 2, cells: ['1', '2'] }],
  },
  {
    name: 'tabs and CR alone',
    text: 'a\tb\r1\t2\r',
    headers: ['a', 'b'],
    rows: [{ row: 2, cells: ['1', '2'] }],
  },
  {
    name: 'pipes, and commas in the cells',
    text: 'a|b\n1,5|2\n',
    headers: ['a', 'b'],
    rows: [{ row: 2, cells: ['1,5', '2'] }],
  },
  {
    name: 'the line by which Excel is told the delimiter',
    text: 'sep=;\r\na,x;b\r\n1;2\r\n',
    headers: ['a,x', 'b'],
    rows: [{ row: 2, cells: ['1', '2'] }],
  },
  {
    name: 'quoted cells with delimiters, line ends and quotation marks',
    text: 'a,"b,;;;"\n"1\r\nmore","said ""no"""\n3,4',
    headers: ['a', 'b,;;;'],
    rows: [
      { row: 2, cells: ['1\r\nmore', 'said "no"'] },
      { row: 3, cells: ['3', '4'] },
    ],
  },
  {
    name: 'a quotation mark inside a text that is not quoted',
    text: 'a,b\n5" tall,x\n',
    headers: ['a', 'b'],
    rows: [{ row: 2, cells: ['5" tall', 'x'] }],
  },
  {
    name: 'empty rows keep the numbers of the others; those at the end are nothing',
    text: 'a,b\n1,2\n\n , \n3,4\n,\n\n',
    headers: ['a', 'b'],
    rows: [
      { row: 2, cells: ['1', '2'] },
      { row: 5, cells: ['3', '4'] },
    ],
  },
  {
    name: 'rows of other lengths are taken as they are',
    text: 'a,b\n1\n1,2,3\n',
    headers: ['a', 'b'],
    rows: [
      { row: 2, cells: ['1'] },
      { row: 3, cells: ['1', '2', '3'] },
    ],
  },
];

for (const { name, text, headers, rows } of TABLES)
  reading(name, async () => {
    const file = await readCsv(Buffer.from(text));
    assert.is(file.kind, 'table');
    if (file.kind !== 'table') return;
    assert.equal([...file.headers], headers);
    assert.equal(file.rows, rows);
  });

reading('the numbers of empty rows between filled ones are told', async () => {
  const file = await readCsv(Buffer.from('a\n1\n\n\n2\n\n'));
  assert.equal(file.kind === 'table' && file.emptyRows, [3, 4]);
});

const REFUSED: readonly { name: string; bytes: Buffer; says: RegExp }[] = [
  { name: 'UTF-16 with its mark', bytes: Buffer.from('\ufeffa,b\n', 'utf16le'), says: /UTF-16/ },
  { name: 'UTF-16 without', bytes: Buffer.from('a,b\n', 'utf16le'), says: /CSV UTF-8/ },
  {
    name: 'Windows-1252, as Excel saves plain CSV',
    bytes: Buffer.from('a,b\nM\u00fcller,1\n', 'latin1'),
    says: /in an older encoding.*CSV UTF-8/,
  },
  {
    name: 'UTF-8 that ends inside a letter',
    bytes: Buffer.from('a\nü').subarray(0, 3),
    says: /not UTF-8/,
  },
  {
    name: 'a workbook of an older Excel',
    bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    says: /of an older kind \(\.xls\)/,
  },
  {
    name: 'a workbook with a password',
    bytes: Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    says: /protected with a password/,
  },
  {
    name: 'a web page with the name of a workbook',
    bytes: Buffer.from('\ufeff\n<html><table><tr><td>chart_number</td></tr></table></html>'),
    says: /neither an Excel workbook/,
  },
  { name: 'a PDF', bytes: Buffer.from('%PDF-1.7\n'), says: /neither an Excel workbook/ },
  {
    name: 'a picture',
    bytes: Buffer.from('\u0089PNG\r\n\0\0', 'latin1'),
    says: /neither an Excel/,
  },
  { name: 'nothing at all', bytes: Buffer.alloc(0), says: /first row is empty/ },
  { name: 'a header line alone', bytes: Buffer.from('a,b\r\n,\r\n'), says: /holds no births/ },
  {
    name: 'a quotation mark that is never closed',
    bytes: Buffer.from('a,b\n1,2\n"3,4\n5,6\n'),
    says: /^Row 3 does not end/,
  },
  {
    name: 'more than 20 MB',
    bytes: Buffer.alloc(20 * 1024 * 1024 + 1, 'a'),
    says: /larger than 20 MB/,
  },
  {
    name: 'more than 10,000 rows',
    bytes: Buffer.from(`a\n${'1\n'.repeat(10_001)}`),
    says: /more than 10,000 rows/,
  },
  {
    name: 'more than 1,000 empty rows between filled ones',
    bytes: Buffer.from(`a\n1${'\n'.repeat(1_002)}2\n`),
    says: /more than 1,000 empty rows/,
  },
  {
    name: 'a row of more than a megabyte',
    bytes: Buffer.from(`a\n1\n"${'x'.repeat(1024 * 1024 + 10)}"\n`),
    says: /^Row 3 does not end/,
  },
  {
    name: 'more than 10,000 blank lines after the births',
    bytes: Buffer.from(`a,b\n1,2\n${'\n'.repeat(10_002)}`),
    says: /more than 10,000 blank lines/,
  },
  {
    name: 'more rows than a sheet has',
    bytes: Buffer.from(`a,b\n1,2\n${',\n'.repeat(1_048_577)}`),
    says: /more than 1,048,576 rows, and nearly all of them are empty/,
  },
  {
    name: 'more than 2,000,000 filled cells',
    bytes: Buffer.from(`a,b\n${`${'1,'.repeat(499)}1\n`.repeat(4_001)}`),
    says: /more than 2,000,000 filled cells/,
  },
  {
    name: 'a first row of more than 500 columns',
    bytes: Buffer.from(`${'a,'.repeat(500)}a\n1\n`),
    says: /more than 500 columns/,
  },
];

for (const { name, bytes, says } of REFUSED)
  reading(`${name} is refused`, async () => {
    const file = await readCsv(bytes);
    assert.match(file.kind === 'refused' ? file.problem : '', says);
  });

reading(
  'exactly 10,000 rows are taken, and rows of thousands of empty lines after them',
  async () => {
    const file = await readCsv(Buffer.from(`a\n${'1\n'.repeat(10_000)}${'\n'.repeat(5_000)}`));
    assert.is(file.kind === 'table' && file.rows.length, 10_000);
  },
);

reading('letters of several bytes may fall between two slices', async () => {
  const text = `a\n${'ü'.repeat(5)}x\n${`${'é'.repeat(4_000)}\n`.repeat(300)}`;
  const file = await readCsv(Buffer.from(text));
  assert.is(
    file.kind === 'table' && file.rows.every(({ cells }) => !cells[0]?.includes('\ufffd')),
    true,
  );
  assert.is(file.kind === 'table' && file.rows.length, 301);
});

reading('neither a character nor a line end falls apart between two slices', async () => {
  for (let before = 0; before < 12; before += 1) {
    const rows = Array.from({ length: 9_000 }, () => 'ab\u{1f37c}\u{1f37c}cdef');
    const file = await readCsv(Buffer.from(`a${'x'.repeat(before)}\r\n${rows.join('\r\n')}`));
    if (file.kind !== 'table') throw new Error(file.problem);
    assert.is(file.rows.length, 9_000);
    assert.is(
      file.rows.every(({ row, cells }, index) => row === index + 2 && cells[0] === rows[0]),
      true,
    );
  }
});

reading('the delimiter is the one that stands most often outside of quotation marks', () => {
  assert.is(detectLayout('"a,b,c";d\n1,2,3,4').delimiter, ';');
  assert.is(detectLayout('single').delimiter, ',');
});

reading('no cell of a written file is a formula', async () => {
  const file = await textOf(
    writeCsv(
      ['a', 'b'],
      [
        ['=1+1', '-2'],
        ['@x', '+1'],
        ['\tx', 'said "no"'],
      ],
    ),
  );
  assert.is(file, '\ufeffa,b\r\n\'=1+1,\'-2\r\n\'@x,\'+1\r\n\'\tx,"said ""no"""\r\n');
});

reading('the apostrophe before a formula is taken off again, and no other', async () => {
  const cells = ['=1+1', '-2', '+44', "'tis", "''=1", 'plain'];
  const file = await readCsv(
    Buffer.from(await textOf(writeCsv(['a', 'b', 'c', 'd', 'e', 'f'], [cells]))),
  );
  assert.equal(file.kind === 'table' && file.rows[0]?.cells, cells);
});

reading('more than 2,000,000 filled cells are refused, of whatever file', () => {
  const table = createTable();
  const cells = Array.from({ length: 500 }, () => '1');
  for (let row = 1; row <= 4_000; row += 1) table.add(cells);
  assert.is(table.isOver(), false);
  table.add(['1']);
  const file = table.file();
  assert.is(file.kind === 'refused' && file.problem, TOO_MANY_CELLS_MESSAGE);
});

/** The cells of the only row of a file, and the ids of what is said about it with the cells that are named. */
const readOnly = async (text: string) => {
  const file = await readCsv(Buffer.from(text));
  if (file.kind !== 'table') return file.kind;
  const [row] = file.rows;
  const told = (messages = row?.problems) =>
    (messages ?? []).map(({ id, message }) => `${id} ${/ ([A-Z]+\d+) /.exec(message)?.[1]}`);
  return { cells: row?.cells, problems: told(), notices: told(row?.notices ?? []) };
};

for (const [name, text, cells, problems, notices] of [
  ['a text as a formula', 'a,b\n="00451",x', ['00451', 'x'], [], ['formula-of-text A2']],
  [
    'one behind what shows nothing',
    'a,b\n\u200b="00451",x',
    ['00451', 'x'],
    [],
    ['formula-of-text A2'],
  ],
  [
    'the same in quotation marks',
    'a,b\n"=""00451""",x',
    ['00451', 'x'],
    [],
    ['formula-of-text A2'],
  ],
  ['with spaces around it', 'a;b\nx; ="007" ', ['x', '007'], [], ['formula-of-text B2']],
  [
    'with quotation marks in it',
    'a,b\n"=""a """"b"""" c""",x',
    ['a "b" c', 'x'],
    [],
    ['formula-of-text A2'],
  ],
  ['an empty one', 'a,b\n="",x', ['', 'x'], [], ['formula-of-text A2']],
  ['a name of a column', '="a",b\n1,x', ['1', 'x'], [], []],
  ['a sum', 'a,b\n\n=1+1,x', ['=1+1', 'x'], ['formula-in-cell A3'], []],
  ['a text that is joined', 'a,b\nx,"=""0""&""7"""', ['x', '="0"&"7"'], ['formula-in-cell B2'], []],
  ['a sign alone', 'a,b\n=,x', ['=', 'x'], ['formula-in-cell A2'], []],
  ['two of them', 'a,b\n=A1,="7"', ['=A1', '7'], ['formula-in-cell A2'], ['formula-of-text B2']],
  ['a text that was written here', `a,b\n'="00451",x`, ['="00451"', 'x'], [], []],
  ['a sign within a text', 'a,b\nx=1,"y = ""2"""', ['x=1', 'y = "2"'], [], []],
] as const)
  reading(`a cell that begins like a formula: ${name}`, async () => {
    assert.equal(await readOnly(text), { cells, problems, notices });
  });

reading.run();
