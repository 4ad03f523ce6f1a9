import { BYTES_IN_MIB } from '../../harness/units.ts';
import { workbookOf, workbookParts, zipOf } from '../../support/workbooks.ts';
import { sized } from '../sizes.ts';

/** A file that a member may bring, and that costs much to read. */
export interface HostileFile {
  readonly name: string;
  /** Number of them at once, each from another account as far as there are; 1 without. */
  readonly atOnce?: number;
  /** @param n another one each time */
  readonly bytesOf: (n: number) => Buffer;
}

const CSV_BYTES = sized(19_000_000, 2_000_000);
const SHRINK = sized(1, 10);
/** Each unpacks to nearly as much as a workbook may. */
const UNPACKED_BYTES = sized(95 * BYTES_IN_MIB, 8 * BYTES_IN_MIB);

const repeated = (count: number, textOf: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => textOf(n)).join('');

/** A workbook with one part in the place of the usual one. */
const workbookWith = (part: string, text: string): Buffer =>
  zipOf({ ...workbookParts({ sheets: [{ rows: [['chart_number'], ['H-1']] }] }), [part]: text });

const texts = (count: number, text: string): Buffer =>
  workbookWith('xl/sharedStrings.xml', `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`);

const SHEET = 'xl/worksheets/sheet1.xml';

const ITEM = `<si><t>${'a'.repeat(27)}</t></si>`;

const csvOf = (header: string, row: string): Buffer => {
  const rows = Math.floor((CSV_BYTES - header.length) / (row.length + 1));
  return Buffer.from(`${header}\n${`${row}\n`.repeat(rows)}`);
};

/** Every file that has cost much, within what a file may hold. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  {
    name: 'number formats',
    bytesOf: () =>
      workbookOf({
        sheets: [{ rows: [['chart_number'], ['H-1']] }],
        formats: Array.from(
          { length: 99_000 / SHRINK },
          (_, n) => `${'0'.repeat(40)}"${n}"${'#'.repeat(40)}`,
        ),
      }),
  },
  {
    name: 'a sparse sheet',
    bytesOf: () =>
      workbookWith(
        SHEET,
        `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>chart_number</v></c></row>${repeated(
          10_000 / SHRINK,
          (n) => `<row r="${n + 2}"><c r="SF${n + 2}" t="str"><v>x</v></c></row>`,
        )}</sheetData></worksheet>`,
      ),
  },
  {
    name: 'empty cells',
    bytesOf: () =>
      workbookWith(
        SHEET,
        `<worksheet><sheetData><row r="1">${'<c r="A1"/>'.repeat(UNPACKED_BYTES / 11)}</row></sheetData></worksheet>`,
      ),
  },
  { name: 'shared strings', bytesOf: () => texts(1_999_000 / SHRINK, 'a') },
  {
    name: 'merged ranges over many rows',
    bytesOf: () =>
      workbookOf({
        sheets: [
          {
            rows: [
              ['chart_number'],
              ...Array.from({ length: 9_999 / SHRINK }, (_, n) => [`H-${n}`]),
            ],
            merged: Array.from({ length: 1_999 / SHRINK }, () => 'A1000001:A1000002'),
          },
        ],
      }),
  },
  {
    name: 'rich text in runs',
    bytesOf: () =>
      workbookWith(
        'xl/sharedStrings.xml',
        `<sst><si>${'<r><t>a</t></r>'.repeat(UNPACKED_BYTES / 15)}</si></sst>`,
      ),
  },
  {
    name: 'workbooks of shared strings at once',
    atOnce: sized(8, 2),
    bytesOf: () => texts(UNPACKED_BYTES / ITEM.length, 'a'.repeat(27)),
  },
  {
    name: 'CSV files at once',
    atOnce: sized(6, 2),
    bytesOf: (n) => csvOf('chart_number,mother_family_name', `H-${n},${'x'.repeat(1_900)}`),
  },
  {
    name: 'a CSV file of short rows',
    bytesOf: () => csvOf('chart_number,mother_family_name', ','),
  },
  {
    name: 'CSV files of rows with many cells at once',
    atOnce: sized(6, 2),
    bytesOf: (n) => csvOf('chart_number,mother_family_name', `H-${n}${','.repeat(1_000_000)}`),
  },
  {
    name: 'a header of many columns',
    bytesOf: () => Buffer.from(`${'a,'.repeat(2 * BYTES_IN_MIB)}\nH-1\n`),
  },
  {
    name: 'rows like a header, of combining marks',
    bytesOf: () => {
      const marks = `a${'\u0301\u0316'.repeat(249)}`;
      const names = Array.from({ length: 498 }, (_, n) => `c${n}`);
      const row = ['chart_number', ...names.map(() => marks)];
      const rows = [['chart_number', ...names], ...Array.from({ length: 80 / SHRINK }, () => row)];
      return workbookOf({ sheets: [{ rows }] });
    },
  },
  {
    name: 'a quotation mark that is never closed',
    bytesOf: () => Buffer.from(`chart_number\n"${'x\n'.repeat(CSV_BYTES / 2)}`),
  },
];

/** A form that a member may send, and that costs much to read. */
export interface HostileForm {
  readonly name: string;
  /** Where it is posted. */
  readonly path: string;
  /** Number of accounts that send it, and how often each does at once; 1 without. */
  readonly accounts?: number;
  readonly atOnce?: number;
  readonly fields: () => Iterable<readonly [string, string]>;
}

const NEW_BIRTH = '/registry/records/new';

/** Names of as many children as an index of three digits can say. */
const childrenOf = function* (): Generator<readonly [string, string]> {
  for (let child = 0; child < 1_000 / SHRINK; child += 1)
    yield [`children.${child}.given_names`, 'Luz Marina Esperanza 12'];
};

/** Every form that has cost much. */
export const HOSTILE_FORMS: readonly HostileForm[] = [
  { name: 'names of 1,000 children', path: NEW_BIRTH, fields: childrenOf },
  { name: 'the same, ten at once', path: NEW_BIRTH, atOnce: sized(10, 2), fields: childrenOf },
  {
    name: 'the same from six accounts',
    path: NEW_BIRTH,
    accounts: 6,
    atOnce: sized(2, 1),
    fields: childrenOf,
  },
];
