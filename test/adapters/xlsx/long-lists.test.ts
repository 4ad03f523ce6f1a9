import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBirthsFile } from '../../../adapters/xlsx/read-xlsx.ts';
import { assertGrowsInProportion, createCountingRows } from '../../support/executed-blocks.ts';
import { MAIN, OFFICE, workbookParts, zipOf } from '../../support/workbooks.ts';

const lists = suite('work grows with the lists of a workbook');
const counting = createCountingRows(lists, import.meta.url);

const repeat = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

const sheet = (rows: string, after = '') => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>${rows}</sheetData>${after}</worksheet>`,
});
const row = (cells: string) => `<row>${cells}</row>`;
const filledRows = (count: number) => repeat(count, () => row('<c><v>1</v></c>'));
const styles = (count: number, code: (index: number) => string) => ({
  'xl/styles.xml': `<styleSheet><numFmts>${repeat(count, (index) => `<numFmt numFmtId="${164 + index}" formatCode="${code(index)}"/>`)}</numFmts><cellXfs>${repeat(count, (index) => `<xf numFmtId="${164 + index}"/>`)}</cellXfs></styleSheet>`,
});
const styledRows = (count: number) =>
  repeat(count, (index) => row(`<c s="${index}"><v>46154.5</v></c>`));
const cellsOf = (type: string, value: string) => (count: number) =>
  sheet(repeat(count, () => row(`<c t="${type}"><v>${value}</v></c>`)));
const texts = (items: string) => ({ 'xl/sharedStrings.xml': `<sst>${items}</sst>` });
const relations = (count: number, isReversed: boolean) =>
  `<Relationships>${repeat(count, (index) => `<Relationship Id="r${isReversed ? count - index : index + 1}" Type="x/worksheet" Target="worksheets/sheet1.xml"/>`)}</Relationships>`;
const workbook = (sheets: string) => ({
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr/><sheets>${sheets}</sheets></workbook>`,
});
const named = (count: number) =>
  workbook(repeat(count, (index) => `<sheet name="s${index}" r:id="r${index + 1}"/>`));

type Shape = (count: number) => Record<string, string>;

/** A list by the element or type of cell that repeats, as long as the count says. */
const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  row: [
    (count) => sheet(filledRows(count)),
    (count) => sheet(repeat(count, () => row('')) + filledRows(1)),
    (count) =>
      sheet(repeat(count / 2, (index) => `<row r="${index * 3 + 2}"><c><v>1</v></c></row>`)),
  ],
  col: [
    (count) => ({
      'xl/worksheets/sheet1.xml': `<worksheet><cols>${repeat(count, () => '<col min="1" max="16384" hidden="1"/>')}</cols><sheetData>${filledRows(1)}</sheetData></worksheet>`,
    }),
  ],
  c: [
    (count) => sheet(repeat(5, () => row(repeat(count / 2, () => '<c><v>1</v></c>')))),
    (count) => sheet(repeat(5, () => row(repeat(count, () => '<c/>'))) + filledRows(1)),
  ],
  f: [(count) => sheet(repeat(count, () => row('<c><f>1</f></c><c><f>1</f><v>1</v></c>')))],
  v: [(count) => sheet(row(`<c>${repeat(count, () => '<v>1</v>')}</c>`))],
  t: [
    (count) =>
      sheet(row(`<c t="inlineStr"><is>${repeat(count, () => '<r><t>x</t></r>')}</is></c>`)),
    (count) => ({
      ...sheet(row('<c t="s"><v>0</v></c>')),
      ...texts(`<si>${repeat(count, () => '<r><t>x</t></r>')}</si>`),
    }),
  ],
  si: [
    (count) => texts(repeat(count, (index) => `<si><t>text ${index}</t></si>`)),
    (count) => ({
      ...sheet(repeat(count, (index) => row(`<c t="s"><v>${count - 1 - index}</v></c>`))),
      ...texts(repeat(count, (index) => `<si><t>text ${index}</t></si>`)),
    }),
  ],
  rPh: [(count) => texts(`<si><t>x</t>${repeat(count, () => '<rPh><t>y</t></rPh>')}</si>`)],
  mergeCell: [
    (count) =>
      sheet(
        filledRows(count),
        `<mergeCells>${repeat(count, () => `<mergeCell ref="A2:B${count}"/>`)}</mergeCells>`,
      ),
    (count) =>
      sheet(
        filledRows(count),
        `<mergeCells>${repeat(count, (index) => `<mergeCell ref="A${count - index}:B${count}"/>`)}</mergeCells>`,
      ),
  ],
  numFmt: [
    (count) => styles(count, (index) => `0&quot;${index}&quot;`),
    (count) => ({ ...styles(count, (index) => `yyyy${index}`), ...sheet(styledRows(count)) }),
  ],
  numFmts: [
    (count) => ({
      'xl/styles.xml': `<styleSheet>${repeat(count, () => '<numFmts/>')}</styleSheet>`,
    }),
  ],
  xf: [(count) => ({ ...styles(1, () => '0'), ...sheet(styledRows(count)) })],
  cellXfs: [
    (count) => ({
      'xl/styles.xml': `<styleSheet>${repeat(count, () => '<cellXfs><xf/></cellXfs>')}</styleSheet>`,
    }),
  ],
  sheet: [(count) => ({ ...named(count), 'xl/_rels/workbook.xml.rels': relations(count, true) })],
  Relationship: [
    (count) => ({ ...named(1), 'xl/_rels/workbook.xml.rels': relations(count, true) }),
  ],
  workbook: [(count) => workbook(repeat(count, () => '<workbook/>'))],
  workbookPr: [(count) => workbook(repeat(count, () => '<workbookPr/>'))],
  s: [cellsOf('s', '0')],
  str: [cellsOf('str', 'x_x000D_')],
  inlineStr: [cellsOf('inlineStr', 'x')],
  b: [cellsOf('b', '1')],
  e: [cellsOf('e', '#N/A')],
  d: [cellsOf('d', '2026-05-12')],
};

const BASE = workbookParts({
  sheets: [
    {
      rows: [
        ['a', 'b'],
        ['1', '2'],
      ],
    },
  ],
});
const LENGTH = 240;

for (const [name, shapes] of Object.entries(SHAPES))
  for (const [index, shape] of shapes.entries())
    counting(`twice as long, it takes about twice the steps: ${name} ${index + 1}`, () =>
      assertGrowsInProportion((length) => {
        const bytes = zipOf({ ...BASE, ...shape(length) });
        return () => readBirthsFile(bytes, '');
      }, LENGTH),
    );

lists('each element and type of cell that the reader names has its row here', () => {
  const source = ['read-sheet', 'workbook']
    .map((file) => readFileSync(`adapters/xlsx/${file}.ts`, 'utf8'))
    .join('\n');
  const names = [...source.matchAll(/(?:case |element [!=]== )'(\w+)'/g)].map(([, name]) => name);
  assert.equal(
    [...new Set(names)].filter((name) => !((name ?? '') in SHAPES)),
    [],
  );
  assert.ok(names.length >= Object.keys(SHAPES).length);
});

lists.run();
